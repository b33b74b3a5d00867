import solway as sw

A = sw.placeholder((8, 4), name="A")
k = sw.reduce_axis(4, name="k")
C = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k), name="C")
s = sw.create_schedule(C)
s[C].parallel(k)
