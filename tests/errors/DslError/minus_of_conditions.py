import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: sw.cast((A[i] > 0) - (A[i] > 1), "int8"), name="C")
