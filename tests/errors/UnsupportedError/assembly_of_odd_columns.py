import solway as sw

A = sw.placeholder((63, 64), name="A")
B = sw.placeholder((64, 63), name="B")
k = sw.reduce_axis(64, name="k")
C = sw.compute((63, 63), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
s[C].reorder("j", "i", k)
s.auto_buffer("sw26010", inner="assembly")
