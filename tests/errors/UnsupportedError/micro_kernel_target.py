import solway as sw

A = sw.placeholder((8, 8), name="A")
k = sw.reduce_axis(8, name="k")
C = sw.compute((8, 8), lambda i, j: sw.sum(A[i, k] * A[k, j], axis=k), name="C")
s = sw.create_schedule(C)
ko, ki = s[C].split(k, 8)
s[C].reorder(ko, "i", "j", ki)
s[C].tensorize("i", sw.micro_kernel())
sw.build(s, [A, C], target="c")
