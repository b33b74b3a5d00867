import solway as sw

X = sw.placeholder((4, 4), name="X")
k = sw.reduce_axis(4, name="k")
Y = sw.compute((4,), lambda i: sw.sum(X[i, k], axis=k) * 2, name="Y")
code = sw.intrinsic(Y, {"c": "..."}, name="rows")
s = sw.create_schedule(Y)
s[Y].tensorize("i", code)
