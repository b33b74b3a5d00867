import solway as sw

n = sw.size("n", max=64)
A = sw.placeholder((n,), name="A")
B = sw.compute((n,), lambda i: A[i] + 1, name="B")
s = sw.create_schedule(B)
s.assume(True)
