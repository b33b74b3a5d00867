import solway as sw

A = sw.placeholder((16,), name="A")
P = sw.compute((18,), lambda i: sw.select(sw.all_of(i >= 1, i < 17), A[i - 1], 0.0), name="P")
C = sw.compute((16,), lambda i: P[i] + P[i + 2], name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=4)
s[P].split("i", factor=6)
s.buffer_read(P, at=io, fill_padding=True)
