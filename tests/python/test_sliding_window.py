"""Buffers that keep what neighbouring tiles have in common: values, bytes, other primitives."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway.errors import IllegalScheduleError, ScheduleArgumentError
from test_fill_padding import LANDINGS, Convolution


class Stencil:
    """A sum of five neighbours on 8 x 8 cores, some rows at a time."""

    def __init__(self, rows=2, depth=1, slide=True, size=64, target="sw26010"):
        self.a = a = sw.placeholder((size + 2, size + 2), name="A")
        self.b = b = sw.compute(
            (size, size),
            lambda y, x: a[y, x + 1] + a[y + 2, x + 1] + a[y + 1, x] + a[y + 1, x + 2] + a[y, x],
            name="B",
        )
        self.s = s = sw.create_schedule(b)
        ym, yr = s[b].split("y", factor=size // 8)
        yo, yi = s[b].split(yr, factor=rows)
        xm, xi = s[b].split("x", factor=size // 8)
        s[b].reorder(ym, xm, yo, yi, xi)
        s[b].parallel(ym, xm, grid=(8, 8))
        s.buffer_write(b, at=yo, depth=depth)
        self.buffer = s.buffer_read(a, at=yo, depth=depth, slide=yo if slide else None)
        self.yo, self.target = yo, target

    def check(self):
        """Runs it in hazard mode under each policy of completion; returns the bytes loaded."""
        kernel = sw.build(self.s, [self.a, self.b], target=self.target, name="stencil")
        values = np.random.default_rng(0).integers(-9, 9, self.a.shape).astype("f4")
        c = values[1:-1, 1:-1]
        around = values[:-2, 1:-1] + values[2:, 1:-1] + values[1:-1, :-2] + values[1:-1, 2:]
        expected = around + values[:-2, :-2]
        assert c.shape == expected.shape
        for seed, landing in enumerate(LANDINGS):
            with sw.emulator(mode="hazard", landing=landing, seed=seed):
                np.testing.assert_array_equal(kernel.run(values), expected)
        return kernel.last_run.bytes["get"]


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_each_row_is_loaded_once(rows, depth, target):
    found = Stencil(rows, depth, target=target).check()
    rows_of_cores, columns = 8 * (8 + 2), 8 * (8 + 2)
    assert 0 <= found - rows_of_cores * columns * 4 <= 64 * 32  # parameters
    assert found < Stencil(rows, depth, slide=False, target=target).check()


def test_the_loops_say_what_moves_where():
    text = str(Stencil(rows=2, depth=2).s)
    assert "AA[y.i.o % 2, AA.0, AA.1] = AA[1 - y.i.o % 2, AA.0 + 2, AA.1]" in text
    assert "Issue AA_get: AA[0, 0, 0] <- A[y.o*8, x.o*8]  # 4 x 10" in text
    assert "AA[(y.i.o + 1) % 2, 2, 0] <- A[y.o*8 + y.i.o*2 + 4, x.o*8]  # 2 x 10" in text


def test_the_log_replays():
    stencil = Stencil(depth=2)
    names = {"sw": sw, "outputs": [stencil.b]}
    exec(stencil.s.to_python(), names)
    assert str(names["s"]) == str(stencil.s)


def test_vectors_move_what_is_kept():
    kernel = sw.build(Stencil(size=128).s, target="sw26010", name="stencil")
    assert "simd_storeu(v0, &AA" in kernel.source["stencil_cpe.c"]


@pytest.mark.parametrize("target", ["host", "c"])
def test_other_targets_move_it_too(target):
    stencil = Stencil()
    values = np.random.default_rng(0).integers(-9, 9, stencil.a.shape).astype("f4")
    found = sw.build(stencil.s, [stencil.a, stencil.b], target=target).run(values)
    plain = sw.build(sw.create_schedule(stencil.b), [stencil.a, stencil.b], target=target)
    np.testing.assert_array_equal(found, plain.run(values))


def lines(case, depth=1, slide=True, fill=False):
    """A convolution some lines at a time, each core with some of the filters."""
    kernel, stride, pad, rows = case
    conv = Convolution(4, 8, 13, kernel, pad, stride)
    s, c = conv.s, conv.c
    fo, fi = s[c].split("f", factor=1)
    yo, yi = s[c].split("y", factor=rows)
    s[c].reorder(fo, yo, fi, yi, "x", *conv.axes)
    s[c].parallel(fo)
    s.buffer_write(c, at=yo, depth=depth)
    s.buffer_read(conv.p, at=yo, depth=depth, fill_padding=fill, slide=yo if slide else None)
    s.buffer_read(conv.w, at=fo)
    return conv


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("case", [(3, 1, 1, 4), (3, 1, 1, 1), (5, 2, 2, 3), (3, 2, 1, 3)])
def test_windows_strides_and_borders(case, depth, fill):
    slid = lines(case, depth, fill=fill).check().bytes["get"]
    assert slid < lines(case, depth, slide=False, fill=fill).check().bytes["get"]


def test_tiles_that_move_backwards():
    a = sw.placeholder((34,), name="A")
    b = sw.compute((32,), lambda i: a[i] * a[i + 2], name="B")
    for depth in (1, 2):
        s = sw.create_schedule(b)
        io, _ = s[b].split("i", factor=4)
        s[b].reverse(io)
        s.buffer_write(b, at=io)
        s.buffer_read(a, at=io, depth=depth, slide=io)
        values = np.arange(34, dtype="f4")
        kernel = sw.build(s, [a, b], target="sw26010")
        for landing in LANDINGS:
            with sw.emulator(mode="hazard", landing=landing):
                np.testing.assert_array_equal(kernel.run(values), values[:-2] * values[2:])


def test_a_loop_that_is_split_later_still_slides():
    stencil = Stencil(rows=1, depth=2)
    stencil.s[stencil.b].split(stencil.yo, factor=2)
    stencil.check()


@pytest.mark.parametrize("primitive", ["parallel", "reverse"])
def test_an_order_that_does_not_slide_is_refused(primitive):
    stencil = Stencil()
    with pytest.raises(IllegalScheduleError):
        getattr(stencil.s[stencil.b], primitive)(stencil.yo)


def test_other_primitives_name_the_buffer():
    stencil = Stencil()
    with pytest.raises(ScheduleArgumentError, match="a buffer depends on 'B'"):
        stencil.s[stencil.b].specialize(stencil.b.axis[0] < 8)


def jacobi(size):
    a = sw.placeholder((size, size), name="A")
    return a, sw.compute(
        (size - 2, size - 2),
        lambda y, x: a[y + 1, x] + a[y + 1, x + 2] + a[y, x + 1] + a[y + 2, x + 1],
        name="B",
    )


def heat(size):
    a = sw.placeholder((size, size, size), name="A")
    return a, sw.compute(
        (size - 2,) * 3,
        lambda z, y, x: a[z, y + 1, x + 1] + a[z + 2, y + 1, x + 1] + a[z + 1, y, x + 1]
        + a[z + 1, y + 2, x + 1] + a[z + 1, y + 1, x] + a[z + 1, y + 1, x + 2],
        name="B",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("stencil", "size"), [(jacobi, 130), (jacobi, 101), (heat, 34), (heat, 27)]
)
def test_auto_buffer_keeps_what_its_model_says(stencil, size):
    a, b = stencil(size)
    s = sw.create_schedule(b)
    plan = s.auto_buffer("sw26010")
    [overlap] = [one for one in plan.stages[0].decisions if one.what == "overlap of A"]
    assert overlap.chosen.startswith("kept from tile to tile along")
    assert overlap.instead == "moved with each tile"
    assert overlap.cycles < overlap.instead_cycles
    assert "slide=" in s.to_python()
    assert "overlap of A: kept from tile to tile" in str(s.explain("sw26010"))
    values = np.random.default_rng(0).integers(-9, 9, a.shape).astype("f4")
    expected = sw.build(sw.create_schedule(b), [a, b], target="host").run(values)
    kernel = sw.build(s, [a, b], target="sw26010", name="stencil")
    for seed, landing in enumerate(LANDINGS):
        with sw.emulator(mode="hazard", landing=landing, seed=seed):
            np.testing.assert_array_equal(kernel.run(values), expected)
