import solway as sw

A = sw.placeholder((8,), name="A")
A2 = sw.update(A, (8,), lambda i: i, lambda i: A[i] * 2)
k = sw.build(sw.create_schedule(A2), [A, A2])
