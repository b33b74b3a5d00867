import solway as sw

X = sw.placeholder((8,), name="X")
Y = sw.update(X, (7,), lambda i: (i + 1,), lambda i: X[i] * 2, name="Y")
s = sw.create_schedule(Y)
s.buffer_read(X, ["i"])
