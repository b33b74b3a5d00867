"""The float32 functions of machine code: their errors, and that schedules do not change values."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.foreign import FOREIGN, require_emulator

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from float_math import EXACT, compare, erf_kernel

N = 40_003  # no multiple of any number of lanes
# The bounds that docs/math_functions.md states, with FMA.
BOUNDS = {
    "exp": 1.01,
    "exp2": 1.08,
    "expm1": 1.66,
    "sigmoid": 1.97,
    "tanh": 1.46,
    "erf": 1.08,
    "log": 0.88,
    "log2": 0.98,
    "log10": 0.99,
    "log1p": 1.46,
}


def inputs():
    """Numbers of all magnitudes, and many where results change most."""
    random = np.random.default_rng(7)
    bits = random.integers(0, 1 << 32, N // 2, dtype=np.uint64).astype(np.uint32).view(np.float32)
    usual = random.normal(0, 4, N - len(bits) - 4).astype(np.float32)
    special = np.array([0.0, -0.0, np.inf, -np.inf], np.float32)
    return np.concatenate([bits, usual, special])


def exact_of(name, x):
    if EXACT[name] is not None:
        with np.errstate(all="ignore"):
            return EXACT[name](x.astype(np.float64))
    kernel = erf_kernel()
    padded = np.zeros(kernel.arguments[0].shape, np.float64)
    with np.errstate(invalid="ignore"):  # NaNs of any bits
        padded[: len(x)] = x
    return kernel.run(padded)[: len(x)]


def kernels(names, target, make_schedule):
    X = sw.placeholder((N,), name="X")
    outs = [sw.compute((N,), lambda i, f=f: getattr(sw, f)(X[i]), name=f"Y_{f}") for f in names]
    s = sw.create_schedule(outs)
    for out in outs:
        make_schedule(s, out)
    return sw.build(s, [X, *outs], target=target)


def in_vectors(s, out):
    s[out].vectorize(out.axis[0])


def in_pieces(s, out):
    """Vectors of 13 elements: a whole one and a part, or scalars."""
    _, inner = s[out].split(out.axis[0], factor=13)
    s[out].vectorize(inner)


@pytest.mark.parametrize("target", ["host", *FOREIGN])
def test_errors_are_within_the_stated_bounds_in_every_schedule(target):
    if target != "host":
        require_emulator(target)
    x = inputs()
    plain = kernels(BOUNDS, target, lambda s, out: None).run(x)
    for name, got in zip(BOUNDS, plain, strict=True):
        ulp, at, _, special = compare(x, got, exact_of(name, x))
        assert special == 0, name
        assert ulp <= BOUNDS[name], f"{name}({at})"
    for schedule in (in_vectors, in_pieces):
        for name, got, same in zip(
            BOUNDS, kernels(BOUNDS, target, schedule).run(x), plain, strict=True
        ):
            is_nan = np.isnan(got) & np.isnan(same)
            differs = (got.view(np.uint32) != same.view(np.uint32)) & ~is_nan
            assert not differs.any(), (name, x[differs][:3])


@pytest.mark.parametrize("name", list(BOUNDS))
def test_functions_call_no_library(name, tmp_path):
    kernels([name], "host", in_vectors).save(tmp_path)
    code = "".join(file.read_text() for file in tmp_path.glob("*.ll"))
    assert "define" in code
    assert "declare float" not in code.replace("declare float @llvm.", "")


def test_sums_around_a_function_do_not_change_it():
    """A product at the end of exp is not contracted with what is added."""
    x = np.random.default_rng(3).normal(0, 4, 1000).astype(np.float32)
    X = sw.placeholder((1000,), name="X")
    E = sw.compute((1000,), lambda i: sw.exp(X[i]), name="E")
    S = sw.compute((1000,), lambda i: sw.exp(X[i]) + X[i], name="S")
    s = sw.create_schedule([E, S])
    s[S].vectorize(S.axis[0])
    e, got = sw.build(s, [X, E, S]).run(x)
    np.testing.assert_array_equal(got, e + x)
