import solway as sw

W = sw.constant([1, 2, 3], name="W")
U = sw.update(W, (3,), lambda i: i, lambda i: W[i] + 1, name="U")
s = sw.create_schedule(U)
