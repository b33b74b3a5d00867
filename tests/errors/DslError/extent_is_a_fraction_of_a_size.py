import solway as sw

n = sw.size("n", max=64)
A = sw.placeholder((n / 2,), name="A")
