"""Tensors that the optimal planner stores in other layouts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing

Program = tuple[list[sw.Tensor], Callable[..., np.ndarray]]


def linear(rows: int, outputs: int, inputs: int, dtype: str = "float32") -> Program:
    """The weights as they are kept: [output][input]."""
    x = sw.placeholder((rows, inputs), dtype, name="X")
    w = sw.placeholder((outputs, inputs), dtype, name="W")
    k = sw.reduce_axis(inputs, name="k")
    s = sw.compute((rows, outputs), lambda i, j: sw.sum(x[i, k] * w[j, k], axis=k), name="S")
    y = sw.compute((rows, outputs), lambda i, j: sw.maximum(s[i, j], 0.0), name="Y")
    return [x, w, y], lambda x, w: np.maximum(x @ w.T, 0)


def two_linear(rows: int, size: int) -> Program:
    """Two products with the same weights, of which one is the output itself."""
    x = sw.placeholder((rows, size), name="X")
    w = sw.placeholder((size, size), name="W")
    k, r = sw.reduce_axis(size, name="k"), sw.reduce_axis(size, name="r")
    s = sw.compute((rows, size), lambda i, j: sw.sum(x[i, k] * w[j, k], axis=k), name="S")
    y = sw.compute((rows, size), lambda i, j: sw.sum(s[i, r] * w[j, r], axis=r), name="Y")
    return [x, w, y], lambda x, w: x @ w.T @ w.T


def convolution(
    channels: int, size: int, filters: int, values: np.ndarray | None = None
) -> Program:
    """3 x 3, padded, with a ReLU; weights [filter][channel][line][column], constant or not."""
    a = sw.placeholder((channels, size, size), name="A")
    shape = (filters, channels, 3, 3)
    w = sw.placeholder(shape, name="W") if values is None else sw.constant(values, name="W")
    rc, ry, rx = (sw.reduce_axis(n, name=x) for n, x in ((channels, "rc"), (3, "ry"), (3, "rx")))

    def inside(c: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        there = sw.all_of(1 <= y, y < size + 1, 1 <= x, x < size + 1)
        return sw.select(there, a[c, y - 1, x - 1], 0.0)

    p = sw.compute((channels, size + 2, size + 2), inside, name="P")
    s = sw.compute(
        (filters, size, size),
        lambda f, y, x: sw.sum(p[rc, y + ry, x + rx] * w[f, rc, ry, rx], axis=[rc, ry, rx]),
        name="S",
    )
    b = sw.compute((filters, size, size), lambda f, y, x: sw.maximum(s[f, y, x], 0.0), name="B")

    def expected(a: np.ndarray, w: np.ndarray = values) -> np.ndarray:
        views = np.lib.stride_tricks.sliding_window_view(
            np.pad(a, ((0, 0), (1, 1), (1, 1))), (3, 3), axis=(1, 2)
        )
        return np.maximum(np.einsum("cyxrq,fcrq->fyx", views, w), 0)

    return [a, b] if values is not None else [a, w, b], expected


def constant_weights() -> Program:
    rng = np.random.default_rng(5)
    return convolution(64, 13, 64, rng.integers(-3, 4, (64, 64, 3, 3)).astype("f4"))


PROGRAMS: dict[str, tuple[Callable[[], Program], list[str]]] = {
    "linear": (lambda: linear(4096, 64, 128), ["W"]),
    "linear, rows that do not divide": (lambda: linear(4099, 64, 100), ["W"]),
    "the same weights twice": (lambda: two_linear(4096, 64), ["W"]),
    "constant weights": (constant_weights, ["W", "S"]),
    "weights": (lambda: convolution(128, 13, 128), ["W", "S"]),
}


def inputs_of(tensors: list[sw.Tensor]) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [rng.integers(-3, 4, t.shape).astype(str(t.dtype)) for t in tensors[:-1]]


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_and_hazards(name: str) -> None:
    make, moved = PROGRAMS[name]
    tensors, expected = make()
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    steps = [step for step in s.log if step.primitive == "transform_layout"]
    assert sorted(step.stage for step in steps) == sorted(moved)
    decision = next(d for d in plan["S"].decisions if d.what == "layouts that S uses")
    assert decision.instead == "as they are"
    assert decision.cycles < decision.instead_cycles
    assert str(decision) in str(s.explain("sw26010"))
    kernel = sw.build(s, tensors, target="sw26010", name="planned")
    inputs = inputs_of(tensors)
    assert_equal_in_every_landing(kernel, inputs, expected(*inputs))


def test_constant_weights_are_turned_when_building() -> None:
    tensors, _ = constant_weights()
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert "W_layout" not in [stage.stage for stage in plan.stages]


def test_weights_are_turned_in_near_memory_where_they_are_read() -> None:
    tensors, expected = convolution(128, 13, 128)
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert "W_layout" not in [stage.stage for stage in plan.stages]
    decision = next(d for d in plan["S"].decisions if d.what == "the layout W_layout")
    assert decision.chosen == "turned in near memory, where it is read"
    assert decision.cycles < decision.instead_cycles
    steps = [step.primitive for step in s.log if step.stage == "W_layout"]
    assert steps[0] == "compute_at" and {"vectorize", "buffer_read"} <= set(steps)
    names = {"sw": sw, "outputs": [tensors[-1]]}
    exec(s.to_python(), names)
    assert str(names["s"]) == str(s)
    kernel = sw.build(s, tensors, target="sw26010", name="planned")
    inputs = inputs_of(tensors)
    np.testing.assert_array_equal(kernel.run(*inputs), expected(*inputs))
    s.auto_buffer("sw26010")  # what was planned before stays
    assert str(s) == str(names["s"])


def test_weights_of_one_pixel_are_turned_in_near_memory() -> None:
    """Dimensions of one element do not hinder it."""
    a, w = sw.placeholder((128, 14, 14), name="A"), sw.placeholder((128, 128, 1, 1), name="W")
    rc, ry, rx = (sw.reduce_axis(n, name=x) for n, x in ((128, "rc"), (1, "ry"), (1, "rx")))
    c = sw.compute(
        (128, 14, 14),
        lambda f, y, x: sw.sum(a[rc, y + ry, x + rx] * w[f, rc, ry, rx], axis=[rc, ry, rx]),
        name="C",
    )
    s = sw.create_schedule(c)
    plan = s.auto_buffer("sw26010")
    assert "W_layout" not in [stage.stage for stage in plan.stages]
    assert "compute_at" in [step.primitive for step in s.log if step.stage == "W_layout"]
    kernel = sw.build(s, [a, w, c], target="sw26010", name="planned")
    image, weights = inputs_of([a, w, c])
    expected = np.einsum("cyx,fc->fyx", image, weights[:, :, 0, 0])
    assert_equal_in_every_landing(kernel, [image, weights], expected)


def test_weights_that_stand_around_the_tiles_of_the_output_are_turned() -> None:
    tensors, expected = convolution(3, 55, 64)
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert "W_layout" not in [stage.stage for stage in plan.stages]
    assert "compute_at" in [step.primitive for step in s.log if step.stage == "W_layout"]
    kernel = sw.build(s, tensors, target="sw26010", name="planned")
    inputs = inputs_of(tensors)
    assert_equal_in_every_landing(kernel, inputs, expected(*inputs))


def test_what_is_printed_makes_the_same_schedule() -> None:
    tensors, _ = linear(4096, 64, 128)
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010")
    assert "s.transform_layout(W, lambda j, k: (k, j))" in s.to_python()
    names = {"sw": sw, "outputs": [tensors[-1]]}
    exec(s.to_python(), names)
    assert str(names["s"]) == str(s)


def test_a_layout_that_costs_more_is_the_other_side() -> None:
    tensors, _ = linear(4, 512, 4096)
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    decision = next(d for d in plan["S"].decisions if d.what == "layouts that S uses")
    assert decision.chosen == "as they are"
    assert not [step for step in s.log if step.primitive == "transform_layout"]


def test_the_greedy_planner_leaves_layouts() -> None:
    tensors, _ = linear(4096, 64, 128)
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010", planner="greedy")
    assert not [step for step in s.log if step.primitive == "transform_layout"]


@pytest.mark.parametrize("planner", ["optimal", "greedy"])
def test_layouts_of_the_user_are_planned_with(planner: str) -> None:
    a = sw.placeholder((24, 40), name="A")
    w = sw.placeholder((32, 40), name="W")
    k = sw.reduce_axis(40, name="k")
    c = sw.compute((24, 32), lambda i, j: sw.sum(a[i, k] * w[j, k], axis=k), name="C")
    s = sw.create_schedule(c)
    s.transform_layout(w, lambda j, k: (k, j))
    s.transform_layout(c, lambda i, j: (j, i))
    plan = s.auto_buffer("sw26010", planner=planner)
    assert {stage.planner for stage in plan.stages} == {planner}
    names = {"sw": sw, "outputs": [c]}
    exec(s.to_python(), names)
    assert str(names["s"]) == str(s)
    kernel = sw.build(s, [a, w, c], target="sw26010", name="planned")
    x, y = inputs_of([a, w, c])
    assert_equal_in_every_landing(kernel, [x, y], x @ y.T)
