import solway as sw

A = sw.placeholder((10, 8), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((10,), lambda i: sw.sum(A[i, k], axis=k), name="C")
s = sw.create_schedule(C)
s[C].specialize(C.axis[0] < 8)
s.rfactor(C, k)
