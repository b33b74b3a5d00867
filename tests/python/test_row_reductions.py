"""Sums and extremes along rows: rests of vectors, NaN, infinities, zeros of both signs."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway._cpu import runs
from support.guarded import GuardedKernel

V4 = pytest.mark.skipif(not runs("x86-64-v4"), reason="needs AVX-512")
TARGETS = ["x86-64-v3", pytest.param("x86-64-v4", marks=V4)]
LENGTHS = [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65, 127, 300, 511, 513]
REDUCERS = {"sum": (sw.sum, np.sum), "max": (sw.max, np.max), "min": (sw.min, np.min)}


def rows_kernel(name, rows, length, dtype, target):
    """The kernel that reduces each row, with the schedule that solway chooses."""
    X = sw.placeholder((rows, length), dtype, name="X")
    k = sw.reduce_axis(length, name="k")
    R = sw.compute((rows,), lambda i: REDUCERS[name][0](X[i, k], axis=k), name="R")
    s = sw.create_schedule(R)
    s.auto_schedule(target, search=False)
    return GuardedKernel(sw.build(s, [X, R], target=target))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("name", list(REDUCERS))
def test_every_length(name, dtype, target):
    for length in LENGTHS:
        x = np.random.default_rng(length).integers(-99, 99, (3, length)).astype(dtype)
        out = rows_kernel(name, 3, length, dtype, target).run(x)
        assert np.array_equal(out, REDUCERS[name][1](x, axis=1)), length


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("length", [9, 33, 70, 300, 513])
def test_nan_is_found_at_every_place(length, name, dtype, target):
    # One row for each place, the last without NaN.
    x = np.random.default_rng(1).integers(-99, 99, (length + 1, length)).astype(dtype)
    x[:, length // 2] = np.inf if name == "max" else -np.inf
    x[np.arange(length), np.arange(length)] = np.nan
    out = rows_kernel(name, length + 1, length, dtype, target).run(x)
    assert np.array_equal(np.isnan(out), np.arange(length + 1) < length)
    assert out[length] == (np.inf if name == "max" else -np.inf)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("length", [9, 70, 513])
def test_rows_of_one_number(length, target):
    numbers = np.array([np.inf, -np.inf, -0.0, 0.0, -1e-45, 3e38], np.float32)
    x = np.repeat(numbers[:, None], length, axis=1)
    for name in ("max", "min"):
        out = rows_kernel(name, len(numbers), length, "float32", target).run(x)
        assert np.array_equal(out.view(np.int32), numbers.view(np.int32)), name


@pytest.mark.parametrize("target", TARGETS)
def test_the_rest_of_a_row_is_one_vector(target):
    kernel = rows_kernel("sum", 3, 300, "float32", target)
    assert ", active" in kernel.ir and "for k in" not in kernel.ir
