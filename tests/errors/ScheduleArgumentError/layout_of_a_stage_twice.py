import solway as sw

A = sw.placeholder((8,), name="A")
P = sw.compute((8,), lambda i: A[i] * 2, name="P")
C = sw.compute((8,), lambda i: P[i] + 1, name="C")
s = sw.create_schedule(C)
s.transform_layout(P, lambda i: (i // 4, i % 4))
s.transform_layout(P, lambda i: (i // 2, i % 2))
