import solway as sw

A = sw.placeholder((8,), name="A")
s = sw.create_schedule(A)
