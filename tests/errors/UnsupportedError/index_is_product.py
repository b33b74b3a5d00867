import solway as sw

A = sw.placeholder((6,), name="A")
C = sw.compute((2, 3), lambda i, j: A[i * j], name="C")
