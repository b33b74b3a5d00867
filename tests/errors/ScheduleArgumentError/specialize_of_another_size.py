import solway as sw

n = sw.size("n", max=64)
A = sw.placeholder((n,), name="A")
C = sw.compute((n,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s[C].specialize(sw.size("m", max=64) > 8)
