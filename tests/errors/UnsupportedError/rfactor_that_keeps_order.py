import solway as sw

A = sw.placeholder((8,), name="A")
k = sw.reduce_axis(8, name="k")
last = sw.reducer(lambda a, b: b, 0.0, commutative=False, name="last")
C = sw.compute((), lambda: last(A[k], axis=k), name="C")
s = sw.create_schedule(C)
s.rfactor(C, k)
