import solway as sw

A = sw.placeholder((8,), name="A")
k = sw.reduce_axis(8, name="k")
both = sw.reducer(lambda a, b: (a[0] + b[0], a[1] * b[1]), (0.0, 1.0), name="both")
C = sw.compute((), lambda: both(A[k], axis=k), name="C")
