"""Schedules by the optimal planner: their results, their cycles against the model and greedy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import solway as sw
from support.convolutions import bordered_convolution
from support.landings import assert_equal_in_every_landing

START = 30_000  # cycles: the start and the end of the cores, targets/sw26010.toml
Program = tuple[list[sw.Tensor], Callable[..., np.ndarray]]


def matmul(m: int, n: int, depth: int, dtype: str = "float32") -> Program:
    a = sw.placeholder((m, depth), dtype=dtype, name="A")
    b = sw.placeholder((depth, n), dtype=dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((m, n), lambda x, y: sw.sum(a[x, k] * b[k, y], axis=k), name="C")
    return [a, b, c], lambda a, b: a @ b


def convolution(channels: int, size: int, filters: int, kernel: int) -> Program:
    """With padding as a stage of its own, and a ReLU."""
    layer = bordered_convolution(channels, filters, size, size, kernel)
    return [layer.A, layer.W, layer.R], layer.relu


def elementwise(*shape: int) -> Program:
    x = sw.placeholder(shape, name="X")
    z = sw.placeholder(shape, name="Z")
    y = sw.compute(shape, lambda *i: sw.maximum(x[i] * 3.0 + z[i], 0.0), name="Y")
    return [x, z, y], lambda x, z: np.maximum(3 * x + z, 0)


def pool(channels: int, size: int, kernel: int, stride: int) -> Program:
    out = (size - kernel) // stride + 1
    a = sw.placeholder((channels, size, size), name="A")
    ry, rx = sw.reduce_axis(kernel, name="ry"), sw.reduce_axis(kernel, name="rx")
    p = sw.compute(
        (channels, out, out),
        lambda c, y, x: sw.max(a[c, y * stride + ry, x * stride + rx], axis=[ry, rx]),
        name="P",
    )

    def expected(a: np.ndarray) -> np.ndarray:
        views = np.lib.stride_tricks.sliding_window_view(a, (kernel, kernel), axis=(1, 2))
        return views[:, ::stride, ::stride].max(axis=(3, 4))

    return [a, p], expected


PROGRAMS: dict[str, Callable[[], Program]] = {
    "product": lambda: matmul(64, 128, 96),
    "product that does not divide": lambda: matmul(13, 201, 97),
    "one row": lambda: matmul(1, 1000, 128),
    "doubles": lambda: matmul(16, 64, 64, "float64"),
    "convolution": lambda: convolution(8, 16, 16, 3),
    "elementwise": lambda: elementwise(5000),
    "planes": lambda: elementwise(7, 5, 33),
    "pool": lambda: pool(16, 15, 3, 2),
    "pool without overlap": lambda: pool(8, 16, 2, 2),
}


def planned(program: Program, planner: str, target: str = "sw26010") -> tuple[sw.Kernel, object]:
    s = sw.create_schedule(program[0][-1])
    plan = s.auto_buffer(target, planner=planner)
    return sw.build(s, program[0], target=target, name="planned"), plan


def inputs_of(program: Program) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [rng.integers(-4, 5, t.shape).astype(str(t.dtype)) for t in program[0][:-1]]


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_and_hazards(name: str) -> None:
    program = PROGRAMS[name]()
    kernel, plan = planned(program, "optimal")
    assert all(stage.planner == "optimal" for stage in plan.stages)
    assert not plan.remarks
    inputs = inputs_of(program)
    expected = program[1](*inputs)
    assert_equal_in_every_landing(kernel, inputs, expected)


@pytest.mark.parametrize(
    "name", ["product", "one row", "elementwise", "pool", "pool without overlap"]
)
def test_cycles_are_those_of_the_emulator_and_below_greedy(name: str) -> None:
    program = PROGRAMS[name]()
    inputs = inputs_of(program)
    cycles = {}
    for planner in ("optimal", "greedy"):
        kernel, plan = planned(program, planner)
        kernel.run(*inputs, mode="timed")
        cycles[planner] = kernel.last_run.cycles
        if planner == "optimal":
            model = sum(stage.cycles for stage in plan.stages) + START
    assert cycles["optimal"] <= cycles["greedy"]
    assert 0.7 < model / cycles["optimal"] < 1.4


def test_the_other_machine() -> None:
    program = matmul(32, 128, 64)
    kernel, plan = planned(program, "optimal", "sw26010pro")
    assert plan["C"].planner == "optimal"
    inputs = inputs_of(program)
    np.testing.assert_array_equal(kernel.run(*inputs), program[1](*inputs))


def test_it_is_the_default() -> None:
    s = sw.create_schedule(matmul(16, 64, 32)[0][-1])
    assert s.auto_buffer("sw26010")["C"].planner == "optimal"


def test_a_buffer_of_the_user_is_kept() -> None:
    program = matmul(1, 64, 64)
    _, b, c = program[0]
    s = sw.create_schedule(c)
    yo, _ = s[c].split("y", factor=16)
    s.buffer_read(b, at=yo)
    plan = s.auto_buffer("sw26010")
    assert plan["C"].buffers == ("AA", "CC")
    assert "has a buffer" in plan.remarks[0][2]


def test_a_host_has_no_figures() -> None:
    s = sw.create_schedule(matmul(1, 8, 8)[0][-1])
    with pytest.raises(sw.UnsupportedError, match="no cost model"):
        s.auto_buffer("host")


def test_explain_prints_both_sides() -> None:
    s = sw.create_schedule(matmul(64, 128, 96)[0][-1])
    s.auto_buffer("sw26010")
    explained = s.explain("sw26010")
    text = str(explained)
    assert "plan of C: " in text
    assert "stage A: staged, " in text
    assert "double-buffer B: " in text
    assert "the greedy plan: " in text
    decisions = explained.to_dict()["plans"][0]["decisions"]
    staged = next(d for d in decisions if d["what"] == "stage A")
    assert staged["instead_cycles"] > staged["cycles"]
    assert "Plan of" in explained.to_html()


def test_the_plan_replays_from_its_script() -> None:
    program = matmul(32, 64, 64)
    s = sw.create_schedule(program[0][-1])
    s.auto_buffer("sw26010")
    scope = {"sw": sw, "outputs": [program[0][-1]]}
    exec(s.to_python(), scope)
    assert str(scope["s"]) == str(s)


def batch(count: int, m: int, n: int, depth: int) -> Program:
    a = sw.placeholder((count, m, depth), name="A")
    b = sw.placeholder((count, depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((count, m, n), lambda g, i, j: sw.sum(a[g, i, k] * b[g, k, j], axis=k), name="C")
    return [a, b, c], lambda a, b: a @ b


def pointwise(channels: int, size: int, filters: int) -> Program:
    """A convolution with one weight for each pair of channels."""
    a = sw.placeholder((channels, size, size), name="A")
    w = sw.placeholder((filters, channels), name="W")
    k = sw.reduce_axis(channels, name="k")
    c = sw.compute(
        (filters, size, size), lambda f, y, x: sw.sum(a[k, y, x] * w[f, k], axis=k), name="C"
    )
    return [a, w, c], lambda a, w: np.einsum("cyx,fc->fyx", a, w)


def window(channels: int, out: int, filters: int, kernel: int, stride: int = 1) -> Program:
    """A convolution without padding, the filters of the result side by side."""
    size = (out - 1) * stride + kernel
    a = sw.placeholder((channels, size, size), name="A")
    w = sw.placeholder((channels, kernel, kernel, filters), name="W")
    rc, ry, rx = (
        sw.reduce_axis(n, name=name)
        for n, name in ((channels, "rc"), (kernel, "ry"), (kernel, "rx"))
    )
    c = sw.compute(
        (out, out, filters),
        lambda y, x, f: sw.sum(
            a[rc, y * stride + ry, x * stride + rx] * w[rc, ry, rx, f], axis=[rc, ry, rx]
        ),
        name="C",
    )

    def expected(a: np.ndarray, w: np.ndarray) -> np.ndarray:
        views = np.lib.stride_tricks.sliding_window_view(a, (kernel, kernel), axis=(1, 2))
        return np.einsum("cyxrq,crqf->yxf", views[:, ::stride, ::stride], w)

    return [a, w, c], expected


def sliding(channels: int, out: int, filters: int, kernel: int) -> Program:
    """A convolution without padding, the columns of the result side by side."""
    tensors, of_last = window(channels, out, filters, kernel)
    a = tensors[0]
    w = sw.placeholder((filters, channels, kernel, kernel), name="W")
    rc, ry, rx = (
        sw.reduce_axis(n, name=name)
        for n, name in ((channels, "rc"), (kernel, "ry"), (kernel, "rx"))
    )
    c = sw.compute(
        (filters, out, out),
        lambda f, y, x: sw.sum(a[rc, y + ry, x + rx] * w[f, rc, ry, rx], axis=[rc, ry, rx]),
        name="C",
    )
    return [a, w, c], lambda a, w: of_last(a, w.transpose(1, 2, 3, 0)).transpose(2, 0, 1)


PRODUCTS: dict[str, Callable[[], Program]] = {
    "product": lambda: matmul(256, 256, 256),
    "product of doubles": lambda: matmul(128, 128, 64, "float64"),
    "reduction in one tile": lambda: matmul(128, 128, 32),
    "batch": lambda: batch(8, 64, 64, 64),
    "pointwise": lambda: pointwise(32, 16, 64),
    "filters side by side": lambda: window(32, 16, 64, 3),
    "filters side by side, strided": lambda: window(16, 8, 128, 5, 2),
    "columns side by side": lambda: sliding(32, 32, 64, 3),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_shared_on_the_mesh_and_multiplied_in_assembly(name: str) -> None:
    program = PRODUCTS[name]()
    s = sw.create_schedule(program[0][-1])
    # Of the smallest ones loops of C take as long: which is faster is not looked at here.
    plan = s.auto_buffer("sw26010", inner="assembly")
    assert not plan.remarks
    script = s.to_python()
    assert ".broadcast(" in script
    assert "sw.micro_kernel()" in script
    kernel = sw.build(s, program[0], target="sw26010", name="planned")
    inputs = inputs_of(program)
    expected = program[1](*inputs)
    for landing in ("at_wait", "at_issue"):
        with sw.emulator(mode="hazard", landing=landing):
            np.testing.assert_array_equal(kernel.run(*inputs), expected, err_msg=landing)
    np.testing.assert_array_equal(kernel.run(*inputs, mode="timed"), expected)
    assert 0.85 < (plan["C"].cycles + START) / kernel.last_run.cycles < 1.15


def test_explain_prints_what_sharing_and_assembly_save() -> None:
    s = sw.create_schedule(matmul(256, 256, 256)[0][-1])
    s.auto_buffer("sw26010")
    explained = s.explain("sw26010")
    decisions = {d["what"]: d for d in explained.to_dict()["plans"][0]["decisions"]}
    read = [decisions[what]["chosen"] for what in ("read A", "read B")]
    assert sorted(read) == [f"by the cores of a {line} together" for line in ("column", "row")]
    assert decisions["inner product"]["instead"] == "vectors of C"
    for what in ("read A", "read B", "inner product"):
        assert decisions[what]["instead_cycles"] > decisions[what]["cycles"]
    assert f"read A: {read[0]}, " in str(explained)


def test_the_other_machine_shares_and_multiplies_in_c() -> None:
    program = matmul(256, 256, 64)
    s = sw.create_schedule(program[0][-1])
    plan = s.auto_buffer("sw26010pro")
    assert not plan.remarks
    assert ".broadcast(" in s.to_python()
    assert "micro_kernel" not in s.to_python()
    kernel = sw.build(s, program[0], target="sw26010pro", name="planned")
    inputs = inputs_of(program)
    with sw.emulator(mode="hazard"):
        np.testing.assert_array_equal(kernel.run(*inputs), program[1](*inputs))


@pytest.mark.parametrize("columns", [4096, 4000])
def test_reductions_of_several_values_are_divided_among_cores(columns: int) -> None:
    a = sw.placeholder((8, columns), name="A")
    k = sw.reduce_axis(columns, name="k")
    b = sw.compute((8,), lambda i: sw.argmax(a[i, k], axis=k), name="B")
    s = sw.create_schedule(b)
    plan = s.auto_buffer("sw26010")
    assert not plan.remarks
    assert [stage.planner for stage in plan.stages] == ["optimal", "optimal"]
    assert ".rfactor(B, " in s.to_python()
    assert "in 8 parts, by different cores" in str(s.explain("sw26010"))
    kernel = sw.build(s, [a, b], target="sw26010", name="planned")
    # Few values, so that the first of several largest ones lies in any of the parts.
    x = np.random.default_rng(7).integers(0, 40, a.shape).astype("f4")
    assert_equal_in_every_landing(kernel, [x], np.argmax(x, axis=1))


@pytest.mark.parametrize(("machine", "start"), [("sw26010", 30_000), ("sw26010pro", 46_000)])
@pytest.mark.parametrize("rows", [8, 64])
def test_what_a_term_of_a_reduction_of_several_values_takes_is_known(
    rows: int, machine: str, start: int
) -> None:
    a = sw.placeholder((rows, 4096), name="A")
    k = sw.reduce_axis(4096, name="k")
    b = sw.compute((rows,), lambda i: sw.argmax(a[i, k], axis=k), name="B")
    s = sw.create_schedule(b)
    plan = s.auto_buffer(machine)
    kernel = sw.build(s, [a, b], target=machine, name="planned")
    x = np.random.default_rng(7).normal(size=a.shape).astype("f4")
    np.testing.assert_array_equal(kernel.run(x, mode="timed"), np.argmax(x, axis=1))
    assert kernel.last_run is not None
    cycles = [stage.cycles for stage in plan.stages if stage.cycles is not None]
    assert start + sum(cycles) == pytest.approx(kernel.last_run.cycles, rel=0.15)


def test_windows_that_slide_over_registers_stand_around_other_loops() -> None:
    program = window(32, 16, 64, 3)
    s = sw.create_schedule(program[0][-1])
    plan = s.auto_buffer("sw26010pro")
    assert not plan.remarks
    (order,) = [line for line in s.to_python().split("\n") if "s[C].reorder(" in line]
    # x in registers slides with rx; y does not with ry.
    assert order.index("C.reduce_axis[2]") < order.index("C.reduce_axis[1]")
    kernel = sw.build(s, program[0], target="sw26010pro", name="planned")
    inputs = inputs_of(program)
    assert_equal_in_every_landing(kernel, inputs, program[1](*inputs))


def test_pipelines_of_a_plan_run_on_across_its_loops() -> None:
    s = sw.create_schedule(matmul(1024, 1024, 1024)[0][-1])
    plan = s.auto_buffer("sw26010")
    assert not plan.remarks
    decisions = {d.what: d for d in plan.stages[0].decisions}
    assert "across the loops" in decisions["pipeline of B"].chosen
    assert decisions["pipeline of B"].instead_cycles > decisions["pipeline of B"].cycles
    assert "s.double_buffer(BB, across=" in s.to_python()


def test_rows_of_the_mesh_have_parts_of_two_loops() -> None:
    """27 lines in parts of 4 leave a row of cores idle; in parts of 7, with 8 filters, none is."""
    program = convolution(16, 27, 128, 5)
    s = sw.create_schedule(program[0][-1])
    s.auto_buffer("sw26010")
    text = s.to_python()
    assert "y_o_f_o_o = s[R].fuse(y_o, f_o_o)" in text
    assert "s[R].parallel(y_o_f_o_o, f_o_i, grid=(8, 8))" in text
    kernel = sw.build(s, program[0], target="sw26010", name="planned")
    inputs = inputs_of(program)
    assert_equal_in_every_landing(kernel, inputs, program[1](*inputs))


def test_assembly_that_is_refused_leaves_a_remark_and_a_plan_without_it() -> None:
    a = sw.placeholder((64, 64), name="A")
    b = sw.placeholder((64, 128), name="B")
    k = sw.reduce_axis(64, name="k")
    c = sw.compute((128, 128), lambda i, j: sw.sum(a[i // 2, k] * b[k, j], axis=k), name="C")
    s = sw.create_schedule(c)
    plan = s.auto_buffer("sw26010")
    assert [remark[1] for remark in plan.remarks] == ["loops of C multiply"]
    assert "the boxes that were found hold" in plan.remarks[0][2]
    assert "micro_kernel" not in s.to_python()
    kernel = sw.build(s, [a, b, c], target="sw26010", name="planned")
    rng = np.random.default_rng(7)
    x, y = (rng.integers(-4, 5, t.shape).astype("f4") for t in (a, b))
    with sw.emulator(mode="hazard"):
        np.testing.assert_array_equal(kernel.run(x, y), np.repeat(x, 2, axis=0) @ y)


def test_what_primitives_refuse_leaves_remarks_and_a_plan_without_it() -> None:
    """Below the diagonal only: tiles are not full, and cores above it copy nothing."""
    a = sw.placeholder((256, 256), name="A")
    b = sw.placeholder((256, 256), name="B")
    k = sw.reduce_axis(256, name="k")
    c = sw.compute(
        (256, 256),
        lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k),
        name="C",
        where=lambda i, j: j <= i,
    )
    s = sw.create_schedule(c)
    plan = s.auto_buffer("sw26010")
    reasons = {remark[1]: remark[2] for remark in plan.remarks}
    assert "nobody sends" in reasons["each core reads 'A'"]
    assert "its loops are not full everywhere" in reasons["loops of C multiply"]
    assert plan["C"].planner == "optimal"
    script = s.to_python()
    assert "broadcast" not in script
    assert "micro_kernel" not in script
    kernel = sw.build(s, [a, b, c], target="sw26010", name="planned")
    rng = np.random.default_rng(7)
    x, y = (rng.integers(-4, 5, t.shape).astype("f4") for t in (a, b))
    with sw.emulator(mode="hazard"):
        np.testing.assert_array_equal(np.tril(kernel.run(x, y)), np.tril(x @ y))
