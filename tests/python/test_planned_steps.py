"""Stages whose iterations depend on each other, step by step on all cores: `auto_buffer`."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import HAZARDS


def jacobi(steps: int, lines: int, columns: int) -> tuple[sw.Tensor, sw.Tensor]:
    """Half a step p goes from U[p] to U[1 - p]."""
    u = sw.placeholder((2, lines + 2, columns + 2), "int32", name="U")

    def value(t: sw.Axis, p: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        beside = u[p, i + 1, j] + u[p, i + 1, j + 2]
        return beside + u[p, i, j + 1] - u[p, i + 2, j + 1] + t

    box = (steps, 2, lines, columns)
    return u, sw.update(u, box, lambda t, p, i, j: (1 - p, i + 1, j + 1), value)


def jacobi_of(u: np.ndarray, steps: int) -> np.ndarray:
    u = u.copy()
    for t in range(steps):
        for p in range(2):
            a = u[p]
            beside = a[1:-1, :-2] + a[1:-1, 2:]
            u[1 - p, 1:-1, 1:-1] = beside + a[:-2, 1:-1] - a[2:, 1:-1] + t
    return u


def heat(steps: int, lines: int, columns: int) -> list[sw.Tensor]:
    """All steps are kept; the edge stays what it is."""
    start = sw.placeholder((lines, columns), "int32", name="start")

    def value(h: sw.Tensor, t: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        is_inside = sw.all_of(i > 0, i < lines - 1, j > 0, j < columns - 1)
        change = h[t - 1, i - 1, j] + h[t - 1, i + 1, j] - h[t - 1, i, j - 1] - h[t - 1, i, j + 1]
        return sw.select(t == 0, start[i, j], h[t - 1, i, j] + sw.select(is_inside, change, 0))

    return [start, sw.recurrence((steps, lines, columns), value, "int32", name="H")]


def heat_of(start: np.ndarray, steps: int) -> np.ndarray:
    out = [start]
    for _ in range(steps - 1):
        h = out[-1]
        step = h.copy()
        step[1:-1, 1:-1] += h[:-2, 1:-1] + h[2:, 1:-1] - h[1:-1, :-2] - h[1:-1, 2:]
        out.append(step)
    return np.stack(out)


def numbers(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(7).integers(-3, 4, shape).astype("int32")


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize(("lines", "columns"), [(64, 64), (130, 37), (9, 100)])
def test_updates_in_place_run_on_all_cores(target: str, lines: int, columns: int) -> None:
    u, last = jacobi(3, lines, columns)
    s = sw.create_schedule(last)
    stage = s.auto_buffer(target)[last.name]
    assert stage.planner == "in order"
    assert stage.order[:3] == ("t", "p", stage.parallel)
    assert len(stage.buffers) == 2
    kernel = sw.build(s, [u], target=target, name="steps")
    given = numbers(u.shape)
    for policy in HAZARDS:
        array = given.copy()
        with sw.emulator(**policy):
            kernel(array)
        np.testing.assert_array_equal(array, jacobi_of(given, 3))


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize("fill_columns", [64, 39])
def test_a_recurrence_runs_on_all_cores(target: str, fill_columns: int) -> None:
    tensors = heat(5, 70, fill_columns)
    s = sw.create_schedule(tensors[-1])
    stage = s.auto_buffer(target)["H"]
    assert stage.parallel.startswith("i")
    assert len(stage.buffers) == 3  # the start, the step before, and this one
    kernel = sw.build(s, tensors, target=target, name="steps")
    start = numbers((70, fill_columns))
    for policy in HAZARDS:
        with sw.emulator(**policy):
            np.testing.assert_array_equal(kernel.run(start), heat_of(start, 5))


def test_both_sides_are_explained_and_the_model_is_near() -> None:
    u, last = jacobi(4, 128, 128)
    s = sw.create_schedule(last)
    stage = s.auto_buffer("sw26010")[last.name]
    assert f"cores of {last.name}: all cores, step by step" in str(s.explain("sw26010"))
    assert "(one core: " in str(s.explain("sw26010"))
    kernel = sw.build(s, [u], target="sw26010", name="steps")
    with sw.emulator(mode="timed"):
        kernel(numbers(u.shape))
    assert kernel.last_run is not None
    assert 0.5 < stage.cycles / (kernel.last_run.cycles - 30_000) < 1.4


def test_short_series_stay_on_one_core() -> None:
    u = sw.placeholder((2, 32), name="U")
    last = sw.update(
        u, (20, 2, 30), lambda t, p, i: (1 - p, i + 1), lambda t, p, i: u[p, i] - u[p, i + 2]
    )
    s = sw.create_schedule(last)
    stage = s.auto_buffer("sw26010")[last.name]
    assert stage.parallel is None
    assert "vectorized" in str(s)


def test_what_neighbours_write_in_one_step_keeps_it_on_one_core() -> None:
    a = sw.placeholder((9, 9), "int32", name="A")  # Gauss-Seidel: each point needs the one before
    last = sw.update(
        a, (3, 7, 7), lambda t, i, j: (i + 1, j + 1), lambda t, i, j: a[i, j + 1] + a[i + 1, j]
    )
    s = sw.create_schedule(last)
    stage = s.auto_buffer("sw26010")[last.name]
    assert stage.parallel is None
    given = numbers((9, 9))
    expected = given.copy()
    for _ in range(3):
        for i in range(1, 8):
            for j in range(1, 8):
                expected[i, j] = expected[i - 1, j] + expected[i, j - 1]
    kernel = sw.build(s, [a], target="sw26010", name="steps")
    for policy in HAZARDS:
        array = given.copy()
        with sw.emulator(**policy):
            kernel(array)
        np.testing.assert_array_equal(array, expected)
