import solway as sw

rows = sw.placeholder((8,), "int32", name="rows")
A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[rows[i]], name="C")
