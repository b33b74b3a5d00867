import solway as sw

A = sw.placeholder((8, 8), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k), where=lambda i: k <= i, name="C")
