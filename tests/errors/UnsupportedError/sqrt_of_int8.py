import solway as sw

A = sw.placeholder((8,), "int8", name="A")
C = sw.compute((8,), lambda i: sw.sqrt(A[i]), name="C")
