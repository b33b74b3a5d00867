import solway as sw

A = sw.placeholder((100,), name="A")
idx = sw.placeholder((8,), dtype="int32", name="idx")
C = sw.compute((8,), lambda i: A[sw.bounded(idx[i], 70, 100)], name="C")
sw.build(sw.create_schedule(C), [A, idx, C], name="gather").save("out")
