import solway as sw

A = sw.placeholder((30,), name="A")
C = sw.compute((30,), lambda i: A[i] * 2, name="C")
U = sw.update(A, (30,), lambda i: (i,), lambda i: C[i] + 1, name="U")
s = sw.create_schedule(U)
s.pad(C, (32,))
