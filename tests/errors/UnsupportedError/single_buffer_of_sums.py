import solway as sw

A = sw.placeholder((8, 4), name="A")
k = sw.reduce_axis(4, name="k")
B = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k), name="B")
s = sw.create_schedule(B)
s[B].reorder("k", "i")
s.single_buffer(s.buffer_write(B, at="k"))
