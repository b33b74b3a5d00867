import solway as sw

n = sw.size("n", min=64, max=512)
A = sw.placeholder((64, 32), name="A")
C = sw.compute((64, n), lambda i, j: A[i, 3] * 2, name="C")
s = sw.create_schedule(C)
io, jo, ii, ji = s[C].tile("i", "j", 8, 8)
s[C].parallel(io, jo, grid=(8, 8))
s.broadcast(s.buffer_read(A, at=jo), over="row")
