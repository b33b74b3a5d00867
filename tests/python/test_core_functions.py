"""Functions of float32 in vectors of computing cores: their errors, special values, and that a
schedule does not change a bit."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import solway as sw

MACHINES = ("sw26010", "sw26010pro")


def logarithm(of: Callable[[float], float], x: float, least: float = 0) -> float:
    """Where Python raises an error, the limit or no number."""
    if x > least:
        return of(x)
    return -math.inf if x == least else math.nan


EXACT: dict[str, Callable[[float], float]] = {
    "exp": lambda x: math.exp(x) if x < 709 else math.inf,
    "exp2": lambda x: 2.0**x if x < 1023 else math.inf,
    "expm1": lambda x: math.expm1(x) if x < 709 else math.inf,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)) if x > -700 else 0.0,
    "tanh": math.tanh,
    "erf": math.erf,
    "log": lambda x: logarithm(math.log, x),
    "log2": lambda x: logarithm(math.log2, x),
    "log10": lambda x: logarithm(math.log10, x),
    "log1p": lambda x: logarithm(math.log1p, x, least=-1),
}


def samples() -> np.ndarray:
    """Every magnitude, the neighbours of what the functions divide by, and special values."""
    rng = np.random.default_rng(5)
    bits = np.arange(0, 2**32, 1_700_021, dtype=np.uint64).astype(np.uint32)
    near = [np.linspace(-s, s, 301) for s in (1e-3, 0.1, 0.57, 1.01, 4.2, 20, 90, 105, 151)]
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 0.5625, 1.0, 4.0, 88.72283, 88.72284, -103.97]
    special += [-1.0, np.nextafter(np.float32(-1), 0, dtype="f4"), 1e-45, -1e-45, 2.0**-12, 0.5]
    limits = np.finfo("f4")
    special += [limits.max, limits.tiny, 0.1, 10.0, 1000.0, 1e10]
    # Steps of logarithms are taken where a power of 2 times sqrt(1/2) is reached.
    steps = (2.0 ** (np.arange(-149, 129) - 0.5)).astype("f4")
    near += [np.nextafter(steps, 0), steps, 2.0 ** np.arange(-149, 128), 1 - steps[steps < 0.1]]
    values = np.concatenate(
        [
            bits.view(np.float32),
            np.concatenate(near).astype(np.float32),
            rng.normal(0, 3, 400).astype(np.float32),
            np.array(special, np.float32),
        ]
    )
    return np.concatenate([values, values[: -len(values) % 64]])


def kernel_of(name: str, count: int, machine: str, vectors: bool) -> sw.Kernel:
    x = sw.placeholder((count,), name="X")
    y = sw.compute((count,), lambda i: getattr(sw, name)(x[i]), name="Y")
    s = sw.create_schedule(y)
    outer, inner = s[y].split("i", factor=64)
    s.buffer_read(x, [inner])
    s.buffer_write(y, [inner])
    s[y].parallel(outer)
    if vectors:
        s[y].vectorize(inner)
    return sw.build(s, [x, y], target=machine, name="layer")


def ulps(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Distances in units of the last place of the exact result."""
    with np.errstate(over="ignore", invalid="ignore"):
        place = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    place = np.where(np.isfinite(place), place, 1.0)
    return np.abs(found.astype(np.float64) - exact) / place


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", EXACT)
def test_errors_are_those_of_the_page(name: str, machine: str) -> None:
    x = samples()
    found = kernel_of(name, len(x), machine, vectors=True).run(x)
    exact = np.array([math.nan if math.isnan(v) else EXACT[name](float(v)) for v in x])
    with np.errstate(over="ignore"):
        rounded = exact.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
    infinite = np.isinf(rounded)
    np.testing.assert_array_equal(found[infinite], rounded[infinite])
    rest = ~infinite & ~np.isnan(exact)
    assert ulps(found[rest], exact[rest]).max() < 0.55
    zero = x == 0
    np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(rounded[zero]))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", EXACT)
def test_numbers_have_the_bits_of_vectors(name: str, machine: str) -> None:
    x = samples()
    in_vectors = kernel_of(name, len(x), machine, vectors=True).run(x)
    one_by_one = kernel_of(name, len(x), machine, vectors=False).run(x)
    np.testing.assert_array_equal(in_vectors.view(np.uint32), one_by_one.view(np.uint32))


def test_vectors_call_no_library() -> None:
    source = kernel_of("exp", 256, "sw26010", vectors=True).source["layer_cpe.c"]
    assert "exp_of_4(" in source
    assert "expf(" not in source
    assert "<math.h>" not in source


def test_what_does_not_fill_a_vector_is_computed_alike() -> None:
    x = np.linspace(-3, 3, 7, dtype=np.float32)
    a = sw.placeholder((7,), name="A")
    b = sw.compute((7,), lambda i: sw.tanh(a[i]) * sw.exp(a[i]), name="B")
    s = sw.create_schedule(b)
    s.buffer_read(a, ["i"])
    s.buffer_write(b, ["i"])
    s[b].vectorize("i")
    kernel = sw.build(s, [a, b], target="sw26010", name="both")
    found = kernel.run(x)
    np.testing.assert_allclose(found, np.tanh(x) * np.exp(x), rtol=2e-7)
    assert "exp_of_number(" in kernel.source["both_cpe.c"]
    np.testing.assert_array_equal(found, kernel.run(x, mode="hazard"))


def test_names_of_the_functions_may_be_the_users() -> None:
    exp_of_4 = sw.placeholder((16,), name="exp_of_4")
    y = sw.compute((16,), lambda i: sw.exp(exp_of_4[i]), name="exp_of_number")
    s = sw.create_schedule(y)
    s.buffer_read(exp_of_4, ["i"])
    s.buffer_write(y, ["i"])
    s[y].vectorize("i")
    x = np.arange(16, dtype=np.float32)
    found = sw.build(s, [exp_of_4, y], target="sw26010", name="named").run(x)
    np.testing.assert_allclose(found, np.exp(x), rtol=2e-7)


@pytest.mark.parametrize("name", ["exp", "rsqrt"])
def test_doubles_are_right(name: str) -> None:
    x = sw.placeholder((16,), "float64", name="X")
    y = sw.compute((16,), lambda i: getattr(sw, name)(x[i]), name="Y")
    s = sw.create_schedule(y)
    s.buffer_read(x, ["i"])
    s.buffer_write(y, ["i"])
    s[y].vectorize("i")
    values = np.linspace(0.5, 9, 16)
    expected = np.exp(values) if name == "exp" else 1 / np.sqrt(values)
    found = sw.build(s, [x, y], target="sw26010", name="doubles").run(values)
    np.testing.assert_allclose(found, expected, rtol=1e-15)
