import solway as sw

A = sw.placeholder((12,), name="A")


def step(H, t, i):
    neighbours = sw.select(sw.all_of(i > 0, i < 11), H[t - 1, i - 1] + H[t - 1, i + 1], 0.0)
    return sw.select(t == 0, A[i], H[t - 1, i] + neighbours)


H = sw.recurrence((8, 12), step, name="H")
s = sw.create_schedule(H)
s[H].tile("t", "i", 4, 4)
