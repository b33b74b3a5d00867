import solway as sw

A = sw.placeholder((4, 0), name="A")
k = sw.reduce_axis(0, name="k")
C = sw.compute((4,), lambda i: sw.argmin(A[i, k], axis=k), name="C")
