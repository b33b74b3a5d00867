import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] * 2, name="B")
C = sw.compute((8,), lambda i: B[i] + 1, name="C")
D = sw.compute((8,), lambda i: C[i] + B[i], name="D")
s = sw.create_schedule(D)
s[B].fuse_with(C, C.axis[0])
s[B].fuse_with(D, D.axis[0])
