# %% [markdown]
# # A layer on a scratchpad machine
#
# ## What: tensor expressions
#
# A convolution over an image of 3 channels with 8 filters of 3x3, stride 2, as one writes it
# down. Axes take the names of the lambda's parameters.

# %%
import numpy as np
import solway as sw

A = sw.placeholder((3, 33, 33), name="A")
W = sw.placeholder((8, 3, 3, 3), name="W")
rc, ry, rx = (sw.reduce_axis(3, name=name) for name in ("rc", "ry", "rx"))
B = sw.compute(
    (8, 16, 16),
    lambda ff, yy, xx: sw.sum(
        A[rc, yy * 2 + ry, xx * 2 + rx] * W[ff, rc, ry, rx], axis=[rc, ry, rx]
    ),
    name="B",
)

# %% [markdown]
# Indices are checked here, exactly. One row more, and the image is too small:

# %%
try:
    sw.compute((8, 17, 16), lambda ff, yy, xx: A[0, yy * 2 + 1, xx], name="T")
except sw.DslError as error:
    print(error.what)
    print(error.why)

# %% [markdown]
# ## How: loops
#
# A schedule starts as the expression was written. Primitives change it one by one; each is
# proved.

# %%
s = sw.create_schedule(B)
ff, yy, xx = B.axis
yo, yi = s[B].split(yy, 4)
s[B].reorder(ff, yo, rc, yi, xx, ry, rx)
s[B].parallel(ff)
print(s)

# %% [markdown]
# Sixty-four cores cannot add into one element at the same time, and solway says so:

# %%
verdict = s.legal("parallel", B, rc)
print(bool(verdict), "-", verdict.error.why)

# %% [markdown]
# ## Where: buffers
#
# `buffer_read` names what varies inside the buffer, here as the index expressions of the image.
# Where the transfer stands follows from that: outside everything that varies, inside everything
# else.

# %%
AA = s.buffer_read(A, [yi * 2 + ry, xx * 2 + rx])
WW = s.buffer_read(W, [rc, ry, rx])
BB = s.buffer_write(B, [yi, xx])
print(s)

# %% [markdown]
# The scratchpad is no surprise. Before any code is made, the report shows every buffer and how
# far each loop could grow:

# %%
print(s.ldm_report("sw26010"))

# %% [markdown]
# A buffer belongs to one core. One that is filled outside a parallel loop serves nobody inside:

# %%
t = sw.create_schedule(B)
t.buffer_read(W, [ff, rc, ry, rx])
try:
    t[B].parallel(ff)
except sw.IllegalScheduleError as error:
    print(error.what)
    print(error.fix)

# %% [markdown]
# ## Run
#
# One schedule, three targets. On the emulated machine data arrive at the wait and not before, and
# every byte is counted.

# %%
rng = np.random.default_rng(0)
image = rng.integers(-4, 5, A.shape).astype("float32")
weights = rng.integers(-4, 5, W.shape).astype("float32")
windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(1, 2))[:, ::2, ::2]
expected = np.einsum("cyxij,fcij->fyx", windows, weights)

for target in ("host", "c", "sw26010"):
    kernel = sw.build(s, [A, W, B], target=target, name="layer")
    print(target, np.array_equal(kernel.run(image, weights), expected))
print(kernel.last_run.bytes["get"], "bytes in,", kernel.last_run.bytes["put"], "bytes out")
print(*sorted(kernel.source))

# %% [markdown]
# `kernel.source["layer_cpe.c"]` is what one core runs; `kernel.save("out")` writes all files and
# a Makefile for the Sunway compilers.
#
# ## Or leave it to solway
#
# `auto_buffer` chooses tiles, loop order and transfers for a target, and leaves them as
# primitives in the log, to be read and changed:

# %%
auto = sw.create_schedule(B)
auto.auto_buffer("sw26010", planner="greedy")
for step in auto.log:
    print(step)
planned = sw.build(auto, [A, W, B], target="sw26010", name="planned")
print(np.array_equal(planned.run(image, weights), expected))

# %% [markdown]
# ## Compare
#
# Results first, then times; a wrong result is an error. Emulated kernels are compared by the
# cycles of their machine ([timed mode](../timed_mode.md)), by bytes and by scratchpad.

# %%
compared = sw.compare({"by hand": kernel, "planned": planned}, inputs=[image, weights])
print(compared)

# %% [markdown]
# [docs/planner.md](../planner.md) says how the planner decides;
# [docs/ARCHITECTURE.md](../ARCHITECTURE.md) follows one program through every stage.
