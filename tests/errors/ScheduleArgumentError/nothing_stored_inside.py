import solway as sw

k = sw.reduce_axis(8, name="k")
F = sw.recurrence((8,), lambda F, i: 1 + sw.sum(sw.select(k < i, F[k], 0), axis=k), name="F")
s = sw.create_schedule(F)
s.buffer_write(F, at=k)
