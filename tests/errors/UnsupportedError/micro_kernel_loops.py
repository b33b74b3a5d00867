import solway as sw

A = sw.placeholder((4, 8, 8), name="A")
B = sw.placeholder((4, 8, 8), name="B")
k = sw.reduce_axis(8, name="k")
C = sw.compute((4, 8, 8), lambda n, i, j: sw.sum(A[n, i, k] * B[n, k, j], axis=k), name="C")
s = sw.create_schedule(C)
ko, ki = s[C].split(k, 8)
s[C].reorder(ko, "n", "i", "j", ki)
s[C].tensorize("n", sw.micro_kernel())
