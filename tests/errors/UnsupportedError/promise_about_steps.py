import solway as sw

A = sw.placeholder((8,), "int64", name="A")
U = sw.update(A, (4,), lambda i: i, lambda i: A[sw.bounded(A[i], 0, 8)], name="U")
s = sw.create_schedule(U)
sw.build(s, [U], options=sw.Options(debug=True))
