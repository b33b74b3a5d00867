import solway as sw

A = sw.placeholder((8, 8), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8, 8), lambda i, j: sw.sum(A[i, k], axis=k) + 1.0, name="C")
s = sw.create_schedule(C)
s.buffer_write(C, at=k)
