import solway as sw

A = sw.placeholder((30,), name="A")
C, D = sw.compute((30,), lambda i: (A[i] * 2, A[i] + 1), name="C")
s = sw.create_schedule([C, D])
s.pad(C, (32,))
