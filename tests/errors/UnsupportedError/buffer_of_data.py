import solway as sw

A = sw.placeholder((8,), name="A")
where = sw.placeholder((4,), "int64", name="where")
C = sw.compute((4,), lambda i: A[sw.bounded(where[i], 0, 8)], name="C")
s = sw.create_schedule(C)
s.buffer_read(A, at=C.axis[0])
