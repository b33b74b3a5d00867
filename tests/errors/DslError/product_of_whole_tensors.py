import solway as sw

A = sw.placeholder((8, 4), name="A")
B = sw.placeholder((4, 8), name="B")
C = A @ B
