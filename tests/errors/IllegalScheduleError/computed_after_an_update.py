import solway as sw

A = sw.placeholder((8,), name="A")
T = sw.compute((8,), lambda i: A[i] * 2, name="T")
P = sw.compute((8,), lambda i: T[i] + 1, name="P")
T2 = sw.update(T, (8,), lambda i: (i,), lambda i: T[i] * 3, name="T2")
C = sw.compute((8,), lambda i: P[i] + T2[i], name="C")
s = sw.create_schedule(C)
s[P].compute_at(C, "i")
