import solway as sw

A = sw.placeholder((10, 4), name="A")
r = sw.reduce_axis(3, name="r")
C = sw.compute((8, 4), lambda y, x: sw.sum(A[y + r, x], axis=r), name="C")
s = sw.create_schedule(C)
yo, yi = s[C].split("y", factor=4)
s.buffer_read(A, at=yo, layout=[yi, "x", r])
