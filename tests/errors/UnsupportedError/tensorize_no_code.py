import solway as sw

X = sw.placeholder((4,), name="X")
Y = sw.compute((4,), lambda i: X[i] * 2, name="Y")
twice = sw.intrinsic(Y, {"sw26010": "for (int i = 0; i < 4; ++i) Y[i] = X[i] * 2;"}, name="twice")
A = sw.placeholder((16,), name="A")
C = sw.compute((16,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
outer, inner = s[C].split("i", 4)
s[C].tensorize(inner, twice)
sw.build(s, [A, C], target="c")
