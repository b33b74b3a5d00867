import solway as sw

n = sw.size("n", max=64)
A = sw.placeholder((n,), name="A")
C = sw.compute((n,), lambda i: A[i] - A[-1], name="C")
