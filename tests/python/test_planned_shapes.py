"""Plans of what is no box: triangles, and references that are far apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing

N = 64


def triangle(keep: Callable[[sw.Axis, sw.Axis], sw.Expr]) -> tuple[list[sw.Tensor], np.ndarray]:
    """Some elements of A transposed times A, and which ones."""
    a = sw.placeholder((N, N), name="A")
    k = sw.reduce_axis(N, name="k")
    c = sw.compute((N, N), lambda i, j: sw.sum(a[k, i] * a[k, j], axis=k), name="C", where=keep)
    i, j = np.indices((N, N))
    return [a, c], np.asarray(keep(i, j))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "keep",
    [lambda i, j: j <= i, lambda i, j: j >= i, lambda i, j: i + j < N],
    ids=["below the diagonal", "above it", "below the other one"],
)
def test_tiles_of_a_triangle_have_several_rows(keep: Callable[[sw.Axis, sw.Axis], sw.Expr]) -> None:
    tensors, is_kept = triangle(keep)
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert plan["C"].planner == "optimal"
    assert len(plan["C"].buffers) == 2
    assert not plan.remarks
    assert plan["C"].tiles["i"][0] > 1
    kernel = sw.build(s, tensors, target="sw26010", name="planned")
    rng = np.random.default_rng(3)
    a = rng.integers(-4, 5, (N, N)).astype("f4")
    with sw.emulator(mode="hazard"):
        found = kernel.run(a)
    np.testing.assert_array_equal(found[is_kept], (a.T @ a)[is_kept])
    assert kernel.last_run is not None
    assert kernel.last_run.bytes["gst"] == 0


def test_a_triangle_takes_less_than_by_the_greedy_planner() -> None:
    tensors, _ = triangle(lambda i, j: j <= i)
    cycles = {}
    for planner in ("greedy", "optimal"):
        s = sw.create_schedule(tensors[-1])
        s.auto_buffer("sw26010", planner=planner)
        kernel = sw.build(s, tensors, target="sw26010", name=planner)
        kernel.run(np.ones((N, N), "f4"), mode="timed")
        assert kernel.last_run is not None
        cycles[planner] = kernel.last_run.cycles
    assert cycles["optimal"] <= cycles["greedy"]


def test_references_too_far_apart_for_a_box() -> None:
    n = 1 << 15
    x = sw.placeholder((2 * n,), name="X")
    y = sw.compute((n,), lambda i: x[i] + x[i + n], name="Y")
    s = sw.create_schedule(y)
    plan = s.auto_buffer("sw26010", planner="greedy")
    (why,) = [remark[2] for remark in plan.remarks if remark[1] == "accessed in main memory"]
    assert "far apart" in why
    assert plan["Y"].buffers == ("YY",)
    values = np.arange(2 * n, dtype="f4")
    assert_equal_in_every_landing(
        sw.build(s, [x, y], target="sw26010", name="far"), [values], values[:n] + values[n:]
    )


def test_explain_says_what_no_buffer_can_hold() -> None:
    x = sw.placeholder((4096,), name="X")
    places = sw.placeholder((1024,), dtype="int32", name="P")
    y = sw.compute((1024,), lambda i: x[sw.bounded(places[i], 0, 4096)], name="Y")
    s = sw.create_schedule(y)
    plan = s.auto_buffer("sw26010")
    decisions = {d.what: d for d in plan["Y"].decisions}
    assert decisions["stage X"].chosen == "accessed in main memory"
    assert decisions["stage X"].why_not
    assert "double-buffer X" not in decisions
    assert decisions["stage P"].chosen == "staged"


def test_what_wraps_around_stays_in_main_memory_where_its_box_has_no_room() -> None:
    n = 60
    A = sw.placeholder((n, n), name="A")
    C = sw.compute((n, n), lambda i, j: A[i, (j + 17) % n] + A[(i + 1) % n, j], name="C")
    s = sw.create_schedule(C)
    plan = s.auto_buffer("example-microcontroller", planner="greedy")
    ((what, verdict, why),) = plan.remarks
    assert (what, verdict) == ("auto_buffer of 'A' in 'C'", "accessed in main memory")
    assert "the box around what a tile touches of it has no room" in why
    a = np.random.default_rng(1).integers(-9, 10, (n, n)).astype("f4")
    kernel = sw.build(s, [A, C], target="example-microcontroller")
    assert_equal_in_every_landing(kernel, [a], np.roll(a, -17, 1) + np.roll(a, -1, 0))
