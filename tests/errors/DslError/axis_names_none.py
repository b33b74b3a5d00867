import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((), lambda: sw.sum(A[0], axis=()), name="C")
