import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] * 2, name="B")
C = sw.compute((8,), lambda i: B[i] + 1, name="C")
s, t = sw.create_schedule(C), sw.create_schedule(C)
s[B].fuse_with(t[C], C.axis[0])
