import solway as sw

A = sw.placeholder((64, 64), name="A")
B = sw.compute((64, 64), lambda i, j: A[i, j] + 1, name="B")
C = sw.compute((64, 64), lambda i, j: B[i, j] * 2, name="C")
s = sw.create_schedule(C)
s[B].compute_at(C, "i", scope="shared")
