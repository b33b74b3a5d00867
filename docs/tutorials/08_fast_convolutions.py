# %% [markdown]
# # Convolutions at the limit of a core
#
# A core with 512-bit vectors starts two fused multiply-adds of 16 numbers in each cycle. Each needs
# about four cycles, so eight or more must be on their way at once, each into a sum of its own; and
# as a core loads two vectors per cycle, most operands must come from registers. What a schedule has
# to do is then clear: keep a tile of sums in registers, as large as fits, and let the loops of the
# sum run around it.
#
# ## A direct convolution
#
# 3x3, stride 1. The channels of the input are in blocks of 16, the filters in blocks of 32, and the
# input has its border of zeros already: no condition stands in the inner loops. (`transform_layout`
# makes such layouts of others; here the arrays come so.)

# %%
import numpy as np
import solway as sw

CHANNELS, FILTERS, SIZE = 32, 64, 14
A = sw.placeholder((CHANNELS // 16, SIZE + 2, SIZE + 2, 16), name="A")
W = sw.placeholder((FILTERS // 32, CHANNELS // 16, 3, 3, 16, 32), name="W")
co, ci = sw.reduce_axis(CHANNELS // 16, name="co"), sw.reduce_axis(16, name="ci")
r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
C = sw.compute(
    (FILTERS // 32, SIZE, SIZE, 32),
    lambda f, y, x, v: sw.sum(A[co, y + r, x + q, ci] * W[f, co, r, q, ci, v], axis=(co, r, q, ci)),
    name="C",
)

# %% [markdown]
# The tile is 14 pixels of a row by 32 filters: 28 vectors of 16, which leaves four of the 32
# registers for two vectors of weights and a pixel. `reorder` brings the loops of the sum outside of
# the tile; `unroll` and `vectorize` make its two loops straight code; the buffer keeps the sums
# where they are until all terms are added.

# %%
s = sw.create_schedule(C)
xo, xi = s[C].split("x", factor=14)
s[C].reorder(xo, co, r, q, ci, xi, "v")
s[C].unroll(xi)
s[C].vectorize("v")
s.buffer_write(C, at=xo, scope="register")
print(s)

# %% [markdown]
# In each iteration of `ci` two vectors of weights are loaded and 14 numbers of the input are spread
# over vectors, for 28 multiply-adds. Nothing else is in that loop.

# %%
rng = np.random.default_rng(0)
a = rng.integers(-2, 3, A.shape).astype("float32")
w = rng.integers(-2, 3, W.shape).astype("float32")
kernel = sw.build(s, [A, W, C], target="host", name="conv")
parts = [
    np.einsum("cyxi,fciv->fyxv", a[:, r : r + SIZE, q : q + SIZE], w[:, :, r, q])
    for r in range(3)
    for q in range(3)
]
print(np.array_equal(kernel.run(a, w), sum(parts)))

# %% [markdown]
# ## A depthwise convolution
#
# Each channel has a filter of its own, so nothing is shared between lanes: nine multiply-adds for
# each result and no more. Every one of them takes a vector of the input from memory, which is just
# what a core can load. All else has to come from registers: the nine weights, and the sums.

# %%
A = sw.placeholder((CHANNELS // 16, SIZE + 2, SIZE + 2, 16), name="A")
W = sw.placeholder((CHANNELS // 16, 3, 3, 16), name="W")
r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
D = sw.compute(
    (CHANNELS // 16, SIZE, SIZE, 16),
    lambda c, y, x, v: sw.sum(A[c, y + r, x + q, v] * W[c, r, q, v], axis=(r, q)),
    name="D",
)
s = sw.create_schedule(D)
yo, yi = s[D].split("y", factor=2)
xo, xi = s[D].split("x", factor=7)
s[D].reorder(yo, xo, r, q, yi, xi, "v")

# %% [markdown]
# With the loops over the filter left as loops, the weights are loaded again and again, and each
# turn of the loop waits for the sums of the last one. Unrolled, the whole tile is straight code:
# 14 sums, 9 weights, and two rows of a tile share the rows of the input that they both need.

# %%
for loop in (r, q, yi, xi):
    s[D].unroll(loop)
s[D].vectorize("v")
s.buffer_write(D, at=xo, scope="register")
kernel = sw.build(s, [A, W, D], target="host", name="depthwise")
w = rng.integers(-2, 3, W.shape).astype("float32")
parts = [
    a[:, r : r + SIZE, q : q + SIZE] * w[:, None, None, r, q] for r in range(3) for q in range(3)
]
print(np.array_equal(kernel.run(a, w), sum(parts)))

# %% [markdown]
# ## Did it work?
#
# The machine code says it: a sum that did not fit into the registers goes to the stack and back.

# %% [quiet]
code = "".join(text for name, text in kernel.source.items() if name.endswith(".s"))
print(sum("zmm" in line and "(%rsp" in line for line in code.splitlines()), "spills")

# %% [markdown]
# How near a schedule comes to the limit is measured, not guessed. The program
# `bench/convolution_host.py` runs both of this page beside a probe of multiply-adds, in turns in
# one process. On a virtual machine with AVX-512 whose core was shared with other work (the probe
# reached 118 GFLOP/s), least time of 3,000 rounds:
#
# | | of the probe's rate |
# |---|---|
# | 256 to 256 channels, 14 x 14 | 99 % |
# | 64 to 64 channels, 56 x 56 | 99 % |
# | depthwise, 144 channels, 56 x 56, tile of 2 x 7 | 96 % |
# | depthwise, 384 channels, 14 x 14, tile of 2 x 7 | 97 % |
#
# Where a core has its multiply-adds to itself, the depthwise one is nearer to the limit of its
# memory: it moves eight bytes for 18 operations.
