import solway as sw

A = sw.placeholder((16, 64), name="A")
C = sw.compute((16, 64), lambda i, j: A[i, j] * 2, where=lambda i, j: j <= 4 * i, name="C")
s = sw.create_schedule(C)
i, j = s[C].axis
jo, ji = s[C].split(j, 8)
s.buffer_write(C, region=[jo, i, ji])
