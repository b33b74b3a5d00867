import solway as sw

A = sw.placeholder((8,), "int32", name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((4,), lambda i: A[sw.bounded(sw.sum(A[k], axis=k), 0, 8)], name="C")
s = sw.create_schedule(C)
sw.build(s, [A, C], options=sw.Options(debug=True))
