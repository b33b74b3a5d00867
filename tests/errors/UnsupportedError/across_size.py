import solway as sw

n = sw.size("n", min=1, max=64)
A = sw.placeholder((64, n), name="A")
B = sw.compute((64, n), lambda i, j: A[i, j] * 2, name="B")
s = sw.create_schedule(B)
jo, ji = s[B].split("j", factor=8)
AA = s.buffer_read(A, at=jo)
s.double_buffer(AA, across="i")
