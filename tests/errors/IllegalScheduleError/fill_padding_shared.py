import solway as sw

A = sw.placeholder((16,), name="A")
P = sw.compute((20,), lambda i: sw.select(i < 16, A[i], 0.0), name="P")
C = sw.compute((8, 3), lambda j, i: sw.select(sw.any_of(j < 4, i < 2), P[15 + i], 1.0), name="C")
s = sw.create_schedule(C)
s[C].parallel("j")
PP = s.buffer_read(P, at="j", fill_padding=True)
s.broadcast(PP, over="all")
