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
