"""Buffers of one region that is on its way while nothing uses it."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ["host", "c", "sw26010", "sw26010pro"]
LANDINGS = ["at_wait", "at_issue", "random"]


def integers(tensor, seed):
    return np.random.default_rng(seed).integers(-4, 5, tensor.shape).astype(tensor.dtype)


class Layer:
    """A product whose tiles are computed in those of the stage that reads it."""

    def __init__(self, m=12, n=40, depth=18, tiles=(3, 8), terms=None, on_cores=True):
        self.a = sw.placeholder((m, depth), name="A")
        self.b = sw.placeholder((depth, n), name="B")
        k = sw.reduce_axis(depth, name="k")
        a, b = self.a, self.b
        self.c = sw.compute((m, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
        self.d = sw.compute((m, n), lambda i, j: sw.maximum(self.c[i, j], 0.0), name="D")
        self.s = s = sw.create_schedule(self.d)
        self.io, ii = s[self.d].split("i", tiles[0])
        self.jo, ji = s[self.d].split("j", tiles[1])
        s[self.d].reorder(self.io, self.jo, ii, ji)
        if on_cores:
            s[self.d].parallel(self.io)
        s[self.c].compute_at(self.d, self.jo)
        self.ko = self.jo
        if terms:
            self.ko, _ = s[self.c].split(k, terms)
            s[self.c].reorder(self.ko, "i", "j")

    def check(self, target):
        kernel = sw.build(self.s, [self.a, self.b, self.d], target=target, name="layer")
        left, right = integers(self.a, 1), integers(self.b, 2)
        expected = np.maximum(left @ right, 0)
        if target in ("host", "c"):
            np.testing.assert_array_equal(kernel.run(left, right), expected)
            return kernel
        for seed, landing in enumerate(LANDINGS):
            with sw.emulator(mode="hazard", landing=landing, seed=seed):
                np.testing.assert_array_equal(kernel.run(left, right), expected)
        return kernel


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("which", [("B",), ("D",), ("B", "D")])
def test_what_is_loaded_and_what_is_stored(target, which):
    p = Layer()
    aa = p.s.buffer_read(p.a, at=p.io)
    bb = p.s.buffer_read(p.b, at=p.jo)
    dd = p.s.buffer_write(p.d, at=p.jo)
    assert aa.name == "AA"
    for buffer in (bb, dd):
        if buffer.tensor.name in which:
            p.s.single_buffer(buffer)
    p.check(target)


@pytest.mark.parametrize("target", TARGETS)
def test_inside_a_loop_of_the_reduction(target):
    """The first tile of each series is waited for at once."""
    p = Layer(terms=5)
    p.s.buffer_read(p.a, at=p.io)
    p.s.single_buffer(p.s.buffer_read(p.b, at=p.ko))
    p.s.single_buffer(p.s.buffer_write(p.d, at=p.jo))
    p.check(target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("on_cores", [True, False])
def test_across_the_tiles_of_the_reader(target, on_cores):
    """The first terms of the next tile are asked for when the last ones of this one are used up."""
    p = Layer(terms=5, on_cores=on_cores)
    p.s.buffer_read(p.a, at=p.io)
    p.s.single_buffer(p.s.buffer_read(p.b, at=p.ko), across=p.jo)
    p.s.single_buffer(p.s.buffer_write(p.d, at=p.jo))
    text = str(p.s)
    assert text.index("Issue BB_get") < text.index("For j.o")
    p.check(target)


def test_across_is_a_loop_around_the_transfer():
    p = Layer(terms=5)
    bb = p.s.buffer_read(p.b, at=p.ko)
    with pytest.raises(
        sw.ScheduleArgumentError, match=r"'i\.i' is not around the transfers of 'BB'"
    ):
        p.s.single_buffer(bb, across=p.s[p.d].axis[2])


def check(s, arguments, inputs, expected, target):
    """The kernel's result, on scratchpad machines in hazard mode under every policy."""
    kernel = sw.build(s, arguments, target=target, name="kernel")
    landings = LANDINGS if target.startswith("sw26010") else [None]
    for seed, landing in enumerate(landings):
        with sw.emulator(mode="hazard", landing=landing or "at_wait", seed=seed):
            np.testing.assert_array_equal(kernel.run(*inputs), expected)


