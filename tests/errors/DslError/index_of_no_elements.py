import solway as sw

A = sw.placeholder((8, 0), name="A")
C = sw.compute((8,), lambda i: A[i, 0], name="C")
