import solway as sw

A = sw.placeholder((12,), name="A")
S = sw.recurrence(
    (12,), lambda S, i: A[i] + sw.select(i >= 4, S[i - 4], 0.0), dtype="float32", name="S"
)
s = sw.create_schedule(S)
outer, inner = s[S].split("i", factor=2)
SS = s.buffer_read(S, at=outer)
s.prefetch(SS, distance=3)
