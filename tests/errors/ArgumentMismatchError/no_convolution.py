import solway as sw

A = sw.placeholder((3, 8, 8), name="A")
W = sw.placeholder((4, 3, 3, 3), name="W")
k, r, q = (sw.reduce_axis(3, name=name) for name in "krq")
C = sw.compute(
    (4, 6, 6),
    lambda f, y, x: sw.sum(A[k, y + r, x + q] * W[f, r, q, k], axis=(k, r, q)),
    name="C",
)
sw.library.onednn_convolution(A, W, C)
