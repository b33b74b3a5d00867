import solway as sw

A = sw.placeholder((8, 67), "int8", name="A")
B = sw.compute((8, 67), lambda i, j: A[i, j] + 1, name="B")
C = sw.compute((8, 66), lambda i, j: B[i, j] + B[i, j + 1], name="C")
s = sw.create_schedule(C)
s[B].fuse_with(C, "i")
s.buffer_read(B, at=s[C].axis[0], readers=[C], align=4)
