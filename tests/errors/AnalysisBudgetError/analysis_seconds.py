import os

import solway as sw

k = sw.reduce_axis(16, name="k")
A = sw.placeholder((8, 9, 10, 16), name="A")
C = sw.compute((8, 9, 10), lambda a, b, c: sw.sum(A[a, b, c, k], axis=k), name="C")
s = sw.create_schedule(C)
o, i = s[C].split(s[C].fuse("a", "b", "c"), factor=7)
os.environ["SOLWAY_ANALYSIS_SECONDS"] = "0.2"
try:
    s.buffer_read(A, at=o)
finally:
    del os.environ["SOLWAY_ANALYSIS_SECONDS"]
