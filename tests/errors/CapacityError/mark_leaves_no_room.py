import solway as sw

A = sw.placeholder((4, 40000), name="A")
k = sw.reduce_axis(40000, name="k")
B = sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k), name="B")
s = sw.create_schedule(B)
s[B].vectorize(k)
s.auto_buffer("sw26010", planner="greedy")
