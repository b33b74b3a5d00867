import solway as sw

A = sw.placeholder((10,), name="A")
C = sw.compute((10,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
outer, inner = s[C].split("i", 4)
s[C].specialize(outer < 3)
