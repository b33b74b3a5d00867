import solway as sw

A = sw.placeholder((8,), "flaot32", name="A")
