import solway as sw

A = sw.placeholder((160, 64), dtype="float64", name="A")
B = sw.placeholder((64, 256), dtype="float64", name="B")
k = sw.reduce_axis(64, name="k")
C = sw.compute((160, 256), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
io, ii = s[C].split("i", factor=80)
s[C].reorder(io, k, ii, "j")
s.buffer_write(C, [ii, "j"], scope="register")
s[C].vectorize("j")
s[C].unroll(ii)
sw.build(s, [A, B, C], target="ve")
