import solway as sw

n = sw.size("n", max=64)
A = sw.placeholder((n,), name="A")
rows = sw.placeholder((4,), dtype="int32", name="rows")
B = sw.compute((4,), lambda i: A[sw.bounded(rows[i], 0, n - 1)], name="B")
