"""The math functions of machine code: their errors, and that schedules do not change values."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.foreign import FOREIGN, require_emulator

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from float_math import EXACT, EXACT_OF_DOUBLE, EXACT_OF_TWO, bits_of, compare

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
    # In float64, and rounded once.
    **dict.fromkeys("sin cos tan arcsin arccos arctan sinh cosh".split(), 0.51),
    **dict.fromkeys("arcsinh arccosh arctanh cbrt".split(), 0.51),
}
BOUNDS_OF_TWO = {"power": 0.51, "arctan2": 0.51, "hypot": 0.51}
BOUNDS_OF_DOUBLE = {"exp": 1.0, "sigmoid": 2.0, "tanh": 2.0, "erf": 2.0, "log": 1.0}


def inputs():
    """Numbers of all magnitudes, and many where results change most."""
    random = np.random.default_rng(7)
    bits = random.integers(0, 1 << 32, N // 2, dtype=np.uint64).astype(np.uint32).view(np.float32)
    usual = random.normal(0, 4, N - len(bits) - 4).astype(np.float32)
    special = np.array([0.0, -0.0, np.inf, -np.inf], np.float32)
    out = np.concatenate([bits, usual, special])
    # Where angles begin to be large, and the float32 that is nearest to a multiple of pi / 2.
    angles = [2.0**20, np.nextafter(np.float32(2**20), np.float32(0)), 16367173 * 2.0**72]
    out[:6] = [*angles, *(-x for x in angles)]
    return out


def exact_of(name, x):
    with np.errstate(all="ignore"):
        return EXACT[name](x.astype(np.float64))


def kernels(names, target, make_schedule, dtype="float32", operands=1):
    inputs = [sw.placeholder((N,), dtype, name=x) for x in "XZ"[:operands]]
    outs = [
        sw.compute((N,), lambda i, f=f: getattr(sw, f)(*(x[i] for x in inputs)), name=f"Y_{f}")
        for f in names
    ]
    s = sw.create_schedule(outs)
    for out in outs:
        make_schedule(s, out)
    return sw.build(s, [*inputs, *outs], target=target)


def require_same_in_every_schedule(names, target, arrays, plain):
    """Vectors have the bits of scalars."""
    for schedule in (in_vectors, in_pieces):
        kernel = kernels(names, target, schedule, arrays[0].dtype, len(arrays))
        for name, got, same in zip(names, kernel.run(*arrays), plain, strict=True):
            is_nan = np.isnan(got) & np.isnan(same)
            differs = (bits_of(got) != bits_of(same)) & ~is_nan
            assert not differs.any(), (name, [a[differs][:3] for a in arrays])


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
    require_same_in_every_schedule(list(BOUNDS), target, [x], plain)


def pairs_of_two():
    """Numbers of all magnitudes, whose powers are finite in part; every pair of special ones."""
    random = np.random.default_rng(11)
    words = random.integers(0, 1 << 32, (2, N), dtype=np.uint64).astype(np.uint32)
    x, y = words.view(np.float32)
    with np.errstate(all="ignore"):
        y[: N // 2] = random.uniform(-104, 90, N // 2) / np.log(np.abs(x[: N // 2], dtype="f8"))
    y[: N // 4] = np.rint(y[: N // 4])
    largest, least = np.finfo("f4").max, np.finfo("f4").smallest_subnormal
    positive = [0, least, 0.5, 1, 1 + 2**-23, 2, 3, 2**24 - 1, 2**24, 2.0**25 + 4, largest, np.inf]
    special = np.array([*positive, *(-v for v in positive), np.nan], np.float32)
    count = len(special) ** 2
    x[-count:], y[-count:] = (grid.ravel() for grid in np.meshgrid(special, special))
    return x, y


@pytest.mark.parametrize("target", ["host", *FOREIGN])
def test_functions_of_two_operands_are_within_their_bounds_and_cs_at_special_values(target):
    if target != "host":
        require_emulator(target)
    x, y = pairs_of_two()
    plain = kernels(BOUNDS_OF_TWO, target, lambda s, out: None, operands=2).run(x, y)
    for name, got in zip(BOUNDS_OF_TWO, plain, strict=True):
        with np.errstate(all="ignore"):
            exact = EXACT_OF_TWO[name](x.astype(np.float64), y.astype(np.float64))
        ulp, at, _, special = compare(np.stack([x, y], axis=1), got, exact)
        assert special == 0, name
        assert ulp <= BOUNDS_OF_TWO[name], f"{name}({at})"
    require_same_in_every_schedule(list(BOUNDS_OF_TWO), target, [x, y], plain)


@pytest.mark.parametrize("target", ["host", *FOREIGN])
@pytest.mark.parametrize("power", [1.0, 2.0, 3.0, 4.0, -1.0, -2.0, 0.5, 1.5])
def test_constant_powers_are_powers(power, target):
    """Products, quotients and roots, by which most are computed, are as exact."""
    if target != "host":
        require_emulator(target)
    x = pairs_of_two()[0]
    X = sw.placeholder(x.shape, name="X")
    Y = sw.compute(x.shape, lambda i: X[i] ** power, name="Y")
    s = sw.create_schedule(Y)
    s.auto_schedule(target, search=False)
    got = sw.build(s, [X, Y], target=target).run(x)
    with np.errstate(all="ignore"):
        exact = np.float_power(x.astype(np.longdouble), power)
    ulp, at, _, special = compare(x, got, exact)
    assert special == 0
    assert ulp <= BOUNDS_OF_TWO["power"], at


def doubles():
    random = np.random.default_rng(13)
    words = random.integers(0, 1 << 64, N, dtype=np.uint64).view(np.float64)
    out = np.where(random.random(N) < 0.3, words, random.uniform(-750, 715, N))
    out[: N // 2] = random.normal(0, 1, N // 2) * 2.0 ** random.integers(-50, 4, N // 2)
    out[:6] = [0.0, -0.0, np.inf, -np.inf, 5e-324, np.nan]
    return out


@pytest.mark.parametrize("target", ["host", *FOREIGN])
def test_functions_of_float64_are_within_their_bounds_in_every_schedule(target):
    if target != "host":
        require_emulator(target)
    x = doubles()
    plain = kernels(BOUNDS_OF_DOUBLE, target, lambda s, out: None, "float64").run(x)
    for name, got in zip(BOUNDS_OF_DOUBLE, plain, strict=True):
        with np.errstate(all="ignore"):
            exact = EXACT_OF_DOUBLE[name](x.astype(np.longdouble))
        ulp, at, _, special = compare(x, got, exact)
        assert special == 0, name
        assert ulp <= BOUNDS_OF_DOUBLE[name], f"{name}({at})"
    require_same_in_every_schedule(list(BOUNDS_OF_DOUBLE), target, [x], plain)


CALLS = [
    *((name, "float32", 1) for name in BOUNDS),
    *((name, "float32", 2) for name in BOUNDS_OF_TWO),
    *((name, "float64", 1) for name in BOUNDS_OF_DOUBLE),
]


@pytest.mark.parametrize(("name", "dtype", "operands"), CALLS)
def test_functions_call_no_library(name, dtype, operands, tmp_path):
    kernels([name], "host", in_vectors, dtype, operands).save(tmp_path)
    code = "".join(file.read_text() for file in tmp_path.glob("*.ll"))
    assert "define" in code
    assert not re.search(r"declare (float|double) @(?!llvm\.)", code)


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
