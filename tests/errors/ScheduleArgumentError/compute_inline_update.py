import solway as sw

A = sw.placeholder((8,), name="A")
P = sw.compute((8,), lambda i: A[i] * 2, name="P")
T = sw.update(P, (8,), lambda i: (i,), lambda i: P[i] * 3, name="T")
C = sw.compute((8,), lambda i: T[i] + 1, name="C")
s = sw.create_schedule(C)
s[T].compute_inline()
