import solway as sw

X = sw.placeholder((4,), name="X")
Y = sw.compute((4,), lambda i: X[i] * 2, name="Y")
sw.intrinsic(Y, {"c": 7})
