import solway as sw

A = sw.placeholder((8, 8), name="A")
P = sw.compute((8, 8), lambda i, j: A[i, j] * 2, name="P")
C = sw.compute((8, 8), lambda i, j: P[j, i] + 1, name="C")
s = sw.create_schedule(C)
s.transform_layout(P, lambda i, j: (i // 4, j))
