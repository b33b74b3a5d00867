import solway as sw

A = sw.placeholder((4.5,), name="A")
