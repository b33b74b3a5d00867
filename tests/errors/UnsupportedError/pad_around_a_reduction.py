import solway as sw

A = sw.placeholder((30, 8), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((30,), lambda i: sw.sum(A[i, k], axis=k) + 1, name="C")
s = sw.create_schedule(C)
s.pad(C, (32,))
