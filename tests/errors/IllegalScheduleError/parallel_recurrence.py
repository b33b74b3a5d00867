import solway as sw

X = sw.placeholder((8,), name="X")
S = sw.recurrence((8,), lambda S, i: sw.select(i == 0, X[0], S[i - 1] + X[i]), name="S")
s = sw.create_schedule(S)
s[S].parallel("i")
