"""What the vector engine has no instruction for, in vectors: by the model of it, NumPy's bits."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
import solway as sw
from support.fused_products import fused
from support.ve_kernels import (
    ELEMENTS,
    FLOATS,
    SIZES,
    built,
    random,
    require_vectors_only,
    vectorized,
)


def test_the_model_rounds_multiply_adds_once():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 3000)) * 2.0 ** rng.integers(-60, 60, (2, 3000))
    z = -x * y * (1 + rng.integers(-3, 3, 3000) * 2.0 ** -rng.integers(20, 110, 3000))
    exact = [
        float(Fraction(a) * Fraction(b) + Fraction(c)) for a, b, c in zip(x, y, z, strict=True)
    ]
    np.testing.assert_array_equal(fused(x, y, z), exact)
    zeros = np.array([0.0, -0.0])
    for z in zeros:
        assert (np.signbit(fused(zeros, 1 + zeros, z)) == np.signbit(zeros + z)).all()


def dividends(dtype):
    """Of quotients of all magnitudes, and of all that is special."""
    rng = np.random.default_rng(5)
    info = np.finfo(dtype)
    special = [0, 1, 3, 0.1, 2**23, 2**52, info.max, info.tiny, info.smallest_subnormal, np.inf]
    numbers = np.array([*special, *(-v for v in special), np.nan], dtype)
    a, b = (grid.ravel() for grid in np.meshgrid(numbers, numbers))
    low, high = np.log2(float(info.smallest_subnormal)), np.log2(float(info.max))
    wild = (2.0 ** rng.uniform(low, high, (2, 200)) * rng.choice([-1, 1], (2, 200))).astype(dtype)
    whole = rng.integers(-50, 50, (2, 100)).astype(dtype) / 4
    return np.concatenate([a, wild[0], whole[0]]), np.concatenate([b, wild[1], whole[1]])


@pytest.mark.parametrize("dtype", FLOATS)
def test_remainders_and_whole_quotients_are_numpys(dtype):
    n = sw.size("n", max=4096)
    A, B = (sw.placeholder((n,), dtype=dtype, name=name) for name in "AB")
    names = ("fmod", "remainder", "floor_divide")
    parts = [
        sw.compute((n,), lambda i, f=f: getattr(sw, f)(A[i], B[i]), name=f"of_{f}") for f in names
    ]
    s = sw.create_schedule(parts)
    for part in parts:
        s[part].vectorize(part.axis[0])
    kernel, assembly = built(s, [A, B, *parts])
    require_vectors_only(kernel, assembly)
    assert not re.search(r"fmodf?@", assembly)
    a, b = dividends(dtype)
    for size in (*SIZES, a.size):
        got = kernel.run(a[:size], b[:size])
        for name, values in zip(names, got, strict=True):
            with np.errstate(all="ignore"):
                expected = getattr(np, name)(a[:size], b[:size])
            np.testing.assert_array_equal(values, expected, err_msg=name)
            is_number = ~np.isnan(expected)
            np.testing.assert_array_equal(
                np.signbit(values)[is_number], np.signbit(expected)[is_number]
            )


def test_small_quotients_take_no_turn():
    A = sw.placeholder((256,), dtype="float64", name="A")
    B = sw.compute((256,), lambda i: sw.fmod(A[i], 3), name="B")
    counts = []
    for factor in (1.0, 2.0**45, 2.0**60, 2.0**1000):
        kernel, _ = built(vectorized(B), [A, B])
        a = np.arange(256) * factor
        np.testing.assert_array_equal(kernel.run(a), np.fmod(a, 3))
        counts.append(kernel.machine.executed["vfdiv.d"])
    assert counts[:3] == [1, 1, 3] and counts[3] <= 45


def test_int64_is_rounded_once_to_float32():
    ties = [(1 << 60) + k * (1 << 36) + d for k in (1, 3) for d in (-2048, -1, 0, 1, 2048)]
    edges = [0, 1, 2**24 + 1, 2**53 - 1, 2**53, 2**53 + 1, 2**54 + 2**30 + 1, 2**63 - 1]
    rng = np.random.default_rng(2)
    numbers = [*ties, *edges, *rng.integers(-(2**63), 2**63 - 1, 500)]
    a = np.array([*numbers, *(-v for v in numbers)], "int64")
    n = sw.size("n", max=4096)
    A = sw.placeholder((n,), dtype="int64", name="A")
    B = sw.compute((n,), lambda i: A[i].astype("float32"), name="B")
    C = sw.compute(
        (n,), lambda i: (A[i] & 12345).astype("float32"), name="C"
    )  # known to be positive
    D = sw.compute((n,), lambda i: (A[i] & 12345).astype("float64"), name="D")
    s = sw.create_schedule([B, C, D])
    for stage in (B, C, D):
        s[stage].vectorize(stage.axis[0])
    kernel, assembly = built(s, [A, B, C, D])
    require_vectors_only(kernel, assembly)
    for size in (*SIZES, a.size):
        b, c, d = kernel.run(a[:size])
        np.testing.assert_array_equal(b, a[:size].astype("float32"))
        np.testing.assert_array_equal(c, (a[:size] & 12345).astype("float32"))
        np.testing.assert_array_equal(d, (a[:size] & 12345).astype("float64"))


@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("n", [*SIZES, 1025])
def test_products_of_lanes_are_of_halves(dtype, n):
    A = sw.placeholder((n,), dtype=dtype, name="A")
    k = sw.reduce_axis(n, name="k")
    B = sw.compute((1,), lambda i: sw.prod(A[k], axis=k), name="B")
    kernel, assembly = built(vectorized(B), [A, B])
    require_vectors_only(kernel, assembly)
    assert n == 1 or assembly.count("vmv ") >= min(n - 1, 8)
    a = 1 + random(n, "float64") / 20 if dtype in FLOATS else random(n, "int64") | 1
    a = a.astype(dtype)
    np.testing.assert_allclose(kernel.run(a)[0], a.prod(dtype=dtype), rtol=1e-4)
