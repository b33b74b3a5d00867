import solway as sw

A = sw.placeholder((8, 4), name="A")
j, k = sw.reduce_axis(8, name="j"), sw.reduce_axis(4, name="k")
C = sw.compute((), lambda: sw.sum(sw.max(A[j, k], axis=k), axis=j), name="C")
s = sw.create_schedule(C)
