"""Products whose extents tiles do not divide, as `auto_buffer` pads them."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

RNG = np.random.default_rng(17)
LANDINGS = ("at_wait", "at_issue", "random")


def ints(*shape):
    return RNG.integers(-3, 4, shape).astype("f4")


def shape_decision(plan):
    found = [d for stage in plan.stages for d in stage.decisions if d.what.startswith("the shape")]
    return found[0] if found else None


def product(m, n, depth):
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("shape", [(63, 61, 40), (101, 103, 47)])
def test_a_product_of_odd_extents(target, shape):
    m, n, depth = shape
    A, B, C = product(m, n, depth)
    s = sw.create_schedule(C)
    decision = shape_decision(s.auto_buffer(target))
    assert decision.chosen.startswith("padded to")
    assert decision.cycles < decision.instead_cycles
    a, b = ints(m, depth), ints(depth, n)
    kernel = sw.build(s, [A, B, C], target=target)
    for landing in LANDINGS:
        with sw.emulator("hazard", landing=landing):
            np.testing.assert_array_equal(kernel.run(a, b), a @ b)


def test_whole_tiles_stay():
    _, _, C = product(64, 64, 63)
    s = sw.create_schedule(C)
    assert shape_decision(s.auto_buffer("sw26010")) is None


def test_a_convolution_with_its_border_and_its_reader():
    A = sw.placeholder((10, 13, 15), name="A")
    W = sw.placeholder((18, 10, 3, 3), name="W")

    def padded(c, y, x):
        inside = sw.all_of(y >= 1, y < 14, x >= 1, x < 16)
        return sw.select(inside, A[c, y - 1, x - 1], 0.0)

    P = sw.compute((10, 15, 17), padded, name="P")
    rc, ry, rx = axes = [sw.reduce_axis(n, name=m) for n, m in ((10, "rc"), (3, "ry"), (3, "rx"))]
    S = sw.compute(
        (18, 13, 15),
        lambda f, y, x: sw.sum(P[rc, y + ry, x + rx] * W[f, rc, ry, rx], axis=axes),
        name="S",
    )
    R = sw.compute((18, 13, 15), lambda f, y, x: sw.maximum(S[f, y, x], 0.0), name="R")
    s = sw.create_schedule(R)
    assert shape_decision(s.auto_buffer("sw26010")).chosen.startswith("padded to")
    image, weights = ints(10, 13, 15), ints(18, 10, 3, 3)
    windows = np.lib.stride_tricks.sliding_window_view(
        np.pad(image, ((0, 0), (1, 1), (1, 1))), (3, 3), axis=(1, 2)
    )
    expected = np.maximum(np.einsum("cyxrq,fcrq->fyx", windows, weights), 0)
    kernel = sw.build(s, [A, W, R], target="sw26010")
    for landing in LANDINGS:
        with sw.emulator("hazard", landing=landing):
            np.testing.assert_array_equal(kernel.run(image, weights), expected)


def test_two_products_one_after_the_other():
    A, B, C = product(30, 35, 26)
    E = sw.placeholder((35, 29), name="E")
    q = sw.reduce_axis(35, name="q")
    D = sw.compute((30, 29), lambda i, j: sw.sum(C[i, q] * E[q, j], axis=q), name="D")
    s = sw.create_schedule(D)
    s.auto_buffer("sw26010")
    a, b, e = ints(30, 26), ints(26, 35), ints(35, 29)
    kernel = sw.build(s, [A, B, E, D], target="sw26010")
    for landing in LANDINGS:
        with sw.emulator("hazard", landing=landing):
            np.testing.assert_array_equal(kernel.run(a, b, e), a @ b @ e)


def test_greedy_does_not_pad():
    _, _, C = product(63, 61, 40)
    s = sw.create_schedule(C)
    s.auto_buffer("sw26010", planner="greedy")
    assert not any(str(step).startswith("C_pad") for step in s.log)