@pytest.mark.parametrize("target", TARGETS)
def test_sizes_that_are_known_at_the_call(target):
    """No tile, a part of one, one, several and a part."""
    n = sw.size("n", min=0, max=40)
    a = sw.placeholder((n, 8), name="A")
    b = sw.compute((n, 8), lambda i, j: a[i, j] * 2, name="B")
    c = sw.compute((n, 8), lambda i, j: b[i, j] + 1, name="C")
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", 4)
    s[b].compute_at(c, io)
    s.single_buffer(s.buffer_read(a, at=io, readers=[b]))
    s.single_buffer(s.buffer_write(c, at=io))
    kernel = sw.build(s, [a, c], target=target, name="kernel")
    for extent in (0, 1, 3, 4, 5, 8, 39, 40):
        x = np.random.default_rng(extent).integers(-4, 5, (extent, 8)).astype("f4")
        with sw.emulator(mode="hazard", landing="random", seed=extent):
            np.testing.assert_array_equal(kernel.run(x), x * 2 + 1)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("factor", [1, 5, 8, 16])
def test_loops_of_one_iteration_and_parts_of_a_tile(target, factor):
    a = sw.placeholder((8, 8), name="A")
    b = sw.compute((8, 8), lambda i, j: a[i, j] * 2, name="B")
    c = sw.compute((8, 8), lambda i, j: b[i, j] + 1, name="C")
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", factor)
    s[b].compute_at(c, io)
    s.single_buffer(s.buffer_read(a, at=io, readers=[b]))
    s.single_buffer(s.buffer_write(c, at=io))
    x = integers(a, 3)
    check(s, [a, c], [x], x * 2 + 1, target)


@pytest.mark.parametrize("target", TARGETS)
def test_the_border_is_filled_while_the_tile_comes(target):
    x = sw.placeholder((16, 16), name="X")
    inside = lambda i, j: sw.all_of(1 <= i, i < 17, 1 <= j, j < 17)  # noqa: E731
    p = sw.compute((18, 18), lambda i, j: sw.select(inside(i, j), x[i - 1, j - 1], 0), name="P")
    c = sw.compute((16, 16), lambda i, j: p[i, j] + 2 * p[i + 1, j + 1] + 3 * p[i + 2, j + 2])
    d = sw.compute((16, 16), lambda i, j: sw.maximum(c[i, j], 0.0), name="D")
    s = sw.create_schedule(d)
    yo, _ = s[d].split("i", 4)
    s[c].compute_at(d, yo)
    s.single_buffer(s.buffer_read(p, at=yo, fill_padding=True, readers=[c]))
    image = integers(x, 1)
    padded = np.pad(image, 1)
    sums = padded[:-2, :-2] + 2 * padded[1:-1, 1:-1] + 3 * padded[2:, 2:]
    check(s, [x, d], [image], np.maximum(sums, 0), target)


def test_what_slides_is_used_until_the_next_tile_comes():
    a = sw.placeholder((34, 16), name="A")
    b = sw.compute((32, 16), lambda i, j: a[i, j] + a[i + 2, j], name="B")
    s = sw.create_schedule(b)
    io, _ = s[b].split("i", 4)
    aa = s.buffer_read(a, at=io, slide=io)
    with pytest.raises(sw.IllegalScheduleError, match="before its transfer is complete"):
        s.single_buffer(aa)


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
def test_what_cores_read_together(target):
    p = Layer(m=64, n=64, tiles=(1, 8))
    bb = p.s.buffer_read(p.b, at=p.jo)
    p.s.broadcast(bb, over="all")
    p.s.single_buffer(bb)
    p.s.single_buffer(p.s.buffer_write(p.d, at=p.jo))
    p.check(target)


@pytest.mark.parametrize("later", ["split", "double_buffer", "prefetch", "tile of two", "fuse"])
def test_primitives_that_follow(later):
    p = Layer(on_cores=later != "fuse")
    bb = p.s.buffer_read(p.b, at=p.jo)
    p.s.single_buffer(bb)
    dd = p.s.buffer_write(p.d, at=p.jo)
    p.s.single_buffer(dd)
    if later == "split":
        p.s[p.d].split(p.jo, 2)
    elif later == "double_buffer":
        p.s.double_buffer(bb)
        p.s.double_buffer(dd)
    elif later == "prefetch":
        p.s.prefetch(bb, distance=2)
    elif later == "tile of two":
        p.s[p.d].split(p.jo, 3)
        p.s[p.d].vectorize(p.s[p.d].axis[-1])
    else:
        p.s[p.d].fuse(p.io, p.jo)
    p.check("sw26010")


def test_the_next_tile_comes_while_the_reader_runs():
    """By the clock: what stores the results waits no longer for the operands behind them."""
    cycles = {}
    for single in (False, True):
        p = Layer(m=64, n=512, depth=64, tiles=(1, 64))
        bb = p.s.buffer_read(p.b, at=p.jo)
        p.s.buffer_write(p.d, at=p.jo, depth=2)
        if single:
            p.s.single_buffer(bb)
        kernel = sw.build(p.s, [p.a, p.b, p.d], target="sw26010", name="layer")
        kernel.run(integers(p.a, 1), integers(p.b, 2), mode="timed")
        cycles[single] = kernel.last_run.cycles
    assert cycles[True] < cycles[False]
