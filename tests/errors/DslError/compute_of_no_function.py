import solway as sw

C = sw.compute((8,), 1.0, name="C")
