import solway as sw

A = sw.placeholder((8, 8), name="A")
C = sw.compute((8, 8), lambda i, j: A[i, j] + 1, name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=4)
s.buffer_read(A, at=io, layout=[ii])
