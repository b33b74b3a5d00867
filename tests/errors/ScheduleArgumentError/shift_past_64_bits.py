import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s[C].shift("i", 2**63 - 1)
