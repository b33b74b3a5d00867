import solway as sw

A = sw.placeholder((8, 8), name="A")
k = sw.reduce_axis(8, name="k")
B = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k) + 1, name="B")
s = sw.create_schedule(B)
s.auto_buffer("sw26010", planner="greedy")
