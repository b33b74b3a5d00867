import solway as sw

A = sw.placeholder((8, 8), name="A")
B = sw.compute((8, 8), lambda i, j: A[i, j] * 2, name="B")
C = sw.compute((8, 8), lambda i, j: A[i, j] + B[i, j], name="C")
s = sw.create_schedule(C)
s.buffer_read(A, at=s[B].axis[0], readers=[B, C])
