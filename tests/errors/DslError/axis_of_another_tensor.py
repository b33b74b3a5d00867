import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
D = sw.compute((8,), lambda j: A[C.axis[0]], name="D")
