import solway as sw

A = sw.placeholder((8,), name="A")
where = sw.placeholder((4,), "int64", name="where")
C = sw.compute((4,), lambda i: A[sw.bounded(where[i], 0, 9)], name="C")
