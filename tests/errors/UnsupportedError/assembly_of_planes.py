import solway as sw

A = sw.placeholder((64, 34, 34), name="A")
W = sw.placeholder((3, 3, 64), name="W")
ry, rx = sw.reduce_axis(3, name="ry"), sw.reduce_axis(3, name="rx")
C = sw.compute(
    (32, 32, 64),
    lambda y, x, c: sw.sum(A[c, y + ry, x + rx] * W[ry, rx, c], axis=[ry, rx]),
    name="C",
)
s = sw.create_schedule(C)
s.auto_buffer("sw26010", inner="assembly")
