import solway as sw

A = sw.placeholder((8, 8), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8,), lambda i: sw.select(i >= 3, sw.sum(A[i, k], axis=k), 0.0), name="C")
s = sw.create_schedule(C)
s.rfactor(C, k)
