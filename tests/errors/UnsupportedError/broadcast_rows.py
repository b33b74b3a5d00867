import solway as sw

A = sw.placeholder((16, 64), name="A")
B = sw.update(A, (16, 64), lambda i, j: (i, j), lambda i, j: A[i, j] * 2, name="B")
s = sw.create_schedule(B)
s[B].skew("j", by="i")
io, jo, ii, ji = s[B].tile("i", "j", 8, 16)
s[B].parallel(jo)
s[B].reorder(jo, io, ii, ji)
BB = s.buffer_write(B, at=io)
s.broadcast(BB, over="row")
