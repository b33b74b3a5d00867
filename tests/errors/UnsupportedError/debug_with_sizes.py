import solway as sw

n = sw.size("n", max=8)
A = sw.placeholder((n,), name="A")
W = sw.placeholder((4,), "int64", name="W")
B = sw.compute((4,), lambda i: A[sw.bounded(W[i], 0, 1)], name="B")
sw.build(sw.create_schedule(B), [A, W, B], options=sw.Options(debug=True))
