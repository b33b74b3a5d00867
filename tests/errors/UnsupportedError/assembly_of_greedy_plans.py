import solway as sw

A = sw.placeholder((64, 64), name="A")
B = sw.placeholder((64, 64), name="B")
k = sw.reduce_axis(64, name="k")
C = sw.compute((64, 64), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
s.auto_buffer("sw26010", planner="greedy", inner="assembly")
