import solway as sw

A = sw.placeholder((16, 4), name="A")
C = sw.compute((8, 4), lambda i, j: A[2 * i, j] + 1, name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=4)
im, ii = s[C].split(ii, factor=2)
s.buffer_read(A, at=io, layout=[im, "j", ii])
