import solway as sw

A = sw.placeholder((4,), name="A")
C = sw.compute((4,), lambda i: A[i] * 2, name="C")
sw.build(sw.create_schedule(C), [A, C], target="sw26010").save("/proc/out")
