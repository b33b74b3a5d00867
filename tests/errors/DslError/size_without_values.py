import solway as sw

n = sw.size("n", min=5, max=4)
