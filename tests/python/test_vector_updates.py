"""Vectors over updates in place: a later lane may overwrite what an earlier one reads."""

import random

import numpy as np
import pytest
import solway as sw

SEED = 20261122
TARGETS = ("host", "c", "sw26010")


def update_by(offsets, extent=37, dtype="float32", step=1):
    """A[i] from A[i + d] of each offset, over every `step`-th element."""
    A = sw.placeholder((extent,), dtype=dtype, name="A")
    low, high = max(0, -min(offsets)), max(0, max(offsets))
    count = (extent - low - high + step - 1) // step

    def value(k):
        total = A[k * step + low] * 1
        for d in offsets:
            total = total + A[k * step + low + d]
        return total

    U = sw.update(A, (count,), lambda k: k * step + low, value, name="U")

    def expected(array):
        out = array.copy()
        for k in range(count):
            i = k * step + low
            out[i] = out[i] + sum(out[i + d] for d in offsets)
        return out

    return A, U, expected


def check(s, args, expected, target="host"):
    A = args[0]
    values = (np.arange(np.prod(A.shape)).reshape(A.shape) * 7 % 5).astype(str(A.dtype))
    want, got = expected(values), values.copy()
    sw.build(s, args[:1], target=target)(got)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("offsets", [(2,), (1,), (1, 3), (9,)])
def test_lanes_are_read_before_one_is_stored(offsets, target):
    A, U, expected = update_by(offsets)
    s = sw.create_schedule(U)
    s[U].vectorize("k")
    check(s, [A, U], expected, target)


def test_the_code_has_vectors():
    A, U, _ = update_by((2,), 64)
    s = sw.create_schedule(U)
    s[U].vectorize("k")
    k = sw.build(s, [A], target="host")
    assert not [one for one in k.report() if "vectorize" in str(one)], k.report()
    assert any(" x float> " in text for text in k.source.values())


@pytest.mark.parametrize("offsets", [(-1,), (-4,), (1, -1), (2, -8)])
def test_what_an_earlier_lane_wrote_is_refused(offsets):
    _, U, _ = update_by(offsets)
    s = sw.create_schedule(U)
    with pytest.raises(sw.IllegalScheduleError, match="at the same time"):
        s[U].vectorize("k")


def test_reversed_lanes_are_refused():
    _, U, _ = update_by((2,))
    s = sw.create_schedule(U)
    s[U].vectorize("k")
    with pytest.raises(sw.IllegalScheduleError):
        s[U].reverse("k")


def test_two_statements_in_the_lanes_are_refused():
    A = sw.placeholder((32,), name="A")
    B = sw.compute((30,), lambda i: A[i + 2] * 2, name="B")
    U = sw.update(A, (30,), lambda k: k, lambda k: B[k], name="U")
    s = sw.create_schedule(U)
    s[B].fuse_with(U, "k")
    with pytest.raises(sw.IllegalScheduleError, match="at the same time"):
        s[U].vectorize("k")


def test_lanes_of_rows_have_each_column_to_themselves():
    A = sw.placeholder((16, 9), name="A")
    U = sw.update(A, (15, 8), lambda i, j: (i, j), lambda i, j: A[i, j] + A[i + 1, j], name="U")
    s = sw.create_schedule(U)
    s[U].vectorize("i")
    A = sw.placeholder((16, 9), name="A")
    V = sw.update(A, (15, 8), lambda i, j: (i, j), lambda i, j: A[i, j] + A[i + 1, 0], name="V")
    s = sw.create_schedule(V)
    with pytest.raises(sw.IllegalScheduleError, match="at the same time"):
        s[V].vectorize("i")  # all lanes of column 0 are stored before those of column 1 are read


def random_update(rng):
    """An update of two dimensions, by reads at random offsets; and what it gives."""
    dtype = rng.choice(("float32", "float64", "int32", "int8", "uint8"))
    shape = (rng.randint(6, 12), rng.randint(9, 21))
    offsets = [(rng.randint(-1, 2), rng.randint(-1, 3)) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.7:  # forwards only
        offsets = [tuple(map(abs, offset)) for offset in offsets]
    is_guarded = rng.random() < 0.3
    low = [max(0, -min(d[k] for d in offsets)) for k in range(2)]
    high = [max(0, max(d[k] for d in offsets)) for k in range(2)]
    box = [n - a - b for n, a, b in zip(shape, low, high, strict=True)]
    A = sw.placeholder(shape, dtype=dtype, name="A")

    def value(i, j):
        total = A[i + low[0], j + low[1]] * 2
        for d in offsets:
            read = A[i + low[0] + d[0], j + low[1] + d[1]]
            total = total + (sw.select(j % 3 != 0, read, 1) if is_guarded else read)
        return total

    U = sw.update(A, tuple(box), lambda i, j: (i + low[0], j + low[1]), value, name="U")

    def expected(array):
        out = array.copy()
        for i in range(low[0], low[0] + box[0]):
            for j in range(low[1], low[1] + box[1]):
                total = out[i, j] * out.dtype.type(2)
                for d in offsets:
                    skip = is_guarded and (j - low[1]) % 3 == 0
                    total += out.dtype.type(1) if skip else out[i + d[0], j + d[1]]
                out[i, j] = total
        return out

    return A, U, expected


def run(seed):
    rng = random.Random(seed)
    A, U, expected = random_update(rng)
    s = sw.create_schedule(U)
    tail = rng.choice(("guard", "cut", "mask"))
    loops = ["i", "j"]
    try:
        if rng.random() < 0.6:
            axis = rng.choice("ij")
            outer, inner = s[U].split(axis, rng.choice((2, 3, 4, 8)), tail=tail)
            loops = [name for name in loops if name != axis] + [outer.name, inner.name]
        if rng.random() < 0.5:
            s[U].reorder(*rng.sample(loops, len(loops)))
        if rng.random() < 0.3:
            s[U].unroll(rng.choice(loops))
        if rng.random() < 0.2:
            s.buffer_write(U, at=rng.choice(loops))
    except sw.Error:
        pass
    try:
        s[U].vectorize(rng.choice(loops))
    except sw.Error:
        return "refused"
    values = np.random.default_rng(seed).integers(0, 3, A.shape).astype(str(A.dtype))
    with np.errstate(over="ignore"):
        want = expected(values)
    for target in ("host", "c"):
        got = values.copy()
        sw.build(s, [A], target=target)(got)
        np.testing.assert_array_equal(got, want, f"seed {seed}, {target}\n{s}")
    return "equal"


def test_random_updates_equal_the_loops_of_numpy():
    results = [run(seed) for seed in range(SEED, SEED + 60)]
    assert results.count("equal") >= 15, results
