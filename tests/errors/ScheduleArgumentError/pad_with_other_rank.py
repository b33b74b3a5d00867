import solway as sw

A = sw.placeholder((30, 8), name="A")
C = sw.compute((30, 8), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
s.pad(C, (32,))
