import solway as sw

A = sw.placeholder((8, 4), name="A")
N = sw.placeholder((30,), "int32", name="N")
C = sw.compute((30, 4), lambda i, j: A[sw.bounded(N[i], 0, 8), j], name="C")
s = sw.create_schedule(C)
s.pad(C, (32, 4))
