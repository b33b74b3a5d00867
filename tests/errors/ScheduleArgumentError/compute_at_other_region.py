import solway as sw

A = sw.placeholder((10,), name="A")
P = sw.compute((10,), lambda i: A[i] * 2, name="P")
C = sw.compute((8,), lambda i: P[i] + P[i + 2], name="C")
s = sw.create_schedule(C)
s[P].compute_at(C, "i", region="hull")
