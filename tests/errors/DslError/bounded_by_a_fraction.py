import solway as sw

A = sw.placeholder((8,), name="A")
rows = sw.placeholder((4,), dtype="int32", name="rows")
B = sw.compute((4,), lambda i: A[sw.bounded(rows[i], 0, 8 / 2)], name="B")
