import solway as sw

A = sw.placeholder((8, 4), name="A")
C = sw.compute((8,), lambda i: sw.sum(A[i, 0], axis=4), name="C")
