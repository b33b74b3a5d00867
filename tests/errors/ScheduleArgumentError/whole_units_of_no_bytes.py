import solway as sw

A = sw.placeholder((16, 67), "int8", name="A")
B = sw.compute((16, 67), lambda y, x: A[y, x] + 1, name="B")
s = sw.create_schedule(B)
s.buffer_read(A, at=s[B].axis[0], align=0)
