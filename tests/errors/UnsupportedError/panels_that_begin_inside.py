import solway as sw

A = sw.placeholder((16, 4), name="A")
C = sw.compute((16, 4), lambda i, j: sw.select(i > 0, A[i - 1, j], 0.0), name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=8)
im, ii = s[C].split(ii, factor=2)
s.buffer_read(A, at=io, layout=[im, "j", ii])
