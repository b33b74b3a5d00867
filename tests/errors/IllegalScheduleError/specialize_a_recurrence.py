import solway as sw

init = sw.placeholder((8,), name="init")
H = sw.recurrence(
    (4, 8), lambda H, t, i: sw.select(t == 0, init[i], H[t - 1, (i + 7) % 8] * 2), name="H"
)
s = sw.create_schedule(H)
s[H].specialize(H.axis[1] < 4)
