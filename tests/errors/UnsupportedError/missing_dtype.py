import solway as sw

A = sw.placeholder((8,), "complex64", name="A")
