import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: sw.select(0 <= i < 4, A[i], 0), name="C")
