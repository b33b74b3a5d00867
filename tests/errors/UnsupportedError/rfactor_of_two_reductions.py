import solway as sw

A = sw.placeholder((8, 8), name="A")
k, m = sw.reduce_axis(8, name="k"), sw.reduce_axis(8, name="m")
C = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k) / sw.max(A[i, m], axis=m), name="C")
s = sw.create_schedule(C)
s.rfactor(C, k)
