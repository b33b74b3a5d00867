# %% [markdown]
# # Tiling a stencil
#
# A stencil in time reads the row before. Row after row, each is brought from memory and put back
# once per step; when the rows are longer than the cache, the machine waits for memory. Tiles over
# several steps use what is near as often as there are steps in a tile. This page makes such tiles.
#
# ## The stencil
#
# Heat in a rod that loses some: each point becomes a quarter of the sum of itself
# and its neighbours; the ends stay.

# %%
import numpy as np
import solway as sw

T, N = 16, 64
X = sw.placeholder((N,), name="X")
H = sw.recurrence(
    (T, N),
    lambda H, t, i: sw.select(
        t == 0,
        X[i],
        sw.select(
            sw.all_of(t > 0, 0 < i, i < N - 1),
            (H[t - 1, i - 1] + H[t - 1, i] + H[t - 1, i + 1]) * 0.25,
            X[i],
        ),
    ),
    name="H",
)

# %% [markdown]
# ## Tiles that are not legal
#
# Tiles of 8 steps and 16 points, one after the other: `tile` splits both loops and puts the inner
# ones inside.

# %%
s = sw.create_schedule(H)
try:
    s[H].tile("t", "i", 8, 16)
except sw.IllegalScheduleError as error:
    print(error)

# %% [markdown]
# The point at the left edge of a tile reads its left neighbour of the step before, which is in the
# tile before; but the point at the right edge reads its right neighbour of the step before, which
# is in the tile that comes after. No order of such tiles is right.
#
# ## Slanted tiles
#
# The fix says what to do first. `skew("i", by="t")` replaces the value of the loop `i` by `i + t`:
# from step to step the row moves on by one, so that the right neighbour of the step before has the
# same value of the loop, and not a larger one. The iterations run in the order of before; what
# changes is which tiles are possible.

# %%
s = sw.create_schedule(H)
s[H].skew("i", by="t", factor=1)
print(s)

# %% [markdown]
# Every value that is read comes from a smaller or an equal `i` now, and the same tiles are legal:

# %%
s[H].tile("t", "i", 8, 16)
print(s)

# %% [markdown]
# ## Is it the same?
#
# Yes: solway has proved it, for every pair of iterations that touch one element. Here it is once
# more, against NumPy, in numbers that have no rounding errors:

# %%
x = np.zeros(N, "float32")
x[N // 2] = 4.0**T
rows = [x]
for _ in range(1, T):
    row = rows[-1].copy()
    row[1:-1] = (rows[-1][:-2] + rows[-1][1:-1] + rows[-1][2:]) * np.float32(0.25)
    rows.append(row)
for target in ("host", "c"):
    print(target, np.array_equal(sw.build(s, [X, H], target=target).run(x), np.stack(rows)))

# %% [markdown]
# ## Points that run at once
#
# Within a step no point needs another, so the points of a row may run in vectors, before and after
# the tiles. Within a slanted tile the loop over the steps is the one that carries the dependences:

# %%
u = sw.create_schedule(H)
u[H].skew("i", by="t", factor=1)
to, io, ti, ii = u[H].tile("t", "i", 8, 16)
print(bool(u.legal("vectorize", H, ii)), bool(u.legal("vectorize", H, ti)))

# %% [markdown]
# ## A square that does not fit into a cache
#
# The same in two dimensions, as programs do it: two planes take turns, and step `t` reads plane
# `t % 2` and writes the other. `update` says that in place; now a step also waits until the step
# before has read what it overwrites, which solway sees as it sees the values.

# %%
T, N = 9, 40
X = sw.placeholder((2, N, N), name="X")
U = sw.update(
    X,
    (T, N - 2, N - 2),
    lambda t, i, j: ((t + 1) % 2, i + 1, j + 1),
    lambda t, i, j: 0.2 * (
        X[t % 2, i + 1, j + 1] + X[t % 2, i, j + 1] + X[t % 2, i + 2, j + 1]
        + X[t % 2, i + 1, j] + X[t % 2, i + 1, j + 2]
    ),
    name="U",
)  # fmt: skip

# %% [markdown]
# Rows are slanted along all steps. Columns are slanted along the steps of a tile only, which is
# enough: tiles of other steps are not mixed with it. The innermost loop runs along a row, in
# vectors.

# %%
s = sw.create_schedule(U)
s[U].skew("i", by="t", factor=1)
to, ti = s[U].split("t", 4)
io, ii = s[U].split("i", 8)
s[U].reorder(to, io, ti, ii)
s[U].skew("j", by=ti, factor=1)
jo, ji = s[U].split("j", 16)
s[U].reorder(jo, ti, ii)
s[U].vectorize(ji)
x = np.zeros((2, N, N), "float32")
x[:, N // 2, N // 2] = 5.0**T
tiled, untiled = x.copy(), x.copy()
sw.build(s, [X], target="host")(tiled)
sw.build(sw.create_schedule(U), [X], target="host")(untiled)
print(np.array_equal(tiled, untiled))

# %% [markdown]
# At 4000 x 4000 a plane has 64 MB: untiled, each step brings both from memory. `python
# bench/jacobi_host.py` takes both forms in turns, and compares their values with NumPy's. 100 steps
# in float32 on one core of a virtual machine that others used, too, least time of ten:
#
# | | Gpoint/s | |
# |---|---|---|
# | untiled | 1.6 | |
# | 16 steps x 16 rows | 3.8 | 2.4 times |
# | 16 steps x 24 rows x 1024 columns | 3.9 | 2.5 times |
# | 16 steps x 32 rows x 512 columns | 4.0 | 2.6 times |
#
# A tile has to fit into the second-level cache with what it reads: 16 + 16 rows of both planes are
# 1 MB here, 32 + 16 rows of 512 columns 0.2 MB. Rows stay long, so that vectors do.
