"""Figure 3 of the swTVM paper: a convolution with stride 2, its input staged by a subscript.

What varies inside the buffer ``AA`` is given as index expressions, ``yy*stride + ry`` and
``xx*stride + rx``; ``rc`` is not in them, so that one channel is staged at a time.
"""

import numpy as np
import solway as sw

CHANNELS, FILTERS, SIZE, KERNEL = 3, 8, 33, 3
stride = 2
OUT = (SIZE - KERNEL) // stride + 1

A = sw.placeholder((CHANNELS, SIZE, SIZE), name="A")
W = sw.placeholder((FILTERS, CHANNELS, KERNEL, KERNEL), name="W")
rc = sw.reduce_axis(CHANNELS, name="rc")
ry = sw.reduce_axis(KERNEL, name="ry")
rx = sw.reduce_axis(KERNEL, name="rx")
B = sw.compute(
    (FILTERS, OUT, OUT),
    lambda ff, yy, xx: sw.sum(
        A[rc, yy * stride + ry, xx * stride + rx] * W[ff, rc, ry, rx], axis=[rc, ry, rx]
    ),
    name="B",
)

s = sw.create_schedule(B)
ff, yy, xx = B.axis
s[B].reorder(ff, rc, yy, xx, ry, rx)
AA = s.buffer_read(A, [yy * stride + ry, xx * stride + rx])
WW = s.buffer_read(W, [ry, rx])
BB = s.buffer_write(B, [yy, xx])
s[B].parallel(ff)
print(s)

rng = np.random.default_rng(0)
a = rng.integers(-4, 5, A.shape).astype(np.float32)
w = rng.integers(-4, 5, W.shape).astype(np.float32)
windows = np.lib.stride_tricks.sliding_window_view(a, (KERNEL, KERNEL), axis=(1, 2))
expected = np.einsum("cyxrq,fcrq->fyx", windows[:, ::stride, ::stride], w)
for target in ("host", "c", "sw26010"):
    convolution = sw.build(s, [A, W, B], target=target, name="convolution")
    assert np.array_equal(convolution.run(a, w), expected)
    print(f"{target}: equals NumPy")
moved = convolution.last_run.bytes
print(f"sw26010: {moved['get']:,} bytes by get, {moved['put']:,} by put, {moved['gld']} by loads")
