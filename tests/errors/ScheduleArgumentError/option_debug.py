import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C], options=sw.Options(debug="x"))
