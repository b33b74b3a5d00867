"""`auto_buffer` on schedules in which some buffers are there, of the user or of a first call."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

RNG = np.random.default_rng(3)


def padded_convolution():
    """(arguments, padded image, sums) of 8 channels of 20 x 20, 16 filters of 3 x 3."""
    A = sw.placeholder((8, 20, 20), name="A")
    W = sw.placeholder((16, 8, 3, 3), name="W")

    def padded(c, y, x):
        inside = sw.all_of(y >= 1, y < 21, x >= 1, x < 21)
        return sw.select(inside, A[c, y - 1, x - 1], 0.0)

    P = sw.compute((8, 22, 22), padded, name="P")
    terms = [sw.reduce_axis(n, name=name) for n, name in ((8, "rc"), (3, "ry"), (3, "rx"))]
    rc, ry, rx = terms
    S = sw.compute(
        (16, 20, 20),
        lambda f, y, x: sw.sum(P[rc, y + ry, x + rx] * W[f, rc, ry, rx], axis=terms),
        name="S",
    )
    return [A, W, S], P, S


def check_convolution(s, arguments, target="sw26010"):
    image = RNG.integers(-3, 4, (8, 20, 20)).astype("f4")
    weights = RNG.integers(-3, 4, (16, 8, 3, 3)).astype("f4")
    padded = np.pad(image, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    expected = np.einsum("cyxrq,fcrq->fyx", windows, weights)
    kernel = sw.build(s, arguments, target=target)
    for landing in ("at_wait", "at_issue", "random"):
        with sw.emulator("hazard", landing=landing):
            np.testing.assert_array_equal(kernel.run(image, weights), expected)


def remark_on(plan, stage):
    (found,) = [(v, why) for what, v, why in plan.remarks if what == f"auto_buffer on '{stage}'"]
    return found


@pytest.mark.parametrize("planner", ["greedy", "optimal"])
def test_a_border_that_the_user_fills_stays(planner):
    arguments, P, S = padded_convolution()
    s = sw.create_schedule(S)
    yo, yi = s[S].split("y", factor=5)
    s[S].reorder("f", yo, "rc", "ry", "rx", yi, "x")
    s.buffer_read(P, at=yo, fill_padding=True)
    plan = s.auto_buffer("sw26010", planner=planner)
    assert remark_on(plan, "P") == ("left as it is", "it fills a buffer of its reader")
    (choice,) = plan.stages
    assert choice.stage == "S"
    assert set(choice.buffers) == {"WW", "SS"}
    check_convolution(s, arguments)


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
def test_a_second_call_keeps_the_first_plan(target):
    arguments, _, S = padded_convolution()
    s = sw.create_schedule(S)
    s.auto_buffer(target)
    steps = len(s.log)
    s.auto_buffer(target)
    assert len(s.log) == steps
    check_convolution(s, arguments, target)


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
