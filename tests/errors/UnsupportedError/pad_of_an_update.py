import solway as sw

A = sw.placeholder((30,), name="A")
C = sw.compute((30,), lambda i: A[i] * 2, name="C")
D = sw.update(C, (10,), lambda i: (i,), lambda i: C[i] + 1, name="D")
s = sw.create_schedule(D)
s.pad(D, (32,))
