import solway as sw

X = sw.placeholder((8,), name="X")
Y = sw.update("X", (8,), lambda i: (i,), lambda i: X[i] * 2, name="Y")
