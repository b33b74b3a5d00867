import solway as sw

A = sw.placeholder((8, 8), name="A")
B = sw.compute((8, 8), lambda y, x: A[y, x] * 2, name="B")
C = sw.compute((8, 8), lambda i, j: B[i, j] + 1, name="C")
s = sw.create_schedule(C)
s[C].unroll(B.axis[1])
