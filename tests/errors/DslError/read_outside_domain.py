import solway as sw

A = sw.placeholder((8, 8), name="A")
L = sw.compute((8, 8), lambda i, j: A[i, j] * 2, where=lambda i, j: j <= i, name="L")
C = sw.compute((8, 8), lambda i, j: L[i, j] + 1, name="C")
