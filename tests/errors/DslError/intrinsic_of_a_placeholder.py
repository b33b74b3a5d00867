import solway as sw

X = sw.placeholder((4,), name="X")
sw.intrinsic(X, {"c": "..."})
