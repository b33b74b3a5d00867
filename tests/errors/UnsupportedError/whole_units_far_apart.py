import solway as sw

A = sw.placeholder((3, 7, 2), "int8", name="A")
B = sw.compute((3, 4, 2), lambda c, y, x: A[c, y * 2, x] + 1, name="B")
s = sw.create_schedule(B)
s.buffer_read(A, ["c", "y", "x"], align=4)
