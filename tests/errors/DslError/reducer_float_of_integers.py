import solway as sw

A = sw.placeholder((8,), "int8", name="A")
k = sw.reduce_axis(8, name="k")
largest = sw.reducer(lambda a, b: sw.maximum(a, b), float("-inf"), name="largest")
C = sw.compute((), lambda: largest(A[k], axis=k), name="C")
