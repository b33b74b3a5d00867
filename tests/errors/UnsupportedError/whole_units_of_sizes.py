import solway as sw

n = sw.size("n", min=1, max=64)
A = sw.placeholder((64, n), "int8", name="A")
B = sw.compute((64, n), lambda i, j: A[i, j] + 1, name="B")
s = sw.create_schedule(B)
s.buffer_read(A, at=s[B].axis[0], align=4)
