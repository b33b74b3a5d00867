import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] + 1, name="B")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s[B].split("i", 2)
