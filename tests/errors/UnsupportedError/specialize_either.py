import solway as sw

A = sw.placeholder((10,), name="A")
C = sw.compute((10,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
i = C.axis[0]
s[C].specialize(sw.any_of(i < 2, i > 7))
