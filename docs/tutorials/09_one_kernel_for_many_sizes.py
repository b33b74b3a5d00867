# %% [markdown]
# # One kernel for many sizes
#
# A batch grows and shrinks from call to call. A kernel per length is a compiler run per length;
# this page makes one kernel that serves all of them, and then says what only its caller knows.
#
# ## A size instead of a number
#
# `sw.size` stands where a number would: in shapes, in ranges of reductions, in expressions. Its
# bounds are all that solway knows of it. Reads are proved to stay inside for every value in them,
# and so is each primitive.

# %%
import numpy as np
import solway as sw

n = sw.size("n", min=1, max=4096)
A = sw.placeholder((n, 8), name="A")
B = sw.compute((n, 8), lambda i, j: A[i, j] * 2, name="B")

s = sw.create_schedule(B)
outer, inner = s[B].split("i", factor=16)
print(s)

# %% [markdown]
# The last block may not be full, so its end is a minimum. A call takes the size from the shapes of
# the arrays:

# %%
twice = sw.build(s, [A, B], name="twice")
for rows in (3, 100):
    a = np.ones((rows, 8), "float32")
    print(twice.run(a).sum())

# %% [markdown]
# ## What only you know
#
# Say that batches come padded to 16 rows. Nothing in the expression tells; `assume` states it. From
# there on it holds in the loops, which lose the minimum, and in the proofs of later primitives:

# %%
s.assume(n % 16 == 0)
print(s)

# %% [markdown]
# Nothing is taken on trust: every call checks what was assumed. So does the generated code itself,
# for programs that call the C without Python: it returns 4 and writes nothing.

# %%
twice = sw.build(s, [A, B], target="c", name="twice")
print(twice.run(np.ones((96, 8), "float32")).sum())
try:
    twice.run(np.ones((100, 8), "float32"))
except sw.ArgumentMismatchError as error:
    print(error)
print([line.strip() for line in twice.source["twice.c"].splitlines() if "return 4" in line])

# %% [markdown]
# A batch of 100 rows that must be served as well wants two versions of the loops instead:
# `specialize` divides them, and leaves the choice to the call.

# %%
s = sw.create_schedule(B)
outer, inner = s[B].split("i", factor=16)
rest = s[B].specialize(n % 16 == 0)
s[B].reorder(outer, "j", inner)
s[B].vectorize(inner)
print(s)

# %% [markdown]
# ## What becomes legal
#
# This update moves elements `m` places on. Whether two iterations touch one element depends on two
# sizes, and solway shows the smallest ones for which they do:

# %%
m = sw.size("m", min=1, max=4096)
X = sw.placeholder((n + m,), name="X")
Y = sw.update(X, (n,), lambda i: (i + m,), lambda i: X[i], name="Y")
s = sw.create_schedule(Y)
try:
    s[Y].parallel("i")
except sw.IllegalScheduleError as error:
    print(error)

# %% [markdown]
# A caller who always moves by at least as many places as there are elements may say so:

# %%
s.assume(m >= n)
s[Y].parallel("i")
print(s)

# %% [markdown]
# Conditions are affine in sizes, with `%` and `//` by constants; `sw.any_of`, `sw.all_of` and
# `sw.logical_not` connect them. They are steps of the log like any primitive, so that a schedule
# that is saved brings them along:

# %%
print(s.to_python())

# %% [markdown]
# ## A scratchpad has one size
#
# On a machine with scratchpads each core has its share of the rows, as many as there are in a call,
# and a buffer that holds what a tile can be at most. The report says what that takes before
# anything runs, and it is the same for all calls:

# %%
k = sw.reduce_axis((0, n), name="k")
V = sw.placeholder((n, n), name="V")
x = sw.placeholder((n,), name="x")
y = sw.compute((n,), lambda i: sw.sum(V[i, k] * x[k], axis=k), name="y")
s = sw.create_schedule(y)
outer, inner = s[y].split("i", factor=8)
ko, ki = s[y].split(k, factor=128)
s[y].reorder(outer, ko, inner, ki)
s[y].parallel(outer)
s.buffer_write(y, [inner])
s.buffer_read(V, [inner, ki], depth=2)
s.buffer_read(x, [ki], depth=2)
print(s.ldm_report("sw26010"))

# %% [markdown]
# A row is as long as a size says, and so is the distance between rows. Transfers of a tile take
# both from the call: elements that a tile does not have are not moved.

# %%
product = sw.build(s, [V, x, y], target="sw26010", name="product")
for rows in (5, 200):
    v = np.arange(rows * rows, dtype="float32").reshape(rows, rows) % 7
    ones = np.ones(rows, "float32")
    with sw.emulator("hazard"):
        same = np.array_equal(product.run(v, ones), v.sum(axis=1))
    print(rows, same, product.last_run.bytes["get"], "bytes,", v.nbytes, "of them V")
