import solway as sw

A = sw.placeholder((12,), name="A")
C = sw.compute((12,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=4)
s[C].parallel(io)
s.double_buffer(s.buffer_read(A, [ii]))
