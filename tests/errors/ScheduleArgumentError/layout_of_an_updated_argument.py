import solway as sw

A = sw.placeholder((8,), name="A")
T = sw.update(A, (8,), lambda i: (i,), lambda i: A[i] * 3, name="T")
s = sw.create_schedule(T)
s.transform_layout(A, lambda i: (i // 4, i % 4))
