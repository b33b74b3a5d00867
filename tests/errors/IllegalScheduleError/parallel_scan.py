import solway as sw

A = sw.placeholder((12,), name="A")


def body(X, i):
    return A[i] + sw.select(i >= 1, X[i - 1], 0)


X = sw.recurrence((12,), body, name="X")
Y = sw.compute((12,), lambda j: X[j] * 2, name="Y")
s = sw.create_schedule(Y)
s[X].fuse_with(Y, "j")
s[Y].parallel("j")
