import solway as sw

A = sw.placeholder((4,), name="A")
B = sw.compute((4,), lambda i: A[i] * 2, name="B")
s = sw.create_schedule(B)
sw.build(s, [A, B], target="c", options=sw.Options(pipelines="unrolled"))
