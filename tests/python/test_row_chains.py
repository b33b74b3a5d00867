"""Stages that pass on rows are planned together: what they pass on stays in near memory."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.programs import load_program

LAYERS = load_program("bench/sunway/layer_programs.py")
LANDINGS = ("at_issue", "at_wait", "random")


def centred(*shape: int) -> tuple[sw.Tensor, sw.Tensor]:
    """Twice the rows less their largest element, less the sum of that: integers stay exact."""
    *rows, n = shape
    x = sw.placeholder(shape, name="X")
    k, j = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="j")
    top = sw.compute(tuple(rows), lambda *i: sw.max(x[(*i, k)], axis=k), name="top")
    d = sw.compute(shape, lambda *i: x[i] - top[i[:-1]], name="D")
    total = sw.compute(tuple(rows), lambda *i: sw.sum(d[(*i, j)], axis=j), name="total")
    y = sw.compute(shape, lambda *i: d[i] * 2.0 - total[i[:-1]], name="Y")
    return x, y


def expected(x: np.ndarray) -> np.ndarray:
    d = x - x.max(axis=-1, keepdims=True)
    return d * 2 - d.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
@pytest.mark.parametrize(
    "shape", [(512, 128), (100, 77), (3, 40), (1, 64), (5, 7, 24), (130, 2, 9)]
)
def test_rows_are_planned_together_and_right(shape: tuple[int, ...], target: str) -> None:
    x, y = centred(*shape)
    s = sw.create_schedule(y)
    s.auto_buffer(target)
    values = np.random.default_rng(1).integers(-9, 9, shape).astype(np.float32)
    kernel = sw.build(s, [x, y], target=target, name="rows")
    for seed, landing in enumerate(LANDINGS):
        with sw.emulator(mode="hazard", landing=landing, seed=seed):
            np.testing.assert_array_equal(kernel.run(values), expected(values))


def test_what_is_passed_on_stays_in_near_memory() -> None:
    x, y = centred(512, 128)
    s = sw.create_schedule(y)
    plan = s.auto_buffer("sw26010")
    assert [stage.stage for stage in plan.stages] == ["Y"]
    assert plan.remarks == ()
    assert "where top, D, total are computed: row by row with Y" in str(s.explain("sw26010"))
    kernel = sw.build(s, [x, y], target="sw26010", name="rows")
    values = np.ones((512, 128), np.float32)
    kernel.run(values)
    assert kernel.last_run is not None
    moved = kernel.last_run.bytes
    # X once for the largest and the differences; the results once.
    assert sum(moved.values()) < 2.2 * values.nbytes
    again = sw.create_schedule(y)
    exec(s.to_python(), {"sw": sw, "outputs": [y]}, found := {})
    assert str(found["s"]) == str(s) != str(again)


def test_a_buffer_serves_several_stages() -> None:
    x = sw.placeholder((32, 24), name="X")
    k = sw.reduce_axis(24, name="k")
    top = sw.compute((32,), lambda i: sw.max(x[i, k], axis=k), name="top")
    y = sw.compute((32, 24), lambda i, c: x[i, c] - top[i], name="Y")
    s = sw.create_schedule(y)
    outer, _ = s[y].split("i", factor=4)
    s[y].parallel(outer)
    s[top].compute_at(y, outer)
    s.buffer_read(x, at=outer, readers=[top, y])
    s.buffer_write(y, at=outer)
    assert str(s).count(" = X[") == 1
    values = np.random.default_rng(6).integers(-9, 9, (32, 24)).astype(np.float32)
    kernel = sw.build(s, [x, y], target="sw26010", name="shared")
    for seed, landing in enumerate(LANDINGS):
        with sw.emulator(mode="hazard", landing=landing, seed=seed):
            found = kernel.run(values)
            np.testing.assert_array_equal(found, values - values.max(axis=1, keepdims=True))
    exec(s.to_python(), {"sw": sw, "outputs": [y]}, again := {})
    assert str(again["s"]) == str(s)


def test_a_buffer_of_several_stages_holds_what_each_needs() -> None:
    x = sw.placeholder((16, 20), name="X")
    k = sw.reduce_axis(20, name="k")
    left = sw.compute((16,), lambda i: sw.sum(x[i, k], axis=k), name="left")
    y = sw.compute((16, 10), lambda i, c: x[i, c + 10] + left[i], name="Y")
    s = sw.create_schedule(y)
    outer, _ = s[y].split("i", factor=4)
    s[left].compute_at(y, outer)
    s.buffer_read(x, at=outer, readers=[left, y], depth=2)
    values = np.random.default_rng(7).integers(-9, 9, (16, 20)).astype(np.float32)
    kernel = sw.build(s, [x, y], target="sw26010", name="parts")
    for landing in LANDINGS:
        with sw.emulator(mode="hazard", landing=landing):
            found = kernel.run(values)
            np.testing.assert_array_equal(found, values[:, 10:] + values.sum(axis=1)[:, None])


def test_a_stage_of_the_users_is_left() -> None:
    x, y = centred(512, 128)
    s = sw.create_schedule(y)
    total = next(t for t in y.inputs if t.name == "total")
    s[total].split(total.axis[0], factor=4)
    plan = s.auto_buffer("sw26010")
    assert "total" in [stage.stage for stage in plan.stages]
    values = np.random.default_rng(2).integers(-9, 9, (512, 128)).astype(np.float32)
    found = sw.build(s, [x, y], target="sw26010", name="rows").run(values)
    np.testing.assert_array_equal(found, expected(values))


def test_rows_that_do_not_fit_are_planned_by_themselves() -> None:
    x, y = centred(64, 9000)  # 36 KB for a row, twice with what is passed on
    s = sw.create_schedule(y)
    plan = s.auto_buffer("sw26010")
    assert len(plan.stages) == 4
    values = np.random.default_rng(3).integers(-9, 9, (64, 9000)).astype(np.float32)
    found = sw.build(s, [x, y], target="sw26010", name="rows").run(values)
    np.testing.assert_array_equal(found, expected(values))


def test_a_result_that_others_see_is_stored() -> None:
    x, y = centred(128, 64)
    d = next(t for t in y.inputs if t.name == "D")
    s = sw.create_schedule([y, d])
    s.auto_buffer("sw26010")
    values = np.random.default_rng(4).integers(-9, 9, (128, 64)).astype(np.float32)
    found, differences = sw.build(s, [x, y, d], target="sw26010", name="rows").run(values)
    np.testing.assert_array_equal(found, expected(values))
    np.testing.assert_array_equal(differences, values - values.max(axis=1, keepdims=True))


@pytest.mark.parametrize("name", ["softmax", "layer_norm"])
def test_layers_are_one_nest(name: str) -> None:
    layer = getattr(LAYERS, name)(96, 40)
    s = sw.create_schedule(layer.tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert len(plan.stages) == 1
    arrays = layer.inputs()
    found = sw.build(s, layer.tensors, target="sw26010", name="layer").run(*arrays)
    exact = layer.expected(*(a.astype("f8") for a in arrays))
    assert np.abs(found - exact).max() <= layer.tolerance * np.abs(exact).max()
