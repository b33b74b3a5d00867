"""Schedules by the greedy planner give what the program says, on every target."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import solway as sw

TARGETS = ["host", "c", "sw26010"]
Program = tuple[list[sw.Tensor], Callable[..., np.ndarray]]


def matmul(m: int, n: int, depth: int, dtype: str = "float32") -> Program:
    a = sw.placeholder((m, depth), dtype=dtype, name="A")
    b = sw.placeholder((depth, n), dtype=dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((m, n), lambda x, y: sw.sum(a[x, k] * b[k, y], axis=k), name="C")
    return [a, b, c], lambda a, b: a @ b


def convolution(channels: int, size: int, filters: int, kernel: int, stride: int) -> Program:
    pad = kernel // 2
    out = (size + 2 * pad - kernel) // stride + 1
    a = sw.placeholder((channels, size, size), name="A")
    w = sw.placeholder((filters, channels, kernel, kernel), name="W")
    rc = sw.reduce_axis(channels, name="rc")
    ry = sw.reduce_axis(kernel, name="ry")
    rx = sw.reduce_axis(kernel, name="rx")

    def value(ff: sw.Axis, yy: sw.Axis, xx: sw.Axis) -> sw.Expr:
        y, x = yy * stride + ry - pad, xx * stride + rx - pad
        inside = sw.all_of(0 <= y, y < size, 0 <= x, x < size)
        return sw.sum(sw.select(inside, a[rc, y, x], 0.0) * w[ff, rc, ry, rx], axis=[rc, ry, rx])

    b = sw.compute((filters, out, out), value, name="B")

    def expected(a: np.ndarray, w: np.ndarray) -> np.ndarray:
        padded = np.pad(a, ((0, 0), (pad, pad), (pad, pad)))
        views = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(1, 2))
        return np.einsum("cyxrq,fcrq->fyx", views[:, ::stride, ::stride], w)

    return [a, w, b], expected


def elementwise(*shape: int) -> Program:
    v1 = sw.placeholder(shape, name="v1")
    v2 = sw.placeholder(shape, name="v2")
    v = sw.compute(shape, lambda *i: v1[i] * v2[i], name="v")
    return [v1, v2, v], lambda a, b: a * b


def stages(n: int) -> Program:
    """Two stages: a sum of neighbours, and its product with the input."""
    a = sw.placeholder((n + 2,), name="A")
    p = sw.compute((n,), lambda i: a[i] + a[i + 1] + a[i + 2], name="P")
    c = sw.compute((n,), lambda i: p[i] * a[i], name="C")
    return [a, c], lambda a: (a[:-2] + a[1:-1] + a[2:]) * a[:-2]


PROGRAMS: dict[str, Callable[[], Program]] = {
    "matmul": lambda: matmul(4, 256, 128),
    "matmul that does not divide": lambda: matmul(3, 201, 97),
    "matmul that fits whole": lambda: matmul(5, 7, 9),
    "long sum": lambda: matmul(2, 70, 1000),
    "strided convolution": lambda: convolution(3, 23, 6, 5, 2),
    "convolution": lambda: convolution(2, 17, 70, 3, 1),
    "elementwise": lambda: elementwise(1000),
    "planes": lambda: elementwise(7, 5, 33),
    "two stages": lambda: stages(5000),
}


def integers(tensor: sw.Tensor) -> np.ndarray:
    rng = np.random.default_rng(7)
    return rng.integers(-4, 5, tensor.shape).astype(str(tensor.dtype))


def check(s: sw.Schedule, program: Program, target: str) -> sw.Kernel:
    tensors, expected = program
    inputs = [integers(t) for t in tensors[:-1]]
    kernel = sw.build(s, tensors, target=target)
    np.testing.assert_array_equal(kernel.run(*inputs), expected(*inputs))
    return kernel


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_values_equal_numpy(name: str, target: str) -> None:
    program = PROGRAMS[name]()
    s = sw.create_schedule(program[0][-1])
    s.auto_buffer(target, planner="greedy")
    assert s.ldm_report(target).fits
    check(s, program, target)


def test_worked_example_of_the_paper() -> None:
    program = matmul(1, 1024, 1024)
    s = sw.create_schedule(program[0][-1])
    chosen = s.auto_buffer("sw26010", planner="greedy")["C"]
    assert chosen.tiles == {"x": (1, 1), "y": (128, 1024), "k": (64, 1024)}
    assert chosen.order == ("x", "y.o", "k.o", "y.i", "k.i")
    assert chosen.buffer_bytes == 33536
    assert chosen.parallel == "y.o"
    assert [step.primitive for step in s.log] == [
        "split",
        "split",
        "reorder",
        "parallel",
        "buffer_read",
        "buffer_read",
        "buffer_write",
    ]
    kernel = check(s, program, "sw26010")
    moved = kernel.last_run.bytes
    arguments = 64 * 3 * 8  # each core reads the three addresses
    assert moved["get"] == 4 * (1024 * 1024 + 8 * 1024) + arguments
    assert moved["put"] == 4 * 1024


def test_figure_4_gives_each_core_sixteen() -> None:
    program = elementwise(1024)
    s = sw.create_schedule(program[0][-1])
    assert s.auto_buffer("sw26010", planner="greedy")["v"].tiles == {"i0": (16, 1024)}
    check(s, program, "sw26010")


def test_what_the_user_fixed_is_kept() -> None:
    program = matmul(2, 256, 256)
    c = program[0][-1]
    s = sw.create_schedule(c)
    yo, _ = s[c].split("y", factor=32)
    s[c].parallel(yo)
    chosen = s.auto_buffer("sw26010", planner="greedy")["C"]
    assert chosen.parallel is None
    assert chosen.tiles["y.o"] == (1, 8)
    check(s, program, "sw26010")


def test_a_buffer_of_the_user_is_kept() -> None:
    program = matmul(1, 64, 64)
    _, b, c = program[0]
    s = sw.create_schedule(c)
    yo, _ = s[c].split("y", factor=16)
    s.buffer_read(b, at=yo)
    assert s.auto_buffer("sw26010", planner="greedy")["C"].buffers == ("AA", "CC")
    check(s, program, "sw26010")


def test_a_split_that_is_too_large_is_named() -> None:
    program = matmul(1, 1 << 17, 4)
    c = program[0][-1]
    s = sw.create_schedule(c)
    s[c].split("y", factor=1 << 16)
    before = str(s)
    with pytest.raises(sw.CapacityError) as raised:
        s.auto_buffer("sw26010", planner="greedy")
    assert "'y.i' of 65536 iterations" in raised.value.why
    assert raised.value.needed_bytes > raised.value.available_bytes
    assert {name for name, _, _ in raised.value.buffers} == {"A", "B", "C"}
    assert str(s) == before


def scaled(m: int, n: int, depth: int) -> Program:
    """A sum inside a larger expression."""
    a, b = sw.placeholder((m, depth), name="A"), sw.placeholder((depth, n), name="B")
    c = sw.placeholder((m, n), name="C")
    k = sw.reduce_axis(depth, name="k")
    body = lambda i, j: c[i, j] * 3.0 - sw.sum(a[i, k] * b[k, j], axis=k) * 2.0  # noqa: E731
    return [a, b, c, sw.compute((m, n), body, name="D")], lambda a, b, c: 3 * c - 2 * a @ b


def two_sums(m: int, depth: int) -> Program:
    """Both read the same vector, as does what is made of them."""
    a, x = sw.placeholder((m, depth), name="A"), sw.placeholder((depth,), name="x")
    k, h = sw.reduce_axis(depth, name="k"), sw.reduce_axis(depth, name="h")

    def value(i: sw.Axis) -> sw.Expr:
        both = sw.sum(a[i, k] * x[k], axis=k) + sw.max(a[i, h] - x[h], axis=h)
        return both * x[0]

    y = sw.compute((m,), value, name="y")
    return [a, x, y], lambda a, x: (a @ x + (a - x).max(axis=1)) * x[0]


NESTED: dict[str, Callable[[], Program]] = {
    "product": lambda: scaled(16, 64, 40),
    "product that does not divide": lambda: scaled(13, 51, 97),
    "two sums": lambda: two_sums(100, 60),
    "long sums": lambda: two_sums(2, 9000),
}


@pytest.mark.parametrize("planner", ["greedy", "optimal"])
@pytest.mark.parametrize("name", NESTED)
def test_a_reduction_inside_an_expression(name: str, planner: str) -> None:
    program = NESTED[name]()
    s = sw.create_schedule(program[0][-1])
    plan = s.auto_buffer("sw26010", planner=planner)
    # A row of A and x, which both sums need whole, do not fit together.
    direct = {"A"} if name == "long sums" else set()
    assert {f"auto_buffer of '{t}' in 'y'" for t in direct} == {what for what, _, _ in plan.remarks}
    assert len(plan.stages[0].buffers) == 5 - len(direct)
    with sw.emulator(mode="hazard", landing="at_wait"):
        check(s, program, "sw26010")
    again: dict[str, object] = {"sw": sw, "outputs": [program[0][-1]]}
    exec(s.to_python(), again)
    assert str(again["s"]) == str(s)


def test_what_a_nested_reduction_adds_up_never_leaves_near_memory() -> None:
    program = scaled(16, 64, 40)
    s = sw.create_schedule(program[0][-1])
    s.auto_buffer("sw26010", planner="greedy")
    moved = check(s, program, "sw26010").last_run.bytes
    assert moved["put"] == 4 * 16 * 64
    assert moved["gld"] == moved["gst"] == 0


def substitution(n: int, columns: int) -> Program:
    """Each row needs those before it."""
    m = sw.placeholder((n, n), name="L")
    b = sw.placeholder((n, columns), name="b")
    k = sw.reduce_axis(n, name="k")

    def element(x: sw.Tensor, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        return b[i, j] - sw.sum(sw.select(k < i, m[i, k] * x[k, j], 0.0), axis=k)

    x = sw.recurrence((n, columns), element, "float32", name="x")

    def expected(m: np.ndarray, b: np.ndarray) -> np.ndarray:
        out = b.copy()
        for i in range(n):
            out[i] -= m[i, :i] @ out[:i]
        return out

    return [m, b, x], expected


@pytest.mark.parametrize("planner", ["greedy", "optimal"])
@pytest.mark.parametrize(("columns", "parallel"), [(1, None), (128, "j.o")])
def test_what_depends_on_other_iterations_keeps_its_order(
    columns: int, parallel: str | None, planner: str
) -> None:
    program = substitution(7, columns)
    s = sw.create_schedule(program[0][-1])
    plan = s.auto_buffer("sw26010", planner=planner)
    assert plan.stages[0].planner == "in order"
    assert plan.stages[0].parallel == parallel
    assert len(plan.stages[0].buffers) == 4
    ((what, verdict, why),) = plan.remarks
    assert what == "auto_buffer on 'x'"
    assert verdict.startswith("keeps the order")
    assert "depend on each other" in why
    with sw.emulator(mode="hazard", landing="at_wait"):
        check(s, program, "sw26010")


def test_it_prints_what_was_chosen() -> None:
    s = sw.create_schedule(matmul(1, 1024, 1024)[0][-1])
    assert str(s.auto_buffer("sw26010", planner="greedy")) == (
        "C: tile x=1, y=128, k=64; loops x, y.o, k.o, y.i, k.i, parallel y.o; "
        "AA, BB, CC: 33536 of 63488 bytes"
    )


@pytest.mark.parametrize("target", ["host", "c"])
def test_buffers_under_a_fused_loop_hold_what_they_need(target: str) -> None:
    """What the planner avoids, since the buffers become as wide as the tensor, is right by hand."""
    program = matmul(4, 8, 3)
    _, b, c = program[0]
    s = sw.create_schedule(c)
    yo, yi = s[c].split("y", factor=2)
    s[c].reorder("x", yo, yi, "k")
    f = s[c].fuse("x", yo)
    s.buffer_read(b, at=f)
    s.buffer_write(c, at=f)
    check(s, program, target)


def odd_programs() -> dict[str, Program]:
    """Access patterns that no paper has."""
    a = sw.placeholder((5000,), name="A")
    b = sw.placeholder((70, 90), name="B")
    c = sw.placeholder((), name="c")
    d = sw.placeholder((8,), name="D")
    k = sw.reduce_axis(10, name="k")
    m = sw.reduce_axis(5000, name="m")
    i = np.arange(5000)
    return {
        "backwards and halved": (
            [a, sw.compute((5000,), lambda i: a[4999 - i] * 2 + a[i // 2], name="S")],
            lambda a: a[::-1] * 2 + a[i // 2],
        ),
        "transpose": ([b, sw.compute((90, 70), lambda i, j: b[j, i], name="S")], lambda b: b.T),
        "scalar": (
            [a, c, sw.compute((5000,), lambda i: a[i] * c[()], name="S")],
            lambda a, c: a * c,
        ),
        "one element": ([a, sw.compute((), lambda: sw.sum(a[m], axis=m), name="S")], np.sum),
        "no input": ([sw.compute((5000,), lambda i: i * 2, name="S")], lambda: i * 2),
        "an axis that nothing uses": (
            [d, sw.compute((8,), lambda i: sw.sum(d[i], axis=k), name="S")],
            lambda d: d * 10,
        ),
    }


@pytest.mark.parametrize("name", odd_programs())
def test_odd_accesses(name: str) -> None:
    program = odd_programs()[name]
    s = sw.create_schedule(program[0][-1])
    assert not s.auto_buffer("sw26010", planner="greedy").remarks
    check(s, program, "sw26010")


def test_loops_that_the_user_vectorized_or_fused() -> None:
    program = matmul(8, 256, 128)
    c = program[0][-1]
    s = sw.create_schedule(c)
    yo, yi = s[c].split("y", factor=32)
    s[c].reorder(yo, "x", "k", yi)
    s[c].vectorize(yi)
    assert s.auto_buffer("host", planner="greedy")["C"].order[-1] == "y.i"
    check(s, program, "host")
    s = sw.create_schedule(c)
    s[c].fuse("x", "y")
    s.auto_buffer("sw26010", planner="greedy")
    assert s.ldm_report("sw26010").fits


def test_planning_twice_changes_nothing() -> None:
    program = matmul(8, 256, 128)
    s = sw.create_schedule(program[0][-1])
    s.auto_buffer("sw26010", planner="greedy")
    before = str(s)
    assert s.auto_buffer("sw26010", planner="greedy")["C"].buffers == ()
    assert str(s) == before
