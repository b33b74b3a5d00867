import solway as sw

A = sw.placeholder((64, 8), name="A")
C = sw.compute((8, 8), lambda i, j: A[i * 8 + j, j] * 2, name="C")
s = sw.create_schedule(C)
i, j = C.axis
s.buffer_read(A, [i * j])
