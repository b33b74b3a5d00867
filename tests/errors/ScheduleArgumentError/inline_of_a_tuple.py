import solway as sw

A = sw.placeholder((8,), name="A")
P, Q = sw.compute((8,), lambda i: (A[i] + 1, A[i] * 2), name="P")
C = sw.compute((8,), lambda i: P[i] - Q[i], name="C")
s = sw.create_schedule(C)
s[P].compute_inline()
