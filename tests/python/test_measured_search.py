"""The order in which `auto_schedule` tries plans, and when it keeps what it found."""

from __future__ import annotations

import contextlib
import math
import os
import pty
import re
import subprocess
import sys
import termios
import time
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from solway import _core
from solway._measured_search import Search, _aligned, _values
from solway.auto_schedule import Alternative
from solway.expr import here
from solway.schedule import Schedule


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("SOLWAY_CACHE", str(tmp_path / "cache"))


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
        self.is_steady = False

    def measure(self):
        run = self.runs.pop(0) if len(self.runs) > 1 else self.runs[0]
        self.least = min(self.least, run)


def test_stages_that_take_little_are_left():
    assert search()._stages(PLANS) == ["C"]


def test_how_many_rows_are_together_is_tried_before_stages():
    rows = (Alternative("2 rows together", 2.0), Alternative("4 rows together", 2.0))
    assert search()._stages({**PLANS, "rows of D": rows}) == ["rows of D", "C"]


def softmax():
    X = sw.placeholder((40, 32), name="X")
    k, t = sw.reduce_axis(32, name="k"), sw.reduce_axis(32, name="t")
    M = sw.compute((40,), lambda i: sw.max(X[i, k], axis=k), name="M")
    E = sw.compute((40, 32), lambda i, j: sw.exp(X[i, j] - M[i]), name="E")
    S = sw.compute((40,), lambda i: sw.sum(E[i, t], axis=t), name="S")
    return X, sw.compute((40, 32), lambda i, j: E[i, j] / S[i], name="Y")


def test_more_rows_together_are_a_plan_that_can_be_picked():
    X, Y = softmax()
    s = sw.create_schedule(Y)
    before = s._state
    chosen = s.auto_schedule("host", search=False)
    rows = [plan.text for plan in chosen.alternatives["rows of Y"]]
    assert rows == ["2 rows together", "4 rows together"]
    state, _, _, others = _core.auto_schedule(
        before, "host", {"rows of Y": 1}, here(), fast_math=False
    )
    assert "rows of Y" not in dict(others)
    four = Schedule(state)
    assert "factor=2" in s.to_python() and "factor=4" in four.to_python()
    x = np.random.default_rng(3).standard_normal((40, 32)).astype("float32")
    two = sw.build(s, [X, Y]).run(x)
    assert np.array_equal(sw.build(four, [X, Y]).run(x), two)


def test_the_search_says_how_many_rows_it_tried_and_remembers():
    _, Y = softmax()
    s = sw.create_schedule(Y)
    found = s.auto_schedule("host", seconds=60)
    tried = {trial.text: trial for trial in found.trials if trial.stage == "rows of Y"}
    assert set(tried) == {"2 rows together", "4 rows together"}
    factor = 4 if tried["4 rows together"].is_chosen else 2
    assert f"factor={factor}" in s.to_python()
    again = sw.create_schedule(softmax()[1])
    again.auto_schedule("host", seconds=60)
    assert again.to_python() == s.to_python()


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
    out = _aligned(shape, np.dtype(dtype))
    assert out.size == 0 or out.ctypes.data % 64 == 0
    assert out.dtype == dtype
    assert out.shape == shape
    out[...] = 1
    assert out.sum() == math.prod(shape)


@pytest.mark.parametrize("shape", [(), (0, 4), (3,), (300, 700)])
@pytest.mark.parametrize("dtype", ["float32", "int8", "float64"])
def test_values_are_small_whole_numbers(shape, dtype):
    out = _values(sw.placeholder(shape, dtype=dtype, name="A"))
    assert set(np.unique(out)) <= set(range(-3, 4))
    assert out.size < 1000 or len(np.unique(out)) == 7
    assert out.shape == shape
    assert out.dtype == dtype


def test_a_long_run_that_is_far_behind_is_not_repeated():
    best, other = Fixed(1.0), Fixed(0.1)
    best.least, other.least, other.is_steady = 1.0, 9.0, True
    search()._compare(best, other)
    assert other.least == 9.0


def product(n):
    A, B = sw.placeholder((n, n), name="A"), sw.placeholder((n, n), name="B")
    k = sw.reduce_axis(n, name="k")
    return sw.compute((n, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")


def why_of(chosen):
    return [why for _, verdict, why in chosen.remarks if verdict == "other plans were not tried"]


def test_a_search_without_time_takes_the_model_choice():
    alone = sw.create_schedule(product(64))
    alone.auto_schedule(search=False)
    s = sw.create_schedule(product(64))
    chosen = s.auto_schedule(seconds=1e-6)
    assert chosen.trials == ()
    assert s.to_python() == alone.to_python()
    (why,) = why_of(chosen)
    assert "model's planning took most" in why


def test_a_plan_is_not_begun_that_would_end_too_late(monkeypatch):
    tried = search(seconds=100.0)
    tried._preparing = 20.0
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 60.0)
    assert tried._has_room(5.0)
    assert not tried._has_room(15.0)


def test_turns_take_longer_with_a_slower_plan_and_with_what_was_found():
    first, best = Fixed(1.0), Fixed(1.0)
    first.first = best.first = best.least = 1e-3
    tried = search()
    assert tried._runs_of(best, best, 1.0) < tried._runs_of(best, best, 4.0)
    assert tried._runs_of(best, best, 1.0) < tried._runs_of(first, best, 1.0)


def test_a_search_that_ended_early_is_repeated_with_more_time():
    short = sw.create_schedule(product(64)).auto_schedule(seconds=1e-6)
    assert why_of(short)
    assert sw.create_schedule(product(64)).auto_schedule(seconds=1e-7).trials == ()
    longer = sw.create_schedule(product(64)).auto_schedule(seconds=20)
    assert longer.trials
    assert not why_of(longer)
    assert sw.create_schedule(product(64)).auto_schedule(seconds=1e-6).trials == longer.trials


def test_the_schedule_is_that_of_the_plan_that_was_found():
    s = sw.create_schedule(product(96))
    chosen = s.auto_schedule(seconds=20)
    picks = {
        trial.stage: [plan.text for plan in chosen.alternatives[trial.stage]].index(trial.text)
        for trial in chosen.trials
        if trial.is_chosen
    }
    state, *_ = _core.auto_schedule(sw.create_schedule(product(96))._state, "host", picks, here())
    assert s.to_python() == Schedule(state).to_python()


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


SEARCH = """
import solway as sw
A, B = sw.placeholder((96, 96), name="A"), sw.placeholder((96, 96), name="B")
k = sw.reduce_axis(96, name="k")
C = sw.compute((96, 96), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
assert sw.create_schedule(C).auto_schedule(seconds=20).trials
"""


def stderr_of_a_search(ends):
    """What a process shows that searches; `ends`: of a terminal or a pipe, to read and to write."""
    reader, writer = ends
    environment = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    text = b""
    with subprocess.Popen([sys.executable, "-c", SEARCH], stderr=writer, env=environment) as run:
        os.close(writer)
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(reader, 4096):
                text += part
    os.close(reader)
    assert run.returncode == 0, text.decode()
    return text.decode()


def test_a_terminal_shows_how_far_the_search_is():
    ends = pty.openpty()
    termios.tcsetwinsize(ends[0], (24, 80))
    text = stderr_of_a_search(ends)
    assert re.search(r"\rauto_schedule: +\d+%.* 1/\d+ .* us\]", text)
    assert text.rstrip(" ").endswith("\r")  # nothing is left of it


def test_a_search_shows_nothing_elsewhere():
    assert stderr_of_a_search(os.pipe()) == ""
