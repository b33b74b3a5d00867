import solway as sw

A = sw.placeholder((64,), name="A")
k = sw.reduce_axis(8, name="k")
B = sw.compute((32,), lambda i: sw.sum(A[i // 2 + k], axis=k), name="B")
s = sw.create_schedule(B)
s.buffer_read(A, at="i", slide="i")
