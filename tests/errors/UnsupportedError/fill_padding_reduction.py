import solway as sw

A = sw.placeholder((16, 3), name="A")
k = sw.reduce_axis(3, name="k")
P = sw.compute((16,), lambda i: sw.sum(A[i, k], axis=k), name="P")
C = sw.compute((14,), lambda i: P[i] + P[i + 2], name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=7)
s.buffer_read(P, at=io, fill_padding=True)
