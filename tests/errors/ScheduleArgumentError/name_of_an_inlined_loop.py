import solway as sw

A = sw.placeholder((8,), name="A")
P = sw.compute((8,), lambda i: A[i] * 2, name="P")
C = sw.compute((8,), lambda i: P[i] + 1, name="C")
s = sw.create_schedule(C)
s[P].compute_inline()
s[P].vectorize("i")
