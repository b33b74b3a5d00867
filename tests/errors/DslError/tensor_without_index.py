import solway as sw

A = sw.placeholder((8, 8), name="A")
C = sw.compute((8,), lambda i: sw.exp(A), name="C")
