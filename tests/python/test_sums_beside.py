"""Loops that compute what they sum up, in lanes, and functions of several vectors together."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway._cpu import runs
from support.foreign import require_emulator

RNG = np.random.default_rng(8)
MACHINES = ["x86-64-v3", "x86-64-v4", "aarch64-neon", "aarch64-sve", "riscv64-v", "c"]
REDUCTIONS = {"sum": np.sum, "max": np.max, "min": np.min}


def require(target: str) -> None:
    if target.startswith("x86") and not runs(target):
        pytest.skip(f"this machine does not run {target}")
    if target.startswith(("aarch64", "riscv64")):
        require_emulator(target)


def kernel_of(
    columns: int, dtype: str, reduction: str, target: str = "host", *, together: bool = True
) -> sw.Kernel:
    """Y = E * reduction(E) of each row, E = 2 X + 1, E and its reduction in one loop."""
    X = sw.placeholder((3, columns), name="X", dtype=dtype)
    k = sw.reduce_axis(columns, name="k")
    E = sw.compute((3, columns), lambda i, j: X[i, j] * 2 + 1, name="E")
    S = sw.compute((3,), lambda i: getattr(sw, reduction)(E[i, k], axis=k), name="S")
    Y = sw.compute((3, columns), lambda i, j: E[i, j] * S[i], name="Y")
    s = sw.create_schedule(Y)
    s[S].compute_at(Y, Y.axis[0])
    s[E].compute_at(Y, Y.axis[0])
    if together:
        s[E].fuse_with(S, S.reduce_axis[0])
    else:
        s[E].vectorize(E.axis[1])
    s[S].vectorize(S.reduce_axis[0])
    s[Y].vectorize(Y.axis[1])
    return sw.build(s, [X, Y], target=target)


@pytest.mark.parametrize("target", MACHINES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "float16"])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_terms_and_their_reduction_in_one_loop(target: str, dtype: str, reduction: str) -> None:
    require(target)
    for columns in (1, 5, 16, 40, 150):
        kernel = kernel_of(columns, dtype, reduction, target)
        x = RNG.integers(-2, 3, (3, columns)).astype(dtype)
        e = x * 2 + 1
        right = e * REDUCTIONS[reduction](e, axis=1, keepdims=True)
        assert np.array_equal(kernel.run(x), right.astype(dtype)), columns


def test_lanes_are_combined_once() -> None:
    assert kernel_of(150, "float32", "sum", "x86-64-v3").ir.count("reduce_sum") == 1


@pytest.mark.parametrize("columns", [7, 33, 64, 129, 1000])
@pytest.mark.parametrize("name", ["max", "min"])
def test_nan_comes_through_wherever_it_is(columns: int, name: str) -> None:
    for together in (False, True):
        kernel = kernel_of(columns, "float32", name, together=together)
        for at in {0, columns // 3, columns - 2, columns - 1}:
            x = RNG.integers(-9, 9, (3, columns)).astype(np.float32)
            x[1, at] = np.nan
            e = x * 2 + 1
            right = e * REDUCTIONS[name](e, axis=1, keepdims=True)
            assert np.array_equal(kernel.run(x), right, equal_nan=True), at


@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4", "aarch64-neon", "aarch64-sve"])
@pytest.mark.parametrize("name", ["exp", "sigmoid", "log", "erf"])
def test_vectors_together_have_the_bits_of_one(target: str, name: str) -> None:
    """In each length, whatever is left behind the last vectors that run together."""
    require(target)
    full = RNG.random(200).astype(np.float32) * 4 + np.float32(0.1)
    X = sw.placeholder((200,), name="X")
    Y = sw.compute((200,), lambda i: getattr(sw, name)(X[i]), name="Y")
    one_by_one = sw.build(sw.create_schedule(Y), [X, Y], target=target).run(full)
    for length in (1, 8, 17, 31, 33, 48, 64, 71, 100, 200):
        X = sw.placeholder((length,), name="X")
        Y = sw.compute((length,), lambda i, X=X: getattr(sw, name)(X[i]), name="Y")
        s = sw.create_schedule(Y)
        s[Y].vectorize(Y.axis[0])
        found = sw.build(s, [X, Y], target=target).run(full[:length].copy())
        assert np.array_equal(found, one_by_one[:length]), length
