import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] & 3, name="B")
