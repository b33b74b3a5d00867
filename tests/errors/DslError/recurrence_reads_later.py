import solway as sw

A = sw.placeholder((8,), name="A")
S = sw.recurrence((8,), lambda S, i: A[i] + sw.select(i < 7, S[sw.minimum(i + 1, 7)], 0), name="S")
