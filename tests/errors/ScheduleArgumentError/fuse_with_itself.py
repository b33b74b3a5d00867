import solway as sw

A = sw.placeholder((9,), name="A")
P = sw.compute((9,), lambda i: A[i] * 2, name="P")
C = sw.compute((8,), lambda x: P[x] + P[x + 1], name="C")
s = sw.create_schedule(C)
s[P].fuse_with(P, "i")
