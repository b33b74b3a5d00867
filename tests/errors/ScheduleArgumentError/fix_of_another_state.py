import solway as sw

A = sw.placeholder((6,), name="A")
H = sw.recurrence(
    (4, 6),
    lambda H, t, i: sw.select(t == 0, A[i], sw.select(i < 5, H[t - 1, i + 1], 0.0)),
    name="H",
)
s = sw.create_schedule(H)
no = s.legal("reorder", H, "i", "t")
s[H].unroll("i")
no.error.apply_fix()
