"""Remainders and whole quotients of floats: NumPy's bits, without a call per element."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway._cpu import runs
from support.foreign import FOREIGN, require_emulator

N = 1029  # whole vectors, and a rest
TARGETS = ("host", "c", "x86-64-v3", *FOREIGN)
FUNCTIONS = ("fmod", "remainder", "floor_divide")


def operands(dtype):
    """Halves are all magnitudes there are; quotients that a division finds, some at their edges."""
    rng = np.random.default_rng(5)
    info = np.finfo(dtype)
    b = (rng.uniform(1, 2, N) * 2.0 ** rng.integers(-8, 9, N)).astype(dtype)
    a = (b * rng.integers(0, 5000, N)).astype(dtype)
    a[::3] = np.nextafter(a[::3], a[::3] * 2)
    a[1::3] = np.nextafter(a[1::3], np.zeros(1, dtype))
    wild = slice(N // 2, None)
    exponents = rng.integers(info.minexp, info.maxexp, (2, N))
    a[wild] = np.ldexp(a[wild] / np.maximum(a[wild], 1), exponents[0, wild]).astype(dtype)
    b[wild] = np.ldexp(np.ones(N, dtype), exponents[1])[wild].astype(dtype)
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, info.tiny, info.max, 1.0]
    a[-64:] = np.repeat(values, 8).astype(dtype)
    b[-64:] = np.tile(values, 8).astype(dtype)
    return a * rng.choice([-1, 1], N).astype(dtype), b * rng.choice([-1, 1], N).astype(dtype)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_remainders_and_whole_quotients_are_numpys(dtype, target):
    if target in FOREIGN:
        require_emulator(target)
    elif target == "x86-64-v3" and not runs(target):
        pytest.skip(f"needs {target}")
    a, b = operands(dtype)
    A, B = (sw.placeholder((N,), dtype, name=name) for name in "AB")
    parts = [
        sw.compute((N,), lambda i, f=f: getattr(sw, f)(A[i], B[i]), name=f"of_{f}")
        for f in FUNCTIONS
    ]
    s = sw.create_schedule(parts)
    if target != "c":
        s.auto_schedule(target, search=False)
    got = sw.build(s, [A, B, *parts], target=target).run(a, b)
    with np.errstate(all="ignore"):
        expected = [getattr(np, f)(a, b) for f in FUNCTIONS]
    for name, g, e in zip(FUNCTIONS, got, expected, strict=True):
        np.testing.assert_array_equal(g, e, err_msg=name)
        is_number = ~np.isnan(e)
        np.testing.assert_array_equal(np.signbit(g)[is_number], np.signbit(e)[is_number])
