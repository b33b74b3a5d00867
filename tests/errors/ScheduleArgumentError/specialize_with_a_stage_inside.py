import solway as sw

A = sw.placeholder((10,), name="A")
P = sw.compute((10,), lambda i: A[i] + 1, name="P")
C = sw.compute((10,), lambda i: P[i] * 2, name="C")
s = sw.create_schedule(C)
outer, inner = s[C].split("i", 4)
s[P].compute_at(C, outer)
s[C].specialize(outer < 2)
