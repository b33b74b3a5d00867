import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] * 2, name="B")
C = sw.compute((8,), lambda i: A[i] + B[i], name="C")
s = sw.create_schedule(C)
s.buffer_read(A, at="i", readers=[B, C], references=[0])
