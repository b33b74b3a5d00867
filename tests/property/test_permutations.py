"""Arrays with their dimensions in another order, as auto_schedule plans them: squares and parts."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

import solway as sw
from solway._cpu import runs
from support.guarded import GuardedKernel

TARGETS = ["host", "x86-64-v3"]
DTYPES = ["float32", "float64", "int16", "uint8"]
SIDES = (1, 2, 3, 5, 7, 8, 12, 15, 16, 17, 31, 33, 48, 70)
CASES = 24


def permuted(array, order, target):
    X = sw.placeholder(array.shape, array.dtype, name="X")

    def read(*at):
        places = dict(zip(order, at, strict=True))
        return X[tuple(places[d] for d in range(len(order)))]

    parameters = ", ".join("ijkl"[: len(order)])
    read_by_name = eval(f"lambda {parameters}: read({parameters})", {"read": read})
    Y = sw.compute(tuple(array.shape[d] for d in order), read_by_name, name="Y")
    s = sw.create_schedule(Y)
    s.auto_schedule(target, search=False)
    return GuardedKernel(sw.build(s, [X, Y], target=target)).run(array)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_planned_permutations_are_numpys(dtype, target):
    if not runs(target):
        pytest.skip(f"needs {target}")
    rng = np.random.default_rng([DTYPES.index(dtype), TARGETS.index(target)])
    for _ in range(CASES):
        dimensions = int(rng.integers(2, 5))
        shape = tuple(int(n) for n in rng.choice(SIDES[:: dimensions - 1], dimensions))
        order = tuple(int(d) for d in rng.permutation(dimensions))
        array = rng.permutation(np.arange(np.prod(shape)) % 251).reshape(shape).astype(dtype)
        got = permuted(array, order, target)
        np.testing.assert_array_equal(got, array.transpose(order), err_msg=f"{shape} {order}")
