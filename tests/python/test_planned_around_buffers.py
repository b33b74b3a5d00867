"""`auto_buffer` on schedules in which some buffers are there, of the user or of a first call."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.convolutions import BorderedConvolution, bordered_convolution
from support.landings import assert_equal_in_every_landing

RNG = np.random.default_rng(3)


@pytest.fixture(scope="module")
def layer():
    return bordered_convolution(8, 16, 20, 20)


def check_sums(s, layer: BorderedConvolution, target="sw26010"):
    image = RNG.integers(-3, 4, (8, 20, 20)).astype("f4")
    weights = RNG.integers(-3, 4, (16, 8, 3, 3)).astype("f4")
    expected = layer.sums(image, weights)
    kernel = sw.build(s, [layer.A, layer.W, layer.S], target=target)
    assert_equal_in_every_landing(kernel, [image, weights], expected)


def remark_on(plan, stage):
    (found,) = [(v, why) for what, v, why in plan.remarks if what == f"auto_buffer on '{stage}'"]
    return found


@pytest.mark.parametrize("planner", ["greedy", "optimal"])
def test_a_border_that_the_user_fills_stays(planner, layer):
    P, S = layer.P, layer.S
    s = sw.create_schedule(S)
    yo, yi = s[S].split("y", factor=5)
    s[S].reorder("f", yo, "rc", "ry", "rx", yi, "x")
    s.buffer_read(P, at=yo, fill_padding=True)
    plan = s.auto_buffer("sw26010", planner=planner)
    assert remark_on(plan, "P") == ("left as it is", "it fills a buffer of its reader")
    (choice,) = plan.stages
    assert choice.stage == "S"
    assert set(choice.buffers) == {"WW", "SS"}
    check_sums(s, layer)


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
def test_a_second_call_keeps_the_first_plan(target, layer):
    s = sw.create_schedule(layer.S)
    s.auto_buffer(target)
    steps = len(s.log)
    s.auto_buffer(target)
    assert len(s.log) == steps
    check_sums(s, layer, target)


def test_a_second_call_leaves_what_it_cannot_plan_around():
    x = sw.placeholder((1, 2048), name="x")
    w = sw.placeholder((2048, 500), name="w")
    k = sw.reduce_axis(2048, name="k")
    F = sw.compute((1, 500), lambda i, j: sw.sum(x[i, k] * w[k, j], axis=k), name="F")
    R = sw.compute((1, 500), lambda i, j: sw.maximum(F[i, j], 0.0), name="R")
    s = sw.create_schedule(R)
    s.auto_buffer("sw26010")
    steps = len(s.log)
    verdict, why = remark_on(s.auto_buffer("sw26010"), "F")
    assert verdict == "left as it is"
    assert "across a transfer" in why
    assert len(s.log) == steps


def test_a_stage_of_several_nests_is_planned_by_greedy():
    A = sw.placeholder((64, 64), name="A")
    B = sw.placeholder((64, 64), name="B")
    k = sw.reduce_axis(64, name="k")
    C = sw.compute((64, 64), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    s[C].fission("i")
    plan = s.auto_buffer("sw26010")
    assert "several nests of loops" in remark_on(plan, "C")[1]
    a, b = (RNG.integers(-3, 4, (64, 64)).astype("f4") for _ in range(2))
    kernel = sw.build(s, [A, B, C], target="sw26010")
    with sw.emulator("hazard"):
        np.testing.assert_array_equal(kernel.run(a, b), a @ b)
