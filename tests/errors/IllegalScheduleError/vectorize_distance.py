import solway as sw

A = sw.placeholder((12,), name="A")
body = lambda S, i: A[i] + sw.select(i >= 4, S[i - 4], 0)  # noqa: E731
S = sw.recurrence((12,), body, name="S")
s = sw.create_schedule(S)
s[S].vectorize("i")
