import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((4,), lambda i: A[sw.bounded(A[i], 0, 8)], name="C")
