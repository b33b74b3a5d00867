import solway as sw

A = sw.placeholder((66,), name="A")
P = sw.compute((66,), lambda i: A[i] * 2, name="P")
C = sw.compute((64,), lambda i: P[i] + P[i + 2], name="C")
s = sw.create_schedule(C)
outer, inner = s[C].split("i", factor=16)
s[P].compute_at(C, outer)
s.buffer_read(P, at=outer)
