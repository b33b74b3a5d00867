import solway as sw

A = sw.placeholder((20,), name="A")
r = sw.reduce_axis(3, name="r")
C = sw.compute((8,), lambda y: sw.sum(A[y * 2 + r], axis=r), name="C")
s = sw.create_schedule(C)
y = C.axis[0]
s.buffer_read(A, [y + r])
