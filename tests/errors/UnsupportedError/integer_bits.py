import solway as sw

A = sw.placeholder((8,), "int32", name="A")
C = sw.compute((8,), lambda i: A[i] & 3, name="C")
