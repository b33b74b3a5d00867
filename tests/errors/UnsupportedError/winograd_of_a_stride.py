import solway as sw

X = sw.placeholder((17, 17, 16), name="X")
W = sw.placeholder((3, 3, 16, 32), name="W")
r, q, c = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q"), sw.reduce_axis(16, name="c")
C = sw.compute(
    (8, 8, 32),
    lambda y, x, f: sw.sum(X[2 * y + r, 2 * x + q, c] * W[r, q, c, f], axis=(r, q, c)),
    name="C",
)
sw.winograd(C)
