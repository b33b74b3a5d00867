import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: ~A[i], name="B")
