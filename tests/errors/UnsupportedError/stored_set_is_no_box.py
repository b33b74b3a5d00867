import solway as sw

A = sw.placeholder((8, 8), name="A")
C = sw.compute((8, 8), lambda i, j: A[i, j] * 2, where=lambda i, j: (i + j) % 2 == 0, name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", 4)
s.buffer_write(C, at=io)
