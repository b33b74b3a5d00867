import solway as sw

A = sw.placeholder((8,), name="A")
S = sw.recurrence((8,), lambda: 0.0, name="S")
