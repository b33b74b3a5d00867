import solway as sw

A = sw.placeholder((4,), name="A")
C = sw.compute((4,), lambda i: A[i] + 1, name="true")
