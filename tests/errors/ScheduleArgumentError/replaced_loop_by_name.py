import solway as sw

A = sw.placeholder((8, 8), name="A")
B = sw.compute((8, 8), lambda i, j: A[i, j] * 2, name="B")
s = sw.create_schedule(B)
s[B].split("i", factor=4)
s[B].reorder("j", "i")
