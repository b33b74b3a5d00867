import solway as sw

A = sw.placeholder((64, 64), name="A")
B = sw.compute((64, 64), lambda i, j: A[i, j] * 2, name="B")
s = sw.create_schedule(B)
io, ii = s[B].split("i", factor=8)
AA = s.buffer_read(A, at=io)
s.double_buffer(AA, across=ii)
