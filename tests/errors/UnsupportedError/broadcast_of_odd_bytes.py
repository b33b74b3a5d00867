import solway as sw

A = sw.placeholder((64, 3), dtype="int16", name="A")
W = sw.placeholder((3,), dtype="int16", name="W")
B = sw.compute((64, 3), lambda i, j: A[i, j] * W[j], name="B")
s = sw.create_schedule(B)
s[B].parallel("i")
s.broadcast(s.buffer_read(W, at="i"))
sw.build(s, [A, W, B], target="sw26010pro")
