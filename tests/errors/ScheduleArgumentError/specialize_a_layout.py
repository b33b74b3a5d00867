import solway as sw

A = sw.placeholder((10,), name="A")
C = sw.compute((10,), lambda i: A[i] * 2, name="C")
s = sw.create_schedule(C)
s.transform_layout(A, lambda i: (i // 4, i % 4))
copy = s.tensors["A_layout"]
s[copy].specialize(s[copy].axis[0] < 4)
