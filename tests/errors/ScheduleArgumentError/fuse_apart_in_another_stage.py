import solway as sw

A = sw.placeholder((4, 4), name="A")
P = sw.compute((4, 4), lambda i, j: A[i, j] * 2, name="P")
C = sw.compute((4, 4, 4), lambda i, j, n: P[i, j] + n, name="C")
s = sw.create_schedule(C)
s[P].fuse_with(C, "j")
s[C].reorder("n", "j")
s[P].fuse("i", "j")
