import solway as sw

A = sw.placeholder((34, 34), name="A")
B = sw.compute((32, 32), lambda y, x: A[y, x] + A[y + 2, x], name="B")
s = sw.create_schedule(B)
yo, yi = s[B].split("y", factor=4)
s[B].parallel(yo)
s.buffer_read(A, at=yo, slide=yo)
