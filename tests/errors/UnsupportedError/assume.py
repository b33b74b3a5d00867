import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] + 1, name="B")
s = sw.create_schedule(B)
s.assume(B.axis[0] < 8)
