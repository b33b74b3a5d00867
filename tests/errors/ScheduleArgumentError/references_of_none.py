import solway as sw

X = sw.placeholder((16,), name="X")
Y = sw.compute((8,), lambda i: X[i] + X[i + 8], name="Y")
s = sw.create_schedule(Y)
s.buffer_read(X, ["i"], references=[])
