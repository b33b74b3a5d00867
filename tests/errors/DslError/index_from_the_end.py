import solway as sw

A = sw.placeholder((8, 4), name="A")
C = sw.compute((8,), lambda i: A[i, -1], name="C")
