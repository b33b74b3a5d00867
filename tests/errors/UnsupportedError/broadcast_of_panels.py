import solway as sw

A = sw.placeholder((64, 32), name="A")
B = sw.placeholder((32, 64), name="B")
k = sw.reduce_axis(32, name="k")
C = sw.compute((64, 64), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=8)
jo, ji = s[C].split("j", factor=8)
jm, jv = s[C].split(ji, factor=4)
s[C].parallel(io)
BB = s.buffer_read(B, at=io, layout=[jo, jm, "k", jv])
s.broadcast(BB)
