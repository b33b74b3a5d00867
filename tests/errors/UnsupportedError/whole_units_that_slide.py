import solway as sw

A = sw.placeholder((18, 67), "int8", name="A")
B = sw.compute((16, 67), lambda y, x: A[y, x] + A[y + 2, x], name="B")
s = sw.create_schedule(B)
yo, _ = s[B].split("y", 4)
s.buffer_read(A, at=yo, slide=yo, align=4)
