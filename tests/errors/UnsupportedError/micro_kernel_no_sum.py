import solway as sw

A = sw.placeholder((8, 8), name="A")
C = sw.compute((8, 8), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
s[C].tensorize("i", sw.micro_kernel())
