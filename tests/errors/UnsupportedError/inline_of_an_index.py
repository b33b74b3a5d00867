import solway as sw

A = sw.placeholder((8,), "int64", name="A")
P = sw.compute((8,), lambda i: (A[i] + 1) % 8, name="P")
C = sw.compute((8,), lambda i: A[sw.bounded(P[i], 0, 8)], name="C")
s = sw.create_schedule(C)
s[P].compute_inline()
