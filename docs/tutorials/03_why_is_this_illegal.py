# %% [markdown]
# # Why is this illegal?
#
# A schedule that solway accepts computes what the expression says. One that it refuses comes with
# two iterations that prove the refusal. This page reads such a proof.
#
# ## A stencil in time
#
# Each row of `H` is computed from the row before; `H[t, i]` needs its right neighbour of the step
# before. Step 0 is the input.

# %%
import numpy as np
import solway as sw

X = sw.placeholder((8,), name="X")
H = sw.recurrence(
    (4, 8),
    lambda H, t, i: sw.select(
        t == 0, X[i], sw.select(sw.all_of(t > 0, i < 7), H[t - 1, i + 1] + H[t - 1, i], 0)
    ),
    name="H",
)
s = sw.create_schedule(H)
print(s)

# %% [markdown]
# Can the points be the outer loop and the steps the inner one?

# %%
try:
    s[H].reorder("i", "t")
except sw.IllegalScheduleError as error:
    refusal = error
print(refusal)

# %% [markdown]
# The first line is the proof: two iterations that the new order would run the wrong way round. They
# are the smallest such pair, so it can be followed with a pencil. `why` says through which element
# they are tied, and which lines read and write it.
#
# The same as data, to be looked at by a program:

# %%
print(refusal.source, refusal.sink, refusal.tensor, refusal.element, sep="\n")

# %% [markdown]
# The schedule is as it was. To ask without doing, `s.legal` returns true, or the error, which is
# false:

# %%
print(bool(s.legal("reorder", H, "t", "i")), bool(s.legal("reorder", H, "i", "t")))

# %% [markdown]
# ## Races
#
# Within one step the points do not touch each other; from step to step they do.

# %%
s[H].vectorize("i")
try:
    s[H].parallel("t")
except sw.IllegalScheduleError as error:
    print(error)

# %% [markdown]
# ## Reductions
#
# A sum writes one element many times, so any two of its terms conflict. Its order may change all
# the same, because the expression says `sw.sum`: that is a promise that terms may be added in any
# order. The recurrence `S` computes the same number, but it is written as a chain, and a chain
# stays one.

# %%
k = sw.reduce_axis(8, name="k")
T = sw.compute((), lambda: sw.sum(X[k], axis=k), name="T")
S = sw.recurrence((8,), lambda S, i: sw.select(i > 0, X[i] + S[i - 1], X[i]), name="S")
t = sw.create_schedule([T, S])
print(bool(t.legal("vectorize", T, k)))
print(t.legal("vectorize", S, "i").error.what)

# %% [markdown]
# ## Data that move
#
# Transfers are statements of the program, and proved like all others. This update writes what its
# next iteration reads. A copy of `X` that is made once before the loop would be old from the second
# iteration on:

# %%
Y = sw.update(X, (7,), lambda i: (i + 1,), lambda i: X[i + 1] + X[i], name="Y")
u = sw.create_schedule(Y)
try:
    u.buffer_read(X, ["i"])
except sw.IllegalScheduleError as error:
    print(error)

# %% [markdown]
# ## Not decided
#
# The analysis is exact, and it has a budget. When that is used up, the error is an
# `AnalysisBudgetError`: it says neither legal nor illegal. And what solway cannot do although it
# would be right is an `UnsupportedError`. Only `IllegalScheduleError` means that the schedule is
# wrong.
#
# Legal schedules compute what was written:

# %%
x = np.arange(8, dtype="float32")
rows = [x]
for _ in range(3):
    rows.append(np.append(rows[-1][1:] + rows[-1][:-1], np.float32(0)))
print(np.array_equal(sw.build(s, [X, H]).run(x), np.stack(rows)))

# %% [markdown]
# All messages with programs that show them: [docs/errors.md](../errors.md).
