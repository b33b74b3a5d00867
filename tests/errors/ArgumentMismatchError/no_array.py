import solway as sw

A = sw.placeholder((8,), name="A")
C = sw.compute((8,), lambda i: A[i] * 2, name="C")
double = sw.build(sw.create_schedule(C), [A, C], name="double")
double.run([1, 2, 3, 4, 5, 6, 7, 8])
