import solway as sw

A = sw.placeholder((8,), name="A")
A2 = sw.update(A, (3, 3), lambda i, j: i * j, lambda i, j: 0.0)
