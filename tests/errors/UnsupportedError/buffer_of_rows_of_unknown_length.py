import solway as sw

m, n = sw.size("m", max=8), sw.size("n", max=8)
A = sw.placeholder((m, n), name="A")
B = sw.compute((m, n), lambda i, j: A[i, j] * 2, name="B")
s = sw.create_schedule(B)
s.buffer_read(A, at="i")
sw.build(s, [A, B])
