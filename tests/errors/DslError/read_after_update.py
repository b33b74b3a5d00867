import solway as sw

A = sw.placeholder((8,), name="A")
A2 = sw.update(A, (8,), lambda i: i, lambda i: A[i] * 2)
C = sw.compute((8,), lambda i: A[i] + 1, name="C")
