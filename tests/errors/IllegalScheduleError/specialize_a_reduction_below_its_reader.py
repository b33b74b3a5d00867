import solway as sw

A = sw.placeholder((10, 8), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((10,), lambda i: sw.sum(A[i, k], axis=k) * 2, name="C")
s = sw.create_schedule(C)
s[C].specialize(k < 4)
