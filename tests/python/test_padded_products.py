"""Products whose extents tiles do not divide, as `auto_buffer` pads them."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.convolutions import bordered_convolution
from support.landings import assert_equal_in_every_landing

RNG = np.random.default_rng(17)


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
    assert_equal_in_every_landing(kernel, [a, b], a @ b)


def test_whole_tiles_stay():
    _, _, C = product(64, 64, 63)
    s = sw.create_schedule(C)
    assert shape_decision(s.auto_buffer("sw26010")) is None


def test_a_convolution_with_its_border_and_its_reader():
    layer = bordered_convolution(10, 18, 13, 15)
    s = sw.create_schedule(layer.R)
    assert shape_decision(s.auto_buffer("sw26010")).chosen.startswith("padded to")
    image, weights = ints(10, 13, 15), ints(18, 10, 3, 3)
    expected = layer.relu(image, weights)
    kernel = sw.build(s, [layer.A, layer.W, layer.R], target="sw26010")
    assert_equal_in_every_landing(kernel, [image, weights], expected)


def test_two_products_one_after_the_other():
    A, B, C = product(30, 35, 26)
    E = sw.placeholder((35, 29), name="E")
    q = sw.reduce_axis(35, name="q")
    D = sw.compute((30, 29), lambda i, j: sw.sum(C[i, q] * E[q, j], axis=q), name="D")
    s = sw.create_schedule(D)
    s.auto_buffer("sw26010")
    a, b, e = ints(30, 26), ints(26, 35), ints(35, 29)
    kernel = sw.build(s, [A, B, E, D], target="sw26010")
    assert_equal_in_every_landing(kernel, [a, b, e], a @ b @ e)


def test_greedy_does_not_pad():
    _, _, C = product(63, 61, 40)
    s = sw.create_schedule(C)
    s.auto_buffer("sw26010", planner="greedy")
    assert not any(str(step).startswith("C_pad") for step in s.log)
