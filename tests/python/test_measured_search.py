"""The order in which `auto_schedule` tries plans, and when it keeps what it found."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway import _core
from solway._measured_search import Search, _aligned
from solway.auto_schedule import Alternative
from solway.expr import here

PLANS = {
    "C": (
        Alternative("two vectors", 100.0),
        Alternative("four vectors", 101.0),
        Alternative("two vectors, fewer rows", 100.5),
        Alternative("as it is written", 9000.0),
        Alternative("two vectors, silent", 102.0, 0),
        Alternative("four vectors, silent", 103.0, 1),
        Alternative("four vectors, copied", 2000.0, 1),
    ),
    "D": (Alternative("one", 2.0), Alternative("two", 2.5)),
}


def search(seconds=0.0):
    A = sw.placeholder((8,), name="A")
    B = sw.compute((8,), lambda i: A[i] + 1, name="B")
    return Search(sw.create_schedule(B)._state, "host", here(), seconds)


class Fixed:
    """What takes as long as it is told, one run after the other."""

    def __init__(self, *runs, spills=0):
        self.runs, self.least, self.spills = list(runs), float("inf"), spills

    def measure(self):
        run = self.runs.pop(0) if len(self.runs) > 1 else self.runs[0]
        self.least = min(self.least, run)


def test_stages_that_take_little_are_left():
    assert search()._stages(PLANS) == ["C"]


def test_kinds_are_tried_first_and_then_the_better_one_in_other_ways():
    tried = search()
    assert list(tried._work(["C"], PLANS)) == [("C", 1), ("C", 4), ("C", 2)]
    work = tried._work(["C"], PLANS)
    assert next(work) == ("C", 1)
    tried.picks["C"] = 1
    assert list(work) == [("C", 5), ("C", 2)]


def test_one_run_that_was_interrupted_is_no_verdict():
    best, other = Fixed(1.0), Fixed(9.0, 0.5)
    search()._compare(best, other)
    assert other.least == 0.5


def test_what_is_far_behind_is_run_twice():
    best, other = Fixed(1.0), Fixed(9.0, 8.0, 7.0)
    search()._compare(best, other)
    assert other.least == 8.0


@pytest.mark.parametrize(("again", "picks"), [(0.9, {"C": 1}), (0.99, {})])
def test_a_plan_that_was_better_by_chance_is_not_kept(again, picks):
    tried = search()
    tried.picks["C"] = 1
    first, best = Fixed(1.0), Fixed(again)
    first.least, best.least = 1.0, 0.5
    tried._confirm(first, best)
    assert tried.picks == picks


def test_the_model_choice_needs_no_second_look():
    tried = search()
    first = Fixed(1.0)
    tried._confirm(first, first)
    assert first.least == float("inf")


@pytest.mark.parametrize("shape", [(), (0, 4), (3,), (700, 900)])
@pytest.mark.parametrize("dtype", ["float32", "int8", "float64"])
def test_arrays_start_with_a_line(shape, dtype):
    values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    out = _aligned(values)
    assert out.size == 0 or out.ctypes.data % 64 == 0
    assert out.dtype == values.dtype
    np.testing.assert_array_equal(out, values)


def test_variants_name_the_tile_that_they_have():
    A, B = sw.placeholder((96, 128), name="A"), sw.placeholder((128, 64), name="B")
    k = sw.reduce_axis(128, name="k")
    C = sw.compute((96, 64), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    state = sw.create_schedule(C)._state
    *_, listed = _core.auto_schedule(state, "x86-64-v4", {}, here())
    plans = [Alternative(*plan) for plan in dict(listed)["C"]]
    variants = [plan for plan in plans if plan.of >= 0]
    assert variants
    assert all(plans[plan.of].of == -1 for plan in variants)
