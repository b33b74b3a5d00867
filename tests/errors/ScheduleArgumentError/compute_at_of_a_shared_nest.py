import solway as sw

A = sw.placeholder((8,), name="A")
P = sw.compute((8,), lambda i: A[i] * 2, name="P")
Q = sw.compute((8,), lambda i: P[i] * 3, name="Q")
C = sw.compute((8,), lambda i: Q[i] + P[i], name="C")
s = sw.create_schedule(C)
s[P].fuse_with(Q, "i")
s[P].compute_at(C, "i")
