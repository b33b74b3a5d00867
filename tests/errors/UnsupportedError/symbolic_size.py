import solway as sw

n = sw.size("n", min=1, max=4096)
A = sw.placeholder((n,), name="A")
