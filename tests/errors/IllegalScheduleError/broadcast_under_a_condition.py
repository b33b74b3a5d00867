import solway as sw

A = sw.placeholder((64,), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8, 8), lambda i, j: sw.sum(sw.select(k <= j, A[i * 8 + k], 0.0), axis=k), name="C")
s = sw.create_schedule(C)
s[C].parallel("i", "j", grid=(8, 8))
AA = s.buffer_read(A, at=k)
s.broadcast(AA, over="row")
