"""`auto_buffer` takes the form of inner products that it is asked for, with the cycles of both."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing

Program = tuple[list[sw.Tensor], Callable[..., np.ndarray]]


def product(m: int, n: int, depth: int, dtype: str = "float32") -> Program:
    a = sw.placeholder((m, depth), dtype=dtype, name="A")
    b = sw.placeholder((depth, n), dtype=dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((m, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
    return [a, b, c], lambda a, b: a @ b


def product_and_relu() -> Program:
    [a, b, c], _ = product(64, 64, 64)
    y = sw.compute((64, 64), lambda i, j: sw.maximum(c[i, j], 0.0), name="Y")
    return [a, b, y], lambda a, b: np.maximum(a @ b, 0)


def convolution() -> Program:
    p = sw.placeholder((16, 18, 18), name="P")
    w = sw.placeholder((16, 3, 3, 32), name="W")
    rc, ry, rx = (sw.reduce_axis(n, name=name) for n, name in ((16, "c"), (3, "ry"), (3, "rx")))
    s = sw.compute(
        (16, 16, 32),
        lambda y, x, f: sw.sum(p[rc, y + ry, x + rx] * w[rc, ry, rx, f], axis=[rc, ry, rx]),
        name="S",
    )

    def expected(p: np.ndarray, w: np.ndarray) -> np.ndarray:
        views = np.lib.stride_tricks.sliding_window_view(p, (3, 3), axis=(1, 2))
        return np.einsum("cyxrq,crqf->yxf", views, w)

    return [p, w, s], expected


PROGRAMS: dict[str, Callable[[], Program]] = {
    "product": lambda: product(64, 96, 80),
    "product of float64": lambda: product(32, 64, 64, "float64"),
    "product and its reader": product_and_relu,
    "convolution": convolution,
}


def planned(program: Program, inner: str) -> tuple[sw.Schedule, list[sw.Tensor]]:
    tensors, _ = program
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010", inner=inner)
    return s, tensors


def integers(tensors: list[sw.Tensor]) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [rng.integers(-3, 4, t.shape).astype(str(t.dtype)) for t in tensors[:-1]]


def has_micro_kernel(s: sw.Schedule) -> bool:
    return any(step.primitive == "tensorize" for step in s.log)


@pytest.mark.parametrize("inner", ["c", "assembly"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values_equal_numpy_in_the_form_asked_for(name: str, inner: str) -> None:
    program = PROGRAMS[name]()
    s, tensors = planned(program, inner)
    kernel = sw.build(s, tensors, target="sw26010")
    assert has_micro_kernel(s) == (inner == "assembly")
    inputs = integers(tensors)
    assert_equal_in_every_landing(kernel, inputs, program[1](*inputs))


@pytest.mark.parametrize("inner", ["c", "assembly"])
def test_the_schedule_replays_without_the_planner(inner: str, tmp_path) -> None:
    s, tensors = planned(PROGRAMS["product"](), inner)
    s.save(tmp_path / "planned.schedule")
    again = sw.load_schedule(tmp_path / "planned.schedule", tensors[-1])
    assert str(again) == str(s)
    assert has_micro_kernel(again) == (inner == "assembly")


def test_both_costs_are_counted_whichever_is_taken() -> None:
    costs = {}
    for inner in ("auto", "c", "assembly"):
        tensors, _ = PROGRAMS["product"]()
        s = sw.create_schedule(tensors[-1])
        chosen = s.auto_buffer("sw26010", inner=inner)["C"]
        [decision] = [one for one in chosen.decisions if one.what == "inner product"]
        assert decision.instead_cycles is not None
        assert str(decision) in str(s.explain("sw26010"))
        costs[inner] = decision
    assert costs["c"].chosen == "loops of C"
    assert costs["assembly"].chosen == costs["auto"].chosen == "a micro-kernel in assembly"
    assert costs["c"].cycles > costs["assembly"].cycles
    assert costs["assembly"].instead_cycles <= costs["c"].cycles


def test_loops_of_c_are_there_on_every_machine() -> None:
    tensors, expected = PROGRAMS["product"]()
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010pro", inner="c")
    inputs = integers(tensors)
    kernel = sw.build(s, tensors, target="sw26010pro")
    np.testing.assert_array_equal(kernel.run(*inputs), expected(*inputs))


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
def test_copies_of_a_step_where_a_sum_has_several_loops(target: str) -> None:
    tensors, expected = convolution()
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer(target, inner="c")
    unrolled = {str(step.arguments[0][1]) for step in s.log if step.primitive == "unroll"}
    assert any(name.startswith(("c.", "ry", "rx")) for name in unrolled)
    inputs = integers(tensors)
    kernel = sw.build(s, tensors, target=target)
    assert_equal_in_every_landing(kernel, inputs, expected(*inputs))


def test_greedy_plans_are_loops_of_c() -> None:
    tensors, _ = PROGRAMS["product"]()
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010", "greedy", inner="c")
    assert not has_micro_kernel(s)


def test_a_schedule_stays_as_it_was_where_assembly_is_refused() -> None:
    tensors, _ = product(63, 63, 64)
    s = sw.create_schedule(tensors[-1])
    s[tensors[-1]].reorder("j", "i", "k")
    with pytest.raises(sw.UnsupportedError, match="no micro-kernel for 'C'") as refused:
        s.auto_buffer("sw26010", inner="assembly")
    assert "j of 63, i of 63, k of 64" in refused.value.why
    assert len(s.log) == 1
    assert refused.value.where.line > 0
