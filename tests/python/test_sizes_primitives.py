"""Each primitive on loops whose extents are known when the kernel runs."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ("host", "c", "sw26010")
ROWS = (2, 3, 8, 17, 40)


def integers(*shape):
    return np.random.default_rng(0).integers(-4, 5, shape).astype(np.float32)


@pytest.fixture(params=TARGETS)
def target(request):
    return request.param


def blur():
    """B is read by two neighbours of C."""
    n = sw.size("n", min=2, max=40)
    A = sw.placeholder((n, 12), name="A")
    B = sw.compute((n, 12), lambda i, j: A[i, j] * 2 + j, name="B")
    C = sw.compute((n - 1, 12), lambda i, j: B[i, j] + B[i + 1, j], name="C")
    return A, B, C


def expected_blur(a):
    b = a * 2 + np.arange(12, dtype=np.float32)
    return b[:-1] + b[1:]


def cut(s, B, C):
    _, inner = s[C].split("i", factor=4, tail="cut")
    s[C].reorder("j", inner)


def mask(s, B, C):
    _, inner = s[B].split("j", factor=8, tail="mask")
    s[B].vectorize(inner)


def turned(s, B, C):
    s[B].reverse("i")
    s[C].shift("i", 3)


def skewed(s, B, C):
    s[C].skew("i", "j", 2)
    s[C].reorder("j", "i")


def unimodular(s, B, C):
    s[B].affine("{[i, j] -> [i + j, j]}")


def placed(s, B, C):
    s[B].compute_at(s[C], "i")


def placed_in_tile(s, B, C):
    outer, _ = s[C].split("i", factor=4)
    s[B].compute_at(s[C], outer)


def inlined(s, B, C):
    s[B].compute_inline()


def fused(s, B, C):
    s[C].shift("i", 1)
    s[B].fuse_with(s[C], "i")


def on_cores(s, B, C):
    s[B].parallel("i")
    s[C].parallel("j")


def staged(s, B, C):
    outer, _ = s[C].split("i", factor=4)
    s.buffer_read(B, at=outer)
    s.buffer_write(C, at=outer)


def pipelined(s, B, C):
    outer, _ = s[C].split("i", factor=4)
    s.buffer_read(B, at=outer, depth=2)


def blocked(s, B, C):
    s.transform_layout(B, lambda i, j: (j // 4, i, j % 4))


def in_two_versions(s, B, C):
    outer, _ = s[C].split("i", factor=4)
    rest = s[C].specialize(outer < 2)
    s[rest].reverse("j")


def whole_blocks(s, B, C):
    n = B.shape[0]
    s[B].split("i", factor=4)
    s[B].specialize(n % 4 == 0)


ORDERS = [
    in_two_versions,
    whole_blocks,
    cut,
    mask,
    turned,
    skewed,
    unimodular,
    placed,
    placed_in_tile,
    inlined,
    fused,
    on_cores,
    staged,
    pipelined,
    blocked,
]


@pytest.mark.parametrize("order", ORDERS, ids=lambda f: f.__name__)
def test_every_value_gives_the_same(order, target):
    A, B, C = blur()
    s = sw.create_schedule(C)
    order(s, B, C)
    k = sw.build(s, [A, C], target=target)
    for rows in ROWS:
        a = integers(rows, 12)
        assert np.array_equal(k.run(a), expected_blur(a)), rows


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("order", ORDERS, ids=lambda f: f.__name__)
def test_an_assumption_changes_no_result(order, when):
    A, B, C = blur()
    s = sw.create_schedule(C)
    assumed = (s.sizes["n"] % 3 == 2, s.sizes["n"] >= 5)
    if when == "before":
        s.assume(*assumed)
    order(s, B, C)
    if when == "after":
        s.assume(*assumed)
    k = sw.build(s, [A, C])
    for rows in (5, 8, 17, 38):
        a = integers(rows, 12)
        assert np.array_equal(k.run(a), expected_blur(a)), rows
    with pytest.raises(sw.ArgumentMismatchError, match="runs only where n % 3 == 2"):
        k.run(integers(9, 12))


def test_a_reduction_in_parts(target):
    n = sw.size("n", max=50)
    A = sw.placeholder((6, n), name="A")
    k = sw.reduce_axis((0, n), name="k")
    B = sw.compute((6,), lambda i: sw.sum(A[i, k], axis=k), name="B")
    s = sw.create_schedule(B)
    _, inner = s[B].split(k, factor=8)
    s.rfactor(B, inner)
    kernel = sw.build(s, [A, B], target=target)
    for columns in (1, 8, 9, 50):
        a = integers(6, columns)
        assert np.array_equal(kernel.run(a), a.sum(1))


def test_time_steps(target):
    steps, n = sw.size("steps", max=9), sw.size("n", min=3, max=30)
    U0 = sw.placeholder((n,), name="U0")
    U = sw.recurrence(
        (steps, n),
        lambda U, t, i: sw.select(
            t == 0,
            U0[i],
            sw.select(sw.all_of(0 < i, i < n - 1), U[t - 1, i - 1] + U[t - 1, i + 1], U[t - 1, i]),
        ),
        dtype="float32",
        name="U",
    )
    s = sw.create_schedule(U)
    s[U].skew("i", "t", 1)
    s[U].tile("t", "i", 3, 8)
    kernel = sw.build(s, [U0, U], target=target)
    for shape in ((1, 3), (4, 11), (9, 30)):
        u = np.zeros(shape, np.float32)
        u[0] = integers(shape[1])
        for t in range(1, shape[0]):
            u[t] = u[t - 1]
            u[t, 1:-1] = u[t - 1, :-2] + u[t - 1, 2:]
        assert np.array_equal(kernel.run(u[0], sizes={"steps": shape[0]}), u)


def test_triangles(target):
    n = sw.size("n", max=20)
    A = sw.placeholder((n, n), name="A")
    L = sw.compute((n, n), lambda i, j: A[i, j] * 2, name="L", where=lambda i, j: j <= i)
    s = sw.create_schedule(L)
    s[L].tile("i", "j", 4, 4)
    kernel = sw.build(s, [A, L], target=target)
    for rows in (1, 5, 20):
        a = integers(rows, rows)
        assert np.array_equal(kernel.run(a), np.tril(a * 2))


def test_in_place(target):
    n = sw.size("n", min=2, max=20)
    A = sw.placeholder((n,), name="A")
    P = sw.update(A, (n - 1,), lambda i: (i + 1,), lambda i: A[i + 1] + A[i], name="P")
    kernel = sw.build(sw.create_schedule(P), [P], target=target)
    for rows in (2, 7, 20):
        a = integers(rows)
        assert np.array_equal(kernel.run(a), np.cumsum(a))


def test_an_illegal_order_is_shown_at_the_smallest_sizes():
    n = sw.size("n", min=2, max=20)
    A = sw.placeholder((n,), name="A")
    P = sw.update(A, (n - 1,), lambda i: (i + 1,), lambda i: A[i + 1] + A[i], name="P")
    s = sw.create_schedule(P)
    with pytest.raises(sw.IllegalScheduleError) as raised:
        s[P].reverse("i")
    assert "P[i=1]" in str(raised.value)
    assert not s.legal("parallel", P, "i")


def test_text_of_a_schedule_with_sizes(tmp_path):
    _, B, C = blur()
    s = sw.create_schedule(C)
    placed_in_tile(s, B, C)
    assert "(n + 2) // 4" in str(s)
    s.save(tmp_path / "blur.schedule")
    other = sw.load_schedule(tmp_path / "blur.schedule", C)
    assert str(other) == str(s)
    assert 'sw.size("n", min=2, max=40)' in sw.to_python(C)


def cut_programs():
    """Programs of a size with loops that are cut: name, tensors, primitives, what NumPy gives."""
    n, m = sw.size("n", min=0, max=40), sw.size("m", min=0, max=24)
    A, B = sw.placeholder((n,), name="A"), sw.placeholder((n, m), name="B")
    k = sw.reduce_axis((0, m), name="k")
    twice = sw.compute((n,), lambda i: A[i] * 2, name="C")
    total = sw.compute((n,), lambda i: sw.sum(B[i, k], axis=k), name="C")
    square = sw.compute((n, m), lambda i, j: B[i, j] + 1, name="C")
    part = sw.compute((n, m), lambda i, j: B[i, j] + 1, where=lambda i, j: j <= i, name="C")
    scan = sw.recurrence(
        (n,), lambda S, i: A[i] + sw.select(i > 0, S[i - 1], 0.0), dtype="float32", name="C"
    )

    def lanes(s, C):
        s[C].vectorize(s[C].split("i", 8, tail="cut")[1])

    def cores(s, C):
        s[C].parallel(s[C].split("i", 5, tail="cut")[0])

    def terms(s, C):
        s[C].unroll(s[C].split("k", 4, tail="cut")[1])

    def tiles(s, C):
        io, ii = s[C].split("i", 7, tail="cut")
        jo, ji = s[C].split("j", 4, tail="cut")
        s[C].reorder(io, jo, ii, ji)

    def twice_cut(s, C):
        outer, _ = s[C].split("i", 12, tail="cut")
        s[C].split(outer, 2, tail="cut")

    def assumed(s, C):
        s.assume(s.sizes["n"] % 4 == 0)
        s[C].split("i", 4, tail="cut")

    add = lambda b: b + 1  # noqa: E731
    return [
        ("lanes", [A, twice], lanes, lambda a: a * 2),
        ("cores", [A, twice], cores, lambda a: a * 2),
        ("terms", [B, total], terms, lambda b: b.sum(axis=1, dtype="float32")),
        ("tiles", [B, square], tiles, add),
        ("triangle", [B, part], tiles, lambda b: np.tril(add(b))),
        ("twice", [A, twice], twice_cut, lambda a: a * 2),
        ("scan", [A, scan], cores_of_nothing, lambda a: np.cumsum(a, dtype="float32")),
        ("assumed", [A, twice], assumed, lambda a: a * 2),
    ]


def cores_of_nothing(s, C):
    s[C].split("i", 6, tail="cut")


@pytest.mark.parametrize("target", ["host", "c", "sw26010"])
@pytest.mark.parametrize("case", range(8))
def test_cut_is_at_the_last_whole_block_of_the_call(case, target):
    _, (given, C), primitives, expected = cut_programs()[case]
    s = sw.create_schedule(C)
    primitives(s, C)
    k = sw.build(s, [given, C], target=target)
    step, text = 4 if case == 7 else 1, str(s)
    widths = [None] if given.ndim == 1 else [0, 3, 4, 9, 24]
    for rows in range(0, 41, step):
        for width in widths:
            shape = (rows,) if width is None else (rows, width)
            values = (np.arange(np.prod(shape)) % 5).reshape(shape).astype("float32")
            np.testing.assert_array_equal(k.run(values), expected(values), f"{shape}\n{text}")


def test_the_blocks_that_are_cut_have_no_bounds_of_their_own():
    n = sw.size("n", max=64)
    A = sw.placeholder((n,), name="A")
    C = sw.compute((n,), lambda i: A[i] * 2, name="C")
    s = sw.create_schedule(C)
    s[C].split("i", 8, tail="cut")
    assert str(s).splitlines()[:2] == ["For i.o in range(n // 8)", "  For i.i in range(8)"]
    assert "min" not in str(s)
    again = sw.create_schedule(C)
    again.assume(n % 8 == 0)
    again[C].split("i", 8, tail="cut")
    assert str(again).count("For") == 2
