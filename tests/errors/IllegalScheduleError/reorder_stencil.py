import solway as sw

X = sw.placeholder((8,), name="X")
H = sw.recurrence(
    (4, 8),
    lambda H, t, i: sw.select(
        sw.any_of(t == 0, i == 7), X[i], H[t - 1, sw.minimum(i + 1, 7)] * 0.5
    ),
    name="H",
)
s = sw.create_schedule(H)
s[H].reorder("i", "t")
