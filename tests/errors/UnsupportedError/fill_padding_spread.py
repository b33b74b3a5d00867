import solway as sw

A = sw.placeholder((16,), name="A")
P = sw.compute((18,), lambda i: sw.select(i % 2 == 0, A[i // 2], 0.0), name="P")
C = sw.compute((16,), lambda i: P[i] + P[i + 2], name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=4)
s.buffer_read(P, at=io, fill_padding=True)
