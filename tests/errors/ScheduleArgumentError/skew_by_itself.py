import solway as sw

A = sw.placeholder((8, 4), name="A")
B = sw.compute((8, 4), lambda t, i: A[t, i] * 2, name="B")
s = sw.create_schedule(B)
s[B].skew("i", by="i")
