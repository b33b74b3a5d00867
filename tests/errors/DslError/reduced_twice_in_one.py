import solway as sw

A = sw.placeholder((8,), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((), lambda: sw.sum(A[k], axis=(k, k)), name="C")
