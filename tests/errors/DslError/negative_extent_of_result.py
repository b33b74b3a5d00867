import solway as sw

C = sw.compute((4, -1), lambda i, j: 0.0, name="C")
