import solway as sw

A = sw.placeholder((8,), name="A")
k = sw.reduce_axis(8, name="k")
weigh = sw.reducer(lambda a, b: a + b * A[0], 0.0, name="weigh")
C = sw.compute((), lambda: weigh(A[k], axis=k), name="C")
