import solway as sw

A = sw.placeholder((sw.size("n", max=4),), name="A")
B = sw.placeholder((sw.size("n", max=5),), name="B")
C = sw.compute((1,), lambda i: A[i] + B[i], name="C")
sw.create_schedule(C)
