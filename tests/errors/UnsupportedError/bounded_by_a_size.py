import solway as sw

n = sw.size("n", max=64)
A = sw.placeholder((n,), name="A")
rows = sw.placeholder((n,), dtype="int32", name="rows")
B = sw.compute((n,), lambda i: A[sw.bounded(rows[i], 0, n)], name="B")
