import solway as sw

A = sw.placeholder((30,), name="A")
C = sw.compute((30,), lambda i: A[i] * 2, name="C", where=lambda i: i % 2 == 0)
s = sw.create_schedule(C)
s.pad(C, (32,))
