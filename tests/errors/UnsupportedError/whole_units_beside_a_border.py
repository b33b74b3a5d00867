import solway as sw

X = sw.placeholder((14, 14), "int8", name="X")
P = sw.compute(
    (16, 16),
    lambda y, x: sw.select((y >= 1) & (y < 15) & (x >= 1) & (x < 15), X[y - 1, x - 1], 0),
    name="P",
)
B = sw.compute((14, 14), lambda y, x: P[y, x] + P[y + 2, x + 2], name="B")
s = sw.create_schedule(B)
s.buffer_read(P, at=s[B].axis[0], fill_padding=True, align=4)
