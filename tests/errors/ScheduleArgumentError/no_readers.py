import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] * 2, name="B")
s = sw.create_schedule(B)
s.buffer_read(A, ["i"], readers=[])
