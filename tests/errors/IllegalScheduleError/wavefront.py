import solway as sw

A = sw.placeholder((6, 6), name="A")


def body(F, i, j):
    above = sw.select(i > 0, F[i - 1, j], 0.0)
    return A[i, j] + above + sw.select(j > 0, F[i, j - 1], 0.0)


F = sw.recurrence((6, 6), body, name="F")
s = sw.create_schedule(F)
s[F].parallel("i")
