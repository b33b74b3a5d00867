import solway as sw

A = sw.placeholder((8, 8), name="A")
k = sw.reduce_axis(8, name="k")
P = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k), name="P")
C = sw.compute((8,), lambda i: P[i] * 2, name="C")
s = sw.create_schedule(C)
s.transform_layout(P, lambda i: (7 - i,))
s.rfactor(P, k)
