import solway as sw

A = sw.placeholder((8, 8), name="A")
B = sw.placeholder((8, 8), name="B")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8, 8), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
s.buffer_read(A, ["j", k])
