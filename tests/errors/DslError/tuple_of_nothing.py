import solway as sw

C = sw.compute((4,), lambda i: (), name="C")
