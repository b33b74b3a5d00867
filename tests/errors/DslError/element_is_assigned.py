import solway as sw

A = sw.placeholder((8, 4), name="A")
A[0, 0] = 1
