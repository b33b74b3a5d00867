import solway as sw

n = sw.size("n", max=2.5)
