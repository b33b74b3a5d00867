import solway as sw

A = sw.placeholder((8, 8), name="A")
B = sw.placeholder((8, 8), name="B")
j = sw.reduce_axis(8, name="j")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8,), lambda i: sw.sum(A[i, j], axis=j) + sw.sum(B[i, k], axis=k), name="C")
s = sw.create_schedule(C)
s.buffer_read(A, at=k)
