import solway as sw

A = sw.placeholder((64, 64), name="A")
k = sw.reduce_axis(8, name="k")
j = sw.reduce_axis(8, name="j")
B = sw.compute((32,), lambda i: sw.sum(A[i + k, i + j], axis=[k, j]), name="B")
s = sw.create_schedule(B)
s.buffer_read(A, at="i", slide="i")
