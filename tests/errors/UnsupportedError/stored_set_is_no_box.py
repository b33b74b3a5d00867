import solway as sw

A = sw.placeholder((64,), name="A")
C = sw.compute((8, 8), lambda i, j: A[i * 8 + j] * 2, name="C")
s = sw.create_schedule(C)
f = s[C].fuse("i", "j")
fo, fi = s[C].split(f, 12)
s.buffer_write(C, [fi])
