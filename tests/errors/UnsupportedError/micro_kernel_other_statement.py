import solway as sw

A = sw.placeholder((8, 8), name="A")
B = sw.placeholder((8, 8), name="B")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8, 8), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
ko, ki = s[C].split(k, 8)
s[C].reorder(ko, "i", "j", ki)
s.buffer_read(B, at="i")
s[C].tensorize("i", sw.micro_kernel())
