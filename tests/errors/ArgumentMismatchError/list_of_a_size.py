import solway as sw

n = sw.size("n", max=64)
A = sw.placeholder((n,), name="A")
C = sw.compute((n,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C]).run([1.0, 2.0])
