import solway as sw

A = sw.placeholder((64,), name="A")
C = sw.compute((64,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s.buffer_read(A, ["i"], scope="shared")
sw.build(s, [A, C], target="example-cluster")
