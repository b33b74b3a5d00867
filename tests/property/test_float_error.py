"""Plans leave float32 results about as near to exact ones as programs without a schedule.

They add terms in another order, fuse stages and take vector forms of functions. The error against
float64 may become twice what it is without a schedule, and a rounding of the result.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "bench")]

import solway as sw  # noqa: E402
from foreign_instructions import convolution, product, softmax  # noqa: E402
from plain_cases import attention  # noqa: E402
from solway._cpu import runs  # noqa: E402
from support.foreign import FOREIGN, require_emulator  # noqa: E402
from support.operator_families import ROWS  # noqa: E402
from support.register_lengths import LENGTHS, file_with_length  # noqa: E402

# How far rounding to float32 may move a number, relative to it: half an ulp. In each of the norms,
# the exact result that is rounded has an error of up to so much of the result.
ROUNDING = 2.0**-24
NORMS = {
    "largest": lambda x: np.abs(x).max(),
    "root mean square": lambda x: np.sqrt(np.mean(x * x)),
}


class Operator(NamedTuple):
    """A program with one result.

    Args:
        inputs: placeholders.
        result: what is computed.
        reference: of arrays, in NumPy.
    """

    inputs: tuple[sw.Tensor, ...]
    result: sw.Tensor
    reference: Callable[..., np.ndarray]

    @property
    def arguments(self):
        return [*self.inputs, self.result]


def layer_norm(rows, columns):
    X, about = sw.placeholder((rows, columns), name="A"), ROWS["layer norm"]
    result = about.make({"A": X}, {"m": rows, "k": columns}, "N")
    return Operator((X,), result, lambda x: about.expect({"A": x}, {}))


def gelu(rows, columns):
    X = sw.placeholder((rows, columns), name="X")
    Y = sw.compute(
        X.shape, lambda i, j: 0.5 * X[i, j] * (1 + sw.erf(X[i, j] * math.sqrt(0.5))), name="Y"
    )
    erf = np.vectorize(math.erf)
    return Operator((X,), Y, lambda x: 0.5 * x * (1 + erf(x * math.sqrt(0.5))))


def row_sums(rows, columns):
    X, k = sw.placeholder((rows, columns), name="X"), sw.reduce_axis(columns, name="k")
    Y = sw.compute((rows,), lambda i: sw.sum(X[i, k], axis=k), name="Y")
    return Operator((X,), Y, lambda x: x.sum(axis=1))


def of_bench(row):
    """The operator of a row of a benchmark."""
    inputs, result, reference, *_ = row
    return Operator(tuple(inputs), result, reference)


OPERATORS = {
    "product": lambda: of_bench(product(61, 93, 1000)),
    "convolution": lambda: of_bench(convolution(64, 32, 14)),
    "softmax": lambda: of_bench(softmax(64, 1000)),
    "softmax of short rows": lambda: of_bench(softmax(1000, 9)),
    "layer norm": lambda: layer_norm(64, 1000),
    "attention": lambda: of_bench(attention(2, 100, 64, causal=False)),
    "GELU": lambda: gelu(64, 1000),
    "sums of rows": lambda: row_sums(500, 1000),
}


@functools.cache
def case(name):
    """An operator, its inputs, its exact result, and the errors without a schedule."""
    operator = OPERATORS[name]()
    rng = np.random.default_rng(20261130)
    arrays = [rng.standard_normal(t.shape).astype("float32") for t in operator.inputs]
    exact = operator.reference(*(array.astype("float64") for array in arrays))
    kernel = sw.build(sw.create_schedule(operator.result), operator.arguments, target="host")
    return operator, arrays, exact, kernel.run(*arrays) - exact


def require_errors_as_without_schedule(name, target):
    """Compares the errors of an operator that `auto_schedule` plans for a target."""
    operator, arrays, exact, unscheduled = case(name)
    s = sw.create_schedule(operator.result)
    s.auto_schedule(target, search=False)
    errors = sw.build(s, operator.arguments, target=target).run(*arrays) - exact
    for label, norm in NORMS.items():
        before, now, scale = norm(unscheduled), norm(errors), norm(exact)
        assert now <= 2 * before + ROUNDING * scale, (
            f"{label} error: {now / scale:.2g} of the result, {before / scale:.2g} unscheduled"
        )


@pytest.mark.parametrize("target", ["host", "x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", OPERATORS)
def test_errors_are_those_without_a_schedule(name, target):
    if not runs(target):
        pytest.skip(f"this machine does not run {target}")
    require_errors_as_without_schedule(name, target)


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("name", OPERATORS)
def test_errors_on_other_processors_are_those_without_a_schedule(name, target, tmp_path):
    """In their longest registers, where orders of terms differ most from the program's."""
    require_emulator(target)
    longest = LENGTHS.get(target, (None,))[-1]
    machine = target if longest is None else file_with_length(target, longest, tmp_path)
    require_errors_as_without_schedule(name, machine)
