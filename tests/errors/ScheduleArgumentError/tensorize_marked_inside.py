import solway as sw

X = sw.placeholder((4, 4), name="X")
Y = sw.compute((4, 4), lambda i, j: X[i, j] * 2, name="Y")
code = "for (int n = 0; n < 16; ++n) Y[n / 4 * 8 + n % 4] = X[n / 4 * 8 + n % 4] * 2;"
twice = sw.intrinsic(Y, {"sw26010": code}, name="twice")
A = sw.placeholder((8, 8), name="A")
C = sw.compute((8, 8), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
_, _, ii, ji = s[C].tile("i", "j", 4, 4)
s[C].unroll(ji)
s[C].tensorize(ii, twice)
