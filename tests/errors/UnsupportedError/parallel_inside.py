import solway as sw

A = sw.placeholder((4, 8), name="A")
C = sw.compute((4, 8), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
s[C].parallel("i")
s[C].parallel("j")
sw.build(s, [A, C], target="sw26010")
