import solway as sw

A = sw.placeholder((8, 4), name="A")
B = sw.compute((8, 4), lambda i, j: A[i, j] + 1, name="B")
s = sw.create_schedule(B)
s[B].prefetch_lines(A, at="j", distance=1, inside="i")
