import solway as sw

A = sw.placeholder((sw.size("n", max=4), sw.size("n", max=5)), name="A")
