import solway as sw

A = sw.placeholder((8, 16), name="A")
k = sw.reduce_axis(16, name="k")
C = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k), name="C")
s = sw.create_schedule(C)
s.rfactor(C, k)
s.rfactor(C, k)
