import solway as sw

A = sw.placeholder((2**40, 2**40), name="A")
