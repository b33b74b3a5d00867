import solway as sw

A = sw.placeholder((4, 8), name="A")
C = sw.compute((4, 8), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C)
s[C].parallel("i", "j", grid=(2, 4))
sw.build(s, [A, C], target="example-microcontroller")
