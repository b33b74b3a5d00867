import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] + B[i], name="C")
s = sw.create_schedule(C)
