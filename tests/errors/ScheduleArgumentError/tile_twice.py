import solway as sw

A = sw.placeholder((8, 4), name="A")
C = sw.compute((8, 4), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
s[C].tile("i", "i", 2, 2)
