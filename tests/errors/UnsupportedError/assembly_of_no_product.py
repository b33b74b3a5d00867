import solway as sw

A = sw.placeholder((1024,), name="A")
B = sw.compute((1024,), lambda i: A[i] * 2, name="B")
s = sw.create_schedule(B)
s.auto_buffer("sw26010", inner="assembly")
