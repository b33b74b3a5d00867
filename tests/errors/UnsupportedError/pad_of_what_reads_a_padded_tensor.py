import solway as sw

A = sw.placeholder((30,), name="A")
P = sw.compute((30,), lambda i: A[i] * 2, name="P")
C = sw.compute((30,), lambda i: P[i] + 1, name="C")
s = sw.create_schedule(C)
s.pad(P, (32,))
s.pad(C, (32,))
