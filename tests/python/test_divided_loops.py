"""Quotients and remainders in indices: the planner divides loops at their divisors."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

LANDINGS = ["at_wait", "at_issue", "random"]


def planned(tensors):
    """A schedule by the planner, and what it says of each stage."""
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    return s, plan


def check(s, tensors, expected):
    """Runs it in hazard mode under each policy of completion."""
    kernel = sw.build(s, tensors, target="sw26010", name="layer")
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-3, 4, t.shape).astype("f4") for t in tensors[:-1]]
    for seed, landing in enumerate(LANDINGS):
        with sw.emulator("hazard", landing=landing, seed=seed):
            np.testing.assert_array_equal(kernel.run(*arrays), expected(*arrays))


def splits(s):
    """The factors by which loops of the last stage were divided first."""
    return [str(step) for step in s.log if step.primitive == "split"]


def grouped(groups, per_group, size, kernel=3):
    """A convolution of which each group of filters reads its own channels."""
    channels = groups * per_group
    edge = size + kernel - 1
    a = sw.placeholder((channels, edge, edge), name="A")
    w = sw.placeholder((channels, per_group, kernel, kernel), name="W")
    rc = sw.reduce_axis(per_group, name="rc")
    ry, rx = sw.reduce_axis(kernel, name="ry"), sw.reduce_axis(kernel, name="rx")
    s = sw.compute(
        (channels, size, size),
        lambda f, y, x: sw.sum(
            a[f // per_group * per_group + rc, y + ry, x + rx] * w[f, rc, ry, rx],
            axis=[rc, ry, rx],
        ),
        name="S",
    )

    def expected(a, w):
        views = np.lib.stride_tricks.sliding_window_view(a, (kernel, kernel), axis=(1, 2))
        views = views.reshape(groups, per_group, *views.shape[1:])
        weights = w.reshape(groups, per_group, per_group, kernel, kernel)
        return np.einsum("gcyxrq,gfcrq->gfyx", views, weights).reshape(channels, size, size)

    return [a, w, s], expected


def test_a_grouped_convolution_is_staged():
    tensors, expected = grouped(4, 8, 12)
    s, plan = planned(tensors)
    assert not plan.remarks
    assert set(plan.stages[-1].buffers) == {"AA", "WW", "SS"}
    assert any("factor=8" in text for text in splits(s))
    assert "divided where an index has a quotient" in str(s.explain("sw26010"))
    check(s, tensors, expected)


def test_remainders_and_quotients_of_one_loop():
    """Rows and columns of an image that one loop runs through."""
    rows, columns, depth = 16, 32, 24
    a = sw.placeholder((depth, rows + 2, columns + 2), name="A")
    w = sw.placeholder((32, depth), name="W")
    k = sw.reduce_axis(depth, name="k")
    s = sw.compute(
        (32, rows * columns),
        lambda f, p: sw.sum(a[k, p // columns + 1, p % columns + 1] * w[f, k], axis=k),
        name="S",
    )
    schedule, plan = planned([a, w, s])
    assert all("main memory" not in verdict for _, verdict, _ in plan.remarks)

    def expected(a, w):
        return w @ a[:, 1:-1, 1:-1].reshape(depth, -1)

    check(schedule, [a, w, s], expected)


def test_a_reduction_over_rows_and_columns_of_a_window():
    a = sw.placeholder((66, 66), name="A")
    r = sw.reduce_axis(9, name="r")
    s = sw.compute((64, 64), lambda y, x: sw.max(a[y + r // 3, x + r % 3], axis=r), name="S")
    schedule, _ = planned([a, s])

    def expected(a):
        return np.lib.stride_tricks.sliding_window_view(a, (3, 3)).max(axis=(2, 3))

    check(schedule, [a, s], expected)


@pytest.mark.parametrize("filters", [60, 64])
def test_blocks_that_do_not_fill_the_loop_or_do(filters):
    a = sw.placeholder((64, 32), name="A")
    s = sw.compute((filters, 32), lambda f, x: a[f // 16 * 16, x] + a[f % 16, x], name="S")
    schedule, _ = planned([a, s])

    def expected(a):
        f = np.arange(filters)
        return a[f // 16 * 16] + a[f % 16]

    check(schedule, [a, s], expected)


def test_what_the_user_splits_is_left_alone():
    tensors, expected = grouped(4, 8, 12)
    s = sw.create_schedule(tensors[-1])
    s[tensors[-1]].split("y", factor=4)
    s.auto_buffer("sw26010")
    assert splits(s)[0] == "y.o, y.i = s[S].split(y, factor=4)"
    assert not any("factor=8" in step and "split(f," in step for step in splits(s))
    check(s, tensors, expected)
