"""Buffers: what they compute on every target that runs here, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ["host", "c", "sw26010"]


def integers(shape, seed=0, dtype="float32"):
    """Values whose sums and products are exact in every element type."""
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def matmul(m, n, depth, dtype="float32"):
    a = sw.placeholder((m, depth), dtype=dtype, name="A")
    b = sw.placeholder((depth, n), dtype=dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((m, n), lambda x, y: sw.sum(a[x, k] * b[k, y], axis=k), name="C")
    return a, b, c, sw.create_schedule(c)


def check_matmul(s, a, b, c, target, poison=True):
    left, right = integers(a.shape, 1, a.dtype), integers(b.shape, 2, b.dtype)
    kernel = sw.build(s, [a, b, c], target=target, poison_transfers=poison)
    np.testing.assert_array_equal(kernel.run(left, right), left @ right)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_figure_2(target, dtype):
    a, b, c, s = matmul(1, 64, 48, dtype)
    yo, yi = s[c].split(c.axis[1], 16)
    ko, ki = s[c].split("k", 12)
    s[c].reorder(yo, ko, yi, ki)
    s.buffer_read(b, [ki, yi])
    s.buffer_read(a, [ki])
    s.buffer_write(c, [yi])
    check_matmul(s, a, b, c, target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("poison", [False, True])
def test_partial_tiles(target, poison):
    a, b, c, s = matmul(7, 13, 9)
    xo, xi = s[c].split("x", 3)
    yo, yi = s[c].split("y", 4)
    ko, ki = s[c].split("k", 4)
    s[c].reorder(xo, yo, ko, xi, yi, ki)
    s.buffer_read(a, [xi, ki])
    s.buffer_read(b, [ki, yi], layout=[1, 0])
    s.buffer_write(c, [xi, yi])
    s[c].parallel(xo)
    check_matmul(s, a, b, c, target, poison)


@pytest.mark.parametrize("target", TARGETS)
def test_partial_sums_are_loaded_and_stored(target):
    a, b, c, s = matmul(4, 10, 12)
    ko, ki = s[c].split("k", 5)
    s[c].reorder("x", ko, "y", ki)
    s[c].parallel("x")
    s.buffer_write(c, at=ko)
    check_matmul(s, a, b, c, target)


@pytest.mark.parametrize("target", TARGETS)
def test_figure_3(target):
    """A strided convolution whose input region is given as index expressions."""
    stride = 2
    a = sw.placeholder((3, 11, 11), name="A")
    w = sw.placeholder((8, 3, 3, 3), name="W")
    rc, ry, rx = (sw.reduce_axis(3, name=name) for name in ("rc", "ry", "rx"))
    b = sw.compute(
        (8, 5, 5),
        lambda ff, yy, xx: sw.sum(
            a[rc, yy * stride + ry, xx * stride + rx] * w[ff, rc, ry, rx], axis=[rc, ry, rx]
        ),
        name="B",
    )
    s = sw.create_schedule(b)
    ff, yy, xx = b.axis
    s[b].reorder(ff, rc, yy, xx, ry, rx)
    s[b].parallel(ff)
    aa = s.buffer_read(a, [yy * stride + ry, xx * stride + rx])
    assert repr(aa) == "<buffer AA of A>"
    image, weights = integers((3, 11, 11), 1), integers((8, 3, 3, 3), 2)
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(1, 2))
    expected = np.einsum("cyxij,fcij->fyx", windows[:, ::stride, ::stride], weights)
    out = sw.build(s, [a, w, b], target=target, poison_transfers=True).run(image, weights)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("target", TARGETS)
def test_padding_is_no_part_of_the_transfer(target):
    a = sw.placeholder((10, 10), name="A")
    ry, rx = sw.reduce_axis(3, name="ry"), sw.reduce_axis(3, name="rx")

    def body(y, x):
        inside = sw.all_of(0 <= y + ry - 1, y + ry - 1 < 10, 0 <= x + rx - 1, x + rx - 1 < 10)
        return sw.sum(sw.select(inside, a[y + ry - 1, x + rx - 1], 0.0), axis=[ry, rx])

    b = sw.compute((10, 10), body, name="B")
    s = sw.create_schedule(b)
    yo, _ = s[b].split("y", 4)
    s[b].parallel(yo)
    s.buffer_read(a, at=yo)
    s.buffer_write(b, at=yo)
    image = integers((10, 10))
    padded = np.pad(image, 1)
    expected = sum(padded[i : i + 10, j : j + 10] for i in range(3) for j in range(3))
    np.testing.assert_array_equal(
        sw.build(s, [a, b], target=target, poison_transfers=True).run(image), expected
    )


@pytest.mark.parametrize("target", TARGETS)
def test_stages_have_buffers_of_their_own(target):
    a = sw.placeholder((16,), name="A")
    p = sw.compute((16,), lambda i: a[i] * 2, name="P")
    q = sw.compute((15,), lambda i: p[i] + p[i + 1], name="Q")
    s = sw.create_schedule(q)
    _, ii = s[q].split("i", 4)
    s.buffer_read(p, [ii])
    s.buffer_write(p, ["i"])
    x = integers((16,))
    out = sw.build(s, [a, q], target=target, poison_transfers=True).run(x)
    np.testing.assert_array_equal(out, 2 * (x[:-1] + x[1:]))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("sizes", [(1, 5, 3), (4, 1, 3), (4, 5, 1), (0, 5, 3), (4, 5, 0)])
def test_dimensions_of_size_0_and_1(target, sizes):
    a, b, c, s = matmul(*sizes)
    s.buffer_read(a, ["x", "k"])
    s.buffer_read(b, ["k", "y"])
    s.buffer_write(c, ["x", "y"])
    check_matmul(s, a, b, c, target)


def test_a_split_by_one_leaves_nothing_that_varies():
    a, b, c, s = matmul(4, 6, 5)
    _, yi = s[c].split("y", 1)
    s[c].reorder("x", "y.o", "k", yi)
    s.buffer_read(b, [yi])
    check_matmul(s, a, b, c, "host")


def test_log_and_legal():
    _a, b, c, s = matmul(4, 8, 6)
    yo, yi = s[c].split("y", 4)
    assert s.legal("buffer_write", c, [yi])
    assert not s.legal("buffer_read", b, [yo], at=yo)
    s.buffer_write(c, [yi])
    assert str(s.log[-1]) == "CC = s.buffer_write(C, region=[y.i], at=y.o)"


def test_expressions_of_loops():
    """A region of split loops is written with the loops that split returned."""
    a = sw.placeholder((17,), name="A")
    r = sw.reduce_axis(3, name="r")
    b = sw.compute((8,), lambda i: sw.sum(a[i * 2 + r], axis=r), name="B")
    s = sw.create_schedule(b)
    _, ii = s[b].split("i", 4)
    s.buffer_read(a, [ii * 2 + r])
    x = integers((17,))
    expected = np.array([x[2 * i : 2 * i + 3].sum() for i in range(8)])
    np.testing.assert_array_equal(sw.build(s, [a, b]).run(x), expected)
    with pytest.raises(sw.ScheduleArgumentError, match="'i' is no longer there"):
        s.buffer_read(a, [b.axis[0] * 2 + r])


def test_a_core_does_not_see_the_buffer_of_another():
    _, b, c, s = matmul(4, 8, 6)
    s.buffer_read(b, ["k", "y"])
    before = str(s)
    with pytest.raises(sw.IllegalScheduleError, match="each core has its own") as refused:
        s[c].parallel("x")
    assert str(s) == before
    assert refused.value.tensor == "BB"


def packed_matmul(m, n, depth, tiles, buffer_depth=1):
    """The packing of GotoBLAS: rows of A and columns of B lie in panels of a register tile."""
    a, b, c, s = matmul(m, n, depth)
    mr, nr, kc, mc, nc = tiles
    jc, j = s[c].split("y", nc)
    ko, ki = s[c].split("k", kc)
    ic, i = s[c].split("x", mc)
    jo, ji = s[c].split(j, nr)
    io, ii = s[c].split(i, mr)
    s[c].reorder(jc, ko, ic, jo, io, ki, ii, ji)
    s.buffer_read(b, [jo, ki, ji], depth=buffer_depth)
    s.buffer_read(a, [io, ki, ii])
    return a, b, c, s, io


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(
    ("shape", "tiles"),
    [
        ((32, 64, 16), (4, 16, 8, 16, 32)),
        ((30, 50, 18), (4, 16, 8, 16, 32)),
        ((7, 11, 5), (3, 4, 2, 6, 8)),
        ((5, 3, 9), (8, 4, 4, 16, 8)),
    ],
)
def test_panels(target, shape, tiles, depth):
    a, b, c, s, io = packed_matmul(*shape, tiles, depth)
    s.buffer_write(c, at=io)
    check_matmul(s, a, b, c, target)


def test_panels_have_a_dimension_for_each_loop():
    *_, s, _ = packed_matmul(32, 50, 16, (4, 16, 8, 16, 32))
    text = str(s)
    assert "AA[x.i.o, k.i, x.i.i]*BB[y.i.o, k.i, y.i.i]" in text
    assert (
        "      For k.i in range(8)\n"
        "        For y.i.i in range(min(select(y.o == 1, 18, 32) - y.i.o*16, 16))\n"
        "          BB[y.i.o, k.i, y.i.i] = B[k.o*8 + k.i, y.o*32 + y.i.o*16 + y.i.i]\n"
    ) in text


@pytest.mark.parametrize("target", TARGETS)
def test_panels_by_layout(target, tmp_path):
    a, b, c, s = matmul(6, 20, 7)
    jo, ji = s[c].split("y", 8)
    s[c].reorder("x", "k", jo, ji)
    s.buffer_read(b, at="x", layout=[jo, "k", ji])
    assert "BB[y.o, k, y.i]" in str(s)
    script = s.to_python()
    assert "layout=[y_o, C.reduce_axis[0], y_i]" in script
    exec(script, {"sw": sw, "outputs": [c]}, found := {})
    assert str(found["s"]) == str(s)
    s.save(tmp_path / "panels.txt")
    assert str(sw.load_schedule(tmp_path / "panels.txt", [c])) == str(s)
    check_matmul(s, a, b, c, target)


@pytest.mark.parametrize("target", TARGETS)
def test_panels_of_what_is_stored(target):
    a, b, c, s = matmul(6, 20, 7)
    jo, ji = s[c].split("y", 8)
    io, ii = s[c].split("x", 4)
    s[c].reorder(io, jo, ii, ji)
    s.buffer_write(c, at=io, layout=[jo, ii, ji])
    assert "CC[y.o, x.i, y.i] += A" in str(s)
    check_matmul(s, a, b, c, target)


@pytest.mark.parametrize("target", TARGETS)
def test_panels_of_panels(target):
    """Three loops of one dimension, two of them neighbours; the last panels are not full."""
    a, b, c, s = matmul(3, 29, 5)
    jo, j = s[c].split("y", 12)
    jm, ji = s[c].split(j, 4)
    s[c].reorder("x", jo, "k", jm, ji)
    s.buffer_read(b, at="x", layout=[jm, jo, "k", ji])
    assert "BB[y.i.o, y.o, k, y.i.i]" in str(s)
    check_matmul(s, a, b, c, target)


@pytest.mark.parametrize("target", TARGETS)
def test_loops_of_a_window_that_stand_apart_keep_the_box(target):
    a = sw.placeholder((12, 6), name="A")
    r = sw.reduce_axis(3, name="r")
    c = sw.compute((10, 6), lambda y, x: sw.sum(a[y + r, x], axis=r), name="C")
    s = sw.create_schedule(c)
    _, yi = s[c].split("y", 4)
    s.buffer_read(a, [yi, "x", r])
    value = integers(a.shape)
    want = value[:10] + value[1:11] + value[2:]
    np.testing.assert_array_equal(sw.build(s, [a, c], target=target).run(value), want)


def test_a_buffer_of_elements_at_remainders_is_decided():
    """Took all of the 20 seconds that a proof may take, and ended undecided."""
    A = sw.placeholder((3, 2), "int64", name="A")

    def first(i, j):
        return (i + j + 2) % 3, (i + j + 1) % 2

    def after(i, j):
        return (i + j + 3) % 3, (i + j + 2) % 2

    T0 = sw.update(
        A,
        (6, 2),
        first,
        lambda i, j: A[first(i, j)] + A[after(i, j)],
        where=lambda i, j: j != 0,
        name="T0",
    )
    C = sw.compute((3, 2), lambda i, j: T0[i, j] + 1, name="C")
    T1 = sw.update(
        T0,
        (1, 4, 3),
        lambda n, i, j: ((j + 4) % 3, (j - n) % 2),
        lambda n, i, j: n + T0[(j + 4) % 3, (j - n) % 2] + T0[(j + 3) % 3, (j - n - 1) % 2],
        name="T1",
    )
    last = sw.compute((3, 2), lambda i, j: T1[i, j] - 1, name="last")
    s = sw.create_schedule([T1, C, last], options=sw.Options(analysis_seconds=5))
    verdict = s.legal("buffer_read", T0, at=s[T1].axis[1], readers=[T1])
    assert not isinstance(verdict.error, sw.AnalysisBudgetError)


@pytest.mark.parametrize("target", ["host", "c", "sw26010"])
def test_what_a_placed_stage_reads_by_many_ways_is_staged(target):
    """Proofs took 23 s, and then gave up: the copy was of 64 pieces instead of one."""
    A = sw.placeholder((4, 4), "int64", name="A")
    F = sw.compute((16,), lambda i: A[i // 4, i % 4] * 2, name="F")
    G = sw.compute((16,), lambda i: F[(i * 3 + 1) % 16] - F[i // 2], name="G")
    s = sw.create_schedule(G)
    s[F].compute_at(G, "i")
    s.buffer_read(A, [F.axis[0]])
    a = np.arange(16).reshape(4, 4)
    f = a.ravel() * 2
    expected = f[(np.arange(16) * 3 + 1) % 16] - f[np.arange(16) // 2]
    np.testing.assert_array_equal(sw.build(s, [A, G], target=target).run(a), expected)


@pytest.mark.parametrize("target", ["host", "c", "sw26010"])
def test_the_box_around_a_triangle_is_a_box(target):
    A = sw.placeholder((12, 12), "int64", name="A")
    H = sw.compute(
        (12, 12),
        lambda i, j: sw.select(sw.any_of(i == 0, j == 0), A[i, j], A[i, j] + 1),
        where=lambda i, j: i + j <= 12,
        name="H",
    )
    s = sw.create_schedule(H)
    _, jo, _, _ = s[H].tile("i", "j", 4, 4)
    s.buffer_read(A, at=jo)
    a, (i, j) = np.arange(144).reshape(12, 12), np.indices((12, 12))
    expected = np.where(i + j <= 12, a + ((i > 0) & (j > 0)), 0)
    np.testing.assert_array_equal(sw.build(s, [A, H], target=target).run(a), expected)
