import solway as sw

A = sw.placeholder((8, 8), name="A")
i2 = sw.reduce_axis(8, name="i")
C = sw.compute((8,), lambda i: sw.sum(A[i, i2], axis=i2), name="C")
