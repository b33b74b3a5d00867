import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] + 1, name="B")
B2 = sw.update(B, (8,), lambda i: i, lambda i: B[i] * 2)
k = sw.build(sw.create_schedule(B2), [A, B])
