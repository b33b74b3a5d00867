"""Sums of few results, which the optimal planner divides among cores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing

Program = tuple[list[sw.Tensor], Callable[..., np.ndarray]]


def total(n: int, dtype: str = "float32") -> Program:
    a = sw.placeholder((n,), dtype, name="A")
    k = sw.reduce_axis(n, name="k")
    return [a, sw.compute((), lambda: sw.sum(a[k], axis=k), name="S")], lambda a: a.sum()


def dot(n: int) -> Program:
    a, b = sw.placeholder((n,), name="A"), sw.placeholder((n,), name="B")
    k = sw.reduce_axis(n, name="k")
    s = sw.compute((1,), lambda i: sw.sum(a[k] * b[k], axis=k), name="S")
    return [a, b, s], lambda a, b: np.array([a @ b])


def greatest(rows: int, columns: int) -> Program:
    """Of each column."""
    a = sw.placeholder((rows, columns), name="A")
    k = sw.reduce_axis(rows, name="k")
    s = sw.compute((columns,), lambda j: sw.max(a[k, j], axis=k), name="S")
    return [a, s], lambda a: a.max(axis=0)


def connected(inputs: int, outputs: int) -> Program:
    x = sw.placeholder((1, inputs), name="X")
    w = sw.placeholder((inputs, outputs), name="W")
    k = sw.reduce_axis(inputs, name="k")
    s = sw.compute((1, outputs), lambda i, j: sw.sum(x[i, k] * w[k, j], axis=k), name="S")
    y = sw.compute((1, outputs), lambda i, j: sw.maximum(s[i, j], 0.0), name="Y")
    return [x, w, y], lambda x, w: np.maximum(x @ w, 0)


PROGRAMS: dict[str, Callable[[], Program]] = {
    "one sum": lambda: total(65536),
    "one sum of doubles": lambda: total(50000, "float64"),
    "dot product": lambda: dot(30000),
    "greatest": lambda: greatest(4096, 100),
    "fully connected": lambda: connected(1024, 200),
}


def inputs_of(tensors: list[sw.Tensor]) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [rng.integers(-4, 5, t.shape).astype(str(t.dtype)) for t in tensors[:-1]]


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_and_hazards(name: str) -> None:
    tensors, expected = PROGRAMS[name]()
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_buffer("sw26010")
    assert [step.primitive for step in s.log][:2] == ["split", "rfactor"]
    assert all(stage.planner == "optimal" for stage in plan.stages)
    decision = plan["S_rf"].decisions[0]
    assert decision.what == "the sum of S"
    assert decision.cycles < decision.instead_cycles
    assert str(decision) in str(s.explain("sw26010"))
    kernel = sw.build(s, tensors, target="sw26010", name="planned")
    inputs = inputs_of(tensors)
    assert_equal_in_every_landing(kernel, inputs, expected(*inputs))


def test_what_is_printed_makes_the_same_schedule() -> None:
    tensors, _ = connected(1024, 200)
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010")
    names = {"sw": sw, "outputs": [tensors[-1]]}
    exec(s.to_python(), names)
    assert str(names["s"]) == str(s)


def test_terms_that_keep_their_order_stay_together() -> None:
    # Nothing says that this function may combine its values in another order.
    last = sw.reducer(lambda a, b: b, 0.0, commutative=False)
    a = sw.placeholder((65536,), name="A")
    k = sw.reduce_axis(65536, name="k")
    c = sw.compute((1,), lambda i: last(a[k], axis=k), name="C")
    s = sw.create_schedule(c)
    s.auto_buffer("sw26010")
    assert "rfactor" not in [step.primitive for step in s.log]
    values = np.arange(65536, dtype="f4")
    kernel = sw.build(s, [a, c], target="sw26010", name="planned")
    np.testing.assert_array_equal(kernel.run(values), values[-1:])
