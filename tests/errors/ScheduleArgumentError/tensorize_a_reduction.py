import solway as sw

X = sw.placeholder((4,), name="X")
Y = sw.compute((4,), lambda i: X[i] * 2, name="Y")
twice = sw.intrinsic(Y, {"sw26010": "for (int i = 0; i < 4; ++i) Y[i] = X[i] * 2;"}, name="twice")
A = sw.placeholder((16,), name="A")
k = sw.reduce_axis(4, name="k")
C = sw.compute((4,), lambda i: sw.sum(A[4 * i + k], axis=k), name="C")
s = sw.create_schedule(C)
s[C].tensorize(k, twice)
