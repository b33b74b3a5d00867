import solway as sw

A = sw.placeholder((64, 64), name="A")
C = sw.compute((64, 64), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
AA = s.buffer_read(A, ["i", "j"], scope="shared")
s.buffer_read(AA, ["j"], scope="shared")
