import solway as sw

n = sw.size("n", max=8)
A = sw.placeholder((4, n), name="A")
B = sw.compute((4, n), lambda i, j: A[i, j] * 2, name="B")
s = sw.create_schedule(B)
s[B].fuse("i", "j")
