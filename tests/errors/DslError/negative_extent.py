import solway as sw

A = sw.placeholder((4, -1), name="A")
