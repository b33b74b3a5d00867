import solway as sw

A = sw.placeholder((4, 3), name="A")
B = sw.compute((4, 3), lambda i, j: A[i, j] * 2, name="B")
s = sw.create_schedule(B)
s[B].affine("{ [i, j] -> [j, i] }", names=["x"])
