import solway as sw

A = sw.placeholder((512, 512), name="A")
C = sw.compute((512, 512), lambda i, j: A[i, j] * 2, name="C")
s = sw.create_schedule(C, target="example-cluster")
s[C].parallel("i")
s.buffer_read(A, ["i", "j"], scope="shared")
