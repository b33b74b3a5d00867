import solway as sw

A = sw.placeholder((8, 8), name="A")
C = sw.compute((8, 8), lambda i, j: A[i, j] * 2, name="C")
first, second = sw.create_schedule(C), sw.create_schedule(C)
outer, inner = first[C].split("j", 4)
second[C].unroll(inner)
