import solway as sw

A = sw.placeholder((8,), name="A")
P = sw.compute((8,), lambda i: A[i] * 2, name="P")
Q = sw.compute((8,), lambda i: P[i] * 3, name="Q")
C = sw.compute((8,), lambda i: Q[i] + 1, name="C")
s = sw.create_schedule(C)
s[P].compute_inline()
s[Q].compute_at(C, "i")
s[Q].compute_root()
