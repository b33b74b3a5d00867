import solway as sw

A = sw.placeholder((8,), name="A")
B = sw.compute((8,), lambda i: A[i] + 1, name="B")
sw.create_schedule(B).show("no_such_folder/b.html")
