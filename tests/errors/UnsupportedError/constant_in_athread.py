import solway as sw

W = sw.constant([1.0, 2.0], "float32", name="W")
A = sw.placeholder((2,), name="A")
C = sw.compute((2,), lambda i: A[i] * W[i], name="C")
k = sw.build(sw.create_schedule(C), [A, C], target="sw26010")
