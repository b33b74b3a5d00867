import solway as sw

A = sw.placeholder((16,), name="A")
P = sw.compute((16,), lambda i: A[i], name="P")
C = sw.compute((14,), lambda i: P[i] + P[i + 2], name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=7)
s.buffer_read(P, at=io, fill_padding=True)
