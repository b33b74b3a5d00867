# %% [markdown]
# # A fast matrix product
#
# The three loops of a matrix product do two operations for every pair of numbers that they read. As
# written, nearly all time goes into waiting for these numbers. This page schedules the product step
# by step until a core does little else than multiply and add. The algorithm stays the three loops;
# each step is a primitive, proved to leave every value as it was.

# %%
import numpy as np
import solway as sw

M, N, K = 96, 128, 192
A = sw.placeholder((M, K), name="A")
B = sw.placeholder((K, N), name="B")
k = sw.reduce_axis(K, name="k")
C = sw.compute((M, N), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
s = sw.create_schedule(C)
print(s)

# %% [markdown]
# ## A tile in registers
#
# A core with 512-bit vectors has 32 registers of 16 numbers and starts two multiply-adds in each
# cycle; it loads two vectors in a cycle, too. So most operands must already be in registers. A tile
# of 4 rows by 64 columns of C takes 16 of them. For one `k` it needs 4 vectors of B and 4 numbers
# of A, each spread over a vector: 8 loads for 16 multiply-adds.
#
# Each row of the tile is four vectors. `ji` runs inside a vector, `jv` over the four; the loops of
# the tile become straight code, and the buffer keeps the sums in registers while `ki` runs. A
# product of a thousand terms would need too much of B at once, so `k` is cut in blocks first.

# %%
ko, ki = s[C].split(k, factor=96)
io, ii = s[C].split("i", factor=4)
j, ji = s[C].split("j", factor=16)
jo, jv = s[C].split(j, factor=4)
s[C].reorder(ko, jo, io, ki, ii, jv, ji)
s[C].unroll(ii)
s[C].unroll(jv)
s[C].vectorize(ji)

# %% [markdown]
# ## Panels
#
# The loop over `io` reads the same 64 columns of B again and again, row by row, and the rows of a
# large matrix lie pages apart. Copied once to a panel of their own they come from the second-level
# cache, in the order in which they are used. A region says what varies inside a buffer. `jv` and
# `ji` run along one dimension of B; where they stand apart, as in `[jv, ki, ji]`, the buffer has a
# dimension for each, in that order, and the 16 columns of a vector lie together for all `ki`.

# %%
BB = s.buffer_read(B, [jv, ki, ji])
CC = s.buffer_write(C, at=io, scope="register")
print(s)

# %% [markdown]
# Nobody said where the copy stands: it is as far outside as what it holds allows, inside `jo`, and
# it is used for all of `io`. Had the last panel not been full, the buffer would have room for all
# of it, and the copy would move what exists.

# %%
kernel = sw.build(s, [A, B, C], target="host", name="gemm")
rng = np.random.default_rng(0)
a = rng.integers(-4, 5, (M, K)).astype("float32")
b = rng.integers(-4, 5, (K, N)).astype("float32")
print(np.array_equal(kernel.run(a, b), a @ b))

# %% [markdown]
# A sum that does not fit into the registers goes to the stack and back in every turn of the loop.
# The machine code says whether one does:

# %% [quiet]
code = "".join(text for name, text in kernel.source.items() if name.endswith(".s"))
print(sum("zmm" in line and "(%rsp" in line for line in code.splitlines()), "spills")

# %% [markdown]
# ## Both sides packed
#
# Goto and van de Geijn's algorithm, which most libraries follow, packs both matrices: B in panels
# of the columns, A in panels of the rows of a register tile. The rows of A then lie transposed, the
# four numbers that one `ki` needs side by side. Each is one line.

# %%
s = sw.create_schedule(C)
ko, ki = s[C].split(k, factor=96)
ic, i = s[C].split("i", factor=48)
io, ii = s[C].split(i, factor=4)
jo, ji = s[C].split("j", factor=64)
s[C].reorder(ko, ic, jo, io, ki, ii, ji)
s[C].unroll(ii)
s[C].vectorize(ji)
s.buffer_read(B, [jo, ki, ji])
s.buffer_read(A, [io, ki, ii])
s.buffer_write(C, at=io, scope="register")
print(s)

# %% [quiet]
kernel = sw.build(s, [A, B, C], target="host", name="packed")
print(np.array_equal(kernel.run(a, b), a @ b))

# %% [markdown]
# With tiles of few rows it did not pay where we measured: the loads of four rows that lie apart
# cost less than copying them element by element.
#
# ## Weights
#
# Where B is a constant, it can lie in panels from the start: a placeholder of that shape, or
# `transform_layout`, which is done when building. The index says so, and nothing is copied.

# %%
P = sw.placeholder((N // 16, K, 16), name="P")
C = sw.compute((M, N), lambda i, j: sw.sum(A[i, k] * P[j // 16, k, j % 16], axis=k), name="C")
s = sw.create_schedule(C)
ko, ki = s[C].split(k, factor=96)
io, ii = s[C].split("i", factor=4)
j, ji = s[C].split("j", factor=16)
jo, jv = s[C].split(j, factor=4)
s[C].reorder(ko, jo, io, ki, ii, jv, ji)
s[C].unroll(ii)
s[C].unroll(jv)
s[C].vectorize(ji)
s.buffer_write(C, at=io, scope="register")
kernel = sw.build(s, [A, P, C], target="host", name="weights")
panels = np.ascontiguousarray(b.reshape(K, N // 16, 16).transpose(1, 0, 2))
print(np.array_equal(kernel.run(a, panels), a @ b))

# %% [markdown]
# ## How near to the limit?
#
# `bench/gemm_host.py` measures these schedules with blocks of 1152 (all of a `k` of 1024) beside a
# probe of multiply-adds and NumPy's product, which is OpenBLAS on one thread; all take turns in one
# process. On a virtual machine with AVX-512 whose core was shared with other work (the probe
# reached 118 GFLOP/s), least time of 20 rounds:
#
# | of the probe's rate | 1024 x 1024 x 1024 | 512 x 784 x 4608 |
# |---|---|---|
# | 4 x 64, weights in panels | 94 % | 96 % |
# | 8 x 48, weights in panels | 95 % | 96 % |
# | 4 x 64, B copied to panels | 92 % | 93 % |
# | 8 x 48, B copied to panels | 93 % | 92 % |
# | OpenBLAS 0.3.31 | 87 % | 88 % |
#
# 784 columns are not a multiple of 48 or 64: `split(..., tail="cut")` gives what is left a loop
# nest of its own, in registers as well.
