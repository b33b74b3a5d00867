import solway as sw

A = sw.placeholder((10, 10), name="A")
C = sw.compute((10, 10), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
i, j = C.axis
s[C].specialize(i * j < 9)
