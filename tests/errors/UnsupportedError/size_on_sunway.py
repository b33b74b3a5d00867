import solway as sw

n = sw.size("n", max=64)
A = sw.placeholder((n,), name="A")
B = sw.compute((n,), lambda i: A[i] * 2, name="B")
sw.build(sw.create_schedule(B), [A, B], target="sw26010")
