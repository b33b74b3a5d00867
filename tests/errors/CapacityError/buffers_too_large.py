import solway as sw

A = sw.placeholder((4, 1024), name="A")
B = sw.placeholder((1024, 128), name="B")
k = sw.reduce_axis(1024, name="k")
C = sw.compute((4, 128), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
s[C].parallel("i")
s.buffer_read(B, ["k", "j"])
s.buffer_read(A, ["k"])
sw.build(s, [A, B, C], target="sw26010")
