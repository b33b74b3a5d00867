import solway as sw

A = sw.placeholder((8,), name="A")
A2 = sw.update(A, (8,), lambda i: i + 1, lambda i: A[i] * 2)
