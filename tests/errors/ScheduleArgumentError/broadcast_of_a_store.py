import solway as sw

A = sw.placeholder((64, 32), name="A")
B = sw.placeholder((32, 64), name="B")
k = sw.reduce_axis(32, name="k")
C = sw.compute((64, 64), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
io, jo, ii, ji = s[C].tile("i", "j", 8, 8)
s[C].parallel(io, jo, grid=(8, 8))
CC = s.buffer_write(C, at=jo)
s.broadcast(CC, over="row")
