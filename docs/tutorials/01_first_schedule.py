# %% [markdown]
# # First schedule
#
# solway takes *what* to compute and *how* to run it apart, and proves that the second does not
# change the first. This page goes once around: an expression, its loops, a few primitives, a
# kernel that runs.
#
# ## What
#
# A matrix product as one writes it down. `A[i, k]` reads one element; `sw.sum` adds up over the
# axis `k`. Axes take the names of the function's parameters.

# %%
import numpy as np
import solway as sw

A = sw.placeholder((64, 96), name="A")
B = sw.placeholder((96, 128), name="B")
k = sw.reduce_axis(96, name="k")
C = sw.compute((64, 128), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
print(C)

# %% [markdown]
# ## How
#
# A schedule begins with the loops in the order of the expression:

# %%
s = sw.create_schedule(C)
print(s)

# %% [markdown]
# Primitives change it, one at a time. `split` makes two loops of one and returns them; `reorder`
# puts loops in another order; `vectorize` runs one with the vectors of the machine.

# %%
i, j = C.axis
jo, ji = s[C].split(j, factor=32)
s[C].reorder(jo, i, k, ji)
s[C].vectorize(ji)
print(s)

# %% [markdown]
# The initialisation `C[...] = 0.0` moved along by itself: it always stands before the loops that
# add.
#
# ## What cannot be
#
# `split` took `j`, so `j` is no loop any more. Each message says what was asked, why it cannot
# be, one thing to do, and your line:

# %%
try:
    s[C].unroll(j)
except sw.ScheduleArgumentError as error:
    print(error)

# %% [markdown]
# The schedule is as it was before. All messages, each with the program that shows it, are in
# [docs/errors.md](../errors.md).
#
# ## Run
#
# `build` compiles for a target: `"host"` is this machine, `"c"` portable C, `"sw26010"` one core
# group of a Sunway, emulated. `run` takes the inputs and returns the outputs; calling the kernel
# itself writes into the arrays that you pass.

# %%
kernel = sw.build(s, [A, B, C], target="host", name="matmul")
rng = np.random.default_rng(0)
a = rng.integers(-4, 5, A.shape).astype("float32")
b = rng.integers(-4, 5, B.shape).astype("float32")
print(np.array_equal(kernel.run(a, b), a @ b))

c = np.empty(C.shape, "float32")
kernel(a, b, c)
print(np.array_equal(c, a @ b))

# %% [markdown]
# Small integers add up exactly in every order, so the result can be compared bit by bit.
#
# `kernel.report()` lists what was done otherwise than asked, and why; here nothing was.
# `kernel.source` has the generated code.

# %%
print(len(kernel.report()), "remarks;", *kernel.source)

# %% [markdown]
# ## Keep it
#
# The log is the list of primitives, with your line for each:

# %%
for step in s.log:
    print(f"{step}  # line {step.where.line}")

# %% [markdown]
# `s.to_python()` prints a script that makes an equal schedule, `s.save(path)` and
# `sw.load_schedule(path, outputs)` keep it in a file. Next:
# [a layer on a scratchpad machine](02_a_layer_on_a_scratchpad_machine.md).
