import solway as sw

n, m = sw.size("n", max=8), sw.size("m", max=8)
A = sw.placeholder((n * m,), name="A")
