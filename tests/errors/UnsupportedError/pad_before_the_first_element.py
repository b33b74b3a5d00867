import solway as sw

A = sw.placeholder((30,), name="A")
C = sw.compute((30,), lambda i: A[29 - i] * 2, name="C")
s = sw.create_schedule(C)
s.pad(C, (32,))
