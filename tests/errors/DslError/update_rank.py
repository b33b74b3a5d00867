import solway as sw

A = sw.placeholder((8, 8), name="A")
A2 = sw.update(A, (8,), lambda i: i, lambda i: A[i, i] * 2)
