import solway as sw

A = sw.placeholder((8, 8), name="A")
L = sw.compute((8, 8), lambda i, j: A[i, j] * 2, where=lambda i, j: i * j < 8, name="L")
