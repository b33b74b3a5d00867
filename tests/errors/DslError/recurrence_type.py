import solway as sw

A = sw.placeholder((8,), name="A")
S = sw.recurrence((8,), lambda S, i: A[i], dtype="int32", name="S")
