import solway as sw

n = sw.size("n", max=8)
A = sw.placeholder((n,), name="A")
B = sw.compute((n,), lambda i: A[i] * 2, name="B")
s = sw.create_schedule(B)
s[B].split("i", parts=2)
