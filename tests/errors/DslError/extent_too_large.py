import solway as sw

A = sw.placeholder((2**64,), name="A")
