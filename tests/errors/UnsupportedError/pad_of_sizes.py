import solway as sw

n = sw.size("n", max=100)
A = sw.placeholder((n,), name="A")
C = sw.compute((n,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s.pad(C, (128,))
