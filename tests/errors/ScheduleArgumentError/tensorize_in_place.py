import solway as sw

X = sw.placeholder((4,), name="X")
Y = sw.compute((4,), lambda i: X[i] * 2, name="Y")
twice = sw.intrinsic(Y, {"sw26010": "for (int i = 0; i < 4; ++i) Y[i] = X[i] * 2;"}, name="twice")
A = sw.placeholder((16,), name="A")
B = sw.update(A, (16,), lambda i: i, lambda i: A[i] * 2, name="B")
s = sw.create_schedule(B)
outer, inner = s[B].split("i", 4)
s[B].tensorize(inner, twice)
