"""float16 and bfloat16 in vectors: what is stored in 16 bits and computed in float32."""

from __future__ import annotations

import re

import numpy as np
import pytest
import solway as sw
from solway._bfloat16 import bfloat16_bits
from solway._cpu import runs
from support.foreign import require_emulator
from support.guarded import GuardedKernel

HALVES = ("float16", "bfloat16")
TARGETS = ("host", "x86-64-v3", "aarch64-neon", "aarch64-sve", "riscv64-v")
# Instructions that convert a vector, and what a scalar would take.
INSTRUCTIONS = {
    ("x86-64-v3", "float16"): (r"vcvtph2ps\s.*%ymm", r"vcvtps2ph\s.*%ymm"),
    ("x86-64-v4", "float16"): (r"vcvtph2psx?\s.*%zmm", r"vcvtps2phx?\s.*%zmm"),
    ("aarch64-neon", "float16"): (r"fcvtl\s.*\.4s", r"fcvtn\s.*\.4h"),
    ("x86-64-v3", "bfloat16"): (r"vpmovzxwd\s.*%ymm", r"vpackusdw\s"),
    ("x86-64-v4", "bfloat16"): (r"vpmovzxwd\s.*%zmm", r"vpermw\s+%zmm"),
    ("aarch64-neon", "bfloat16"): (r"u?shll\s.*\.4s.*\.4h", r"(shrn|uzp2)\s.*\.[48]h"),
}


def numbers_of(bits, half):
    """float32 of the bits of 16-bit floats."""
    if half == "float16":
        return bits.view(np.float16).astype(np.float32)
    return (bits.astype(np.uint32) << 16).view(np.float32)


def bits_of(numbers, half):
    """The bits of the nearest 16-bit floats."""
    if half == "float16":
        with np.errstate(over="ignore"):
            return numbers.astype(np.float16).view(np.uint16)
    return bfloat16_bits(numbers)


def given(bits, half):
    """An argument of a kernel."""
    return bits.view(np.float16) if half == "float16" else bits


def vectorized(output, inputs, target):
    """The stage with its only loop in lanes."""
    s = sw.create_schedule(output)
    s[output].vectorize(output.axis[0])
    return sw.build(s, [*inputs, output], target=target)


def widening(half, target, extent):
    A = sw.placeholder((extent,), half, name="A")
    C = sw.compute((extent,), lambda i: sw.cast(A[i], "float32"), name="C")
    return vectorized(C, [A], target)


def narrowing(half, target, extent):
    A = sw.placeholder((extent,), name="A")
    C = sw.compute((extent,), lambda i: sw.cast(A[i], half), name="C")
    return vectorized(C, [A], target)


def machine_code(kernel):
    return next(text for name, text in kernel.source.items() if name.endswith(".s"))


def require_registers(target):
    """Code for processors of this kind is made where they are."""
    if target.startswith("x86-64") and not runs(target):
        pytest.skip(f"this machine does not run {target}")


def require(target):
    if target not in ("host", "x86-64-v3"):
        require_emulator(target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("half", HALVES)
def test_every_number_widens_exactly(half, target):
    require(target)
    bits = np.arange(1 << 16, dtype=np.uint16)
    kernel = widening(half, target, bits.size)
    assert kernel.report() == ()
    got, expected = kernel.run(given(bits, half)), numbers_of(bits, half)
    is_number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(got), ~is_number)
    np.testing.assert_array_equal(
        got.view(np.uint32)[is_number], expected.view(np.uint32)[is_number]
    )


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("half", HALVES)
def test_numbers_are_rounded_to_the_nearest_once(half, target):
    """Every number of the type, those halfway to the next, and what lies beside these."""
    require(target)
    exact = numbers_of(np.arange(1 << 16, dtype=np.uint16), half)
    exact = exact[np.isfinite(exact)]
    with np.errstate(over="ignore"):
        after = numbers_of(bits_of(exact, half) + np.uint16(1), half)
    halfway = (exact.astype(np.float64) + after.astype(np.float64)) / 2
    halfway = halfway[np.isfinite(halfway)].astype(np.float32)
    beside = [np.nextafter(halfway, np.float32(side), dtype=np.float32) for side in (-9e9, 9e9)]
    odd = np.array([np.inf, -np.inf, np.nan, -0.0, 65504, 65519.99, 65520, 1e-45, 3e38], np.float32)
    values = np.concatenate([exact, halfway, *beside, odd])
    kernel = narrowing(half, target, values.size)
    assert kernel.report() == ()
    got = np.asarray(kernel.run(values)).view(np.uint16)
    expected = bits_of(values, half)
    is_number = ~np.isnan(values)
    np.testing.assert_array_equal(got[is_number], expected[is_number])
    assert np.isnan(numbers_of(got[~is_number], half)).all()


@pytest.mark.parametrize("extent", [1, 5, 16, 37])
@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("target", TARGETS)
def test_what_fills_no_vector(target, half, extent):
    require(target)
    A, B = (sw.placeholder((extent,), half, name=name) for name in "AB")
    C = sw.compute(
        (extent,),
        lambda i: sw.cast(sw.cast(A[i], "float32") * sw.cast(B[i], "float32") + 1.5, half),
        name="C",
    )
    kernel = vectorized(C, [A, B], target)
    rng = np.random.default_rng(extent)
    a, b = (rng.integers(-8, 9, extent).astype(np.float32) for _ in range(2))
    got = kernel.run(given(bits_of(a, half), half), given(bits_of(b, half), half))
    np.testing.assert_array_equal(np.asarray(got).view(np.uint16), bits_of(a * b + 1.5, half))


@pytest.mark.parametrize(("target", "half"), INSTRUCTIONS)
def test_conversions_are_vector_instructions(target, half):
    require_registers(target)
    wide, narrow = INSTRUCTIONS[target, half]
    assert re.search(wide, machine_code(widening(half, target, 64)))
    code = machine_code(narrowing(half, target, 64))
    assert re.search(narrow, code)
    assert "call" not in code


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
def test_planned_sums_are_of_vectors(target, half):
    """A matrix times a vector: terms lie side by side."""
    rows, terms = 24, 83
    A = sw.placeholder((rows, terms), half, name="A")
    B = sw.placeholder((terms,), half, name="B")
    k = sw.reduce_axis(terms, name="k")
    C = sw.compute(
        (rows,),
        lambda i: sw.sum(sw.cast(A[i, k], "float32") * sw.cast(B[k], "float32"), axis=k),
        name="C",
    )
    s = sw.create_schedule(C)
    s.auto_schedule(target, search=False)
    kernel = sw.build(s, [A, B, C], target=target)
    assert re.search(r"vfmadd\w+ps\s", machine_code(kernel))
    rng = np.random.default_rng(1)
    a, b = rng.integers(-8, 9, (rows, terms)), rng.integers(-8, 9, terms)
    got = kernel.run(*(given(bits_of(x.astype(np.float32), half), half) for x in (a, b)))
    np.testing.assert_array_equal(got, (a @ b).astype(np.float32))


def widened(x):
    return sw.cast(x, "float32")


def small(rng, shape):
    """Whole numbers whose products and sums are exact, as float32."""
    return rng.integers(-8, 9, shape).astype(np.float32)


def planned(output, inputs, target="host"):
    s = sw.create_schedule(output)
    plan = s.auto_schedule(target, search=False)
    return str(plan), GuardedKernel(sw.build(s, [*inputs, output], target=target))


@pytest.mark.parametrize("shape", [(64, 96, 128), (13, 37, 22), (70, 200, 33), (1, 5, 3)])
@pytest.mark.parametrize(
    "types", [("float16", "float16"), ("bfloat16", "bfloat16"), ("float16", "float32")]
)
@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
def test_planned_products(target, types, shape):
    m, n, terms = shape
    A = sw.placeholder((m, terms), types[0], name="A")
    B = sw.placeholder((terms, n), types[1], name="B")
    k = sw.reduce_axis(terms, name="k")
    C = sw.compute(
        (m, n), lambda i, j: sw.sum(widened(A[i, k]) * widened(B[k, j]), axis=k), name="C"
    )
    _, kernel = planned(C, [A, B], target)
    rng = np.random.default_rng(2)
    a, b = small(rng, (m, terms)), small(rng, (terms, n))
    args = [
        x if t == "float32" else given(bits_of(x, t), t) for x, t in zip((a, b), types, strict=True)
    ]
    np.testing.assert_array_equal(kernel.run(*args), a @ b)


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_products_convert_their_operands_once(target, half):
    """Copied to panels of float32: no conversion stands between the products."""
    require_registers(target)
    A, B = sw.placeholder((96, 128), half, name="A"), sw.placeholder((128, 192), half, name="B")
    k = sw.reduce_axis(128, name="k")
    C = sw.compute(
        (96, 192), lambda i, j: sw.sum(widened(A[i, k]) * widened(B[k, j]), axis=k), name="C"
    )
    plan, kernel = planned(C, [A, B], target)
    assert "panels of A" in plan
    assert "panels of B" in plan
    innermost = max(
        re.split(r"\n\.LBB\w+:", machine_code(kernel)), key=lambda part: part.count("vfmadd")
    )
    assert innermost.count("vfmadd") >= 8
    assert not re.search(r"vcvt|vpmovzx|vpslld", innermost)


@pytest.mark.parametrize("half", HALVES)
def test_planned_convolutions(half):
    rows, columns, channels, filters = 9, 14, 24, 40
    X = sw.placeholder((rows + 2, columns + 2, channels), half, name="X")
    W = sw.placeholder((3, 3, channels, filters), half, name="W")
    u, v, c = (
        sw.reduce_axis(extent, name=name) for extent, name in ((3, "u"), (3, "v"), (channels, "c"))
    )

    def value(y, x, f):
        return sw.sum(widened(X[y + u, x + v, c]) * widened(W[u, v, c, f]), axis=[u, v, c])

    Y = sw.compute((rows, columns, filters), value, name="Y")
    _, kernel = planned(Y, [X, W])
    rng = np.random.default_rng(3)
    x, w = small(rng, X.shape), small(rng, W.shape)
    y = sum(x[p : p + rows, q : q + columns] @ w[p, q] for p in range(3) for q in range(3))
    got = kernel.run(*(given(bits_of(z, half), half) for z in (x, w)))
    np.testing.assert_array_equal(got, y)


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("is_widened", [True, False])
def test_what_a_buffer_holds_changes_no_bits(half, is_widened):
    """Numbers that are not exact; products that are rounded to 16 bits, or not."""
    m, n = 37, 50
    A, B = sw.placeholder((m, n), half, name="A"), sw.placeholder((n,), half, name="B")
    wide = widened if is_widened else (lambda x: x)
    C = sw.compute((m, n), lambda i, j: wide(A[i, j]) * wide(B[j]), name="C")
    s = sw.create_schedule(C)
    jo, ji = s[C].split("j", factor=16)
    s[C].reorder(jo, "i", ji)
    s[C].vectorize(ji)
    s.buffer_read(B, [ji])
    s.buffer_read(A, [ji])
    kernel = sw.build(s, [A, B, C])
    rng = np.random.default_rng(4)
    a, b = (bits_of(rng.standard_normal(t).astype(np.float32), half) for t in ((m, n), (n,)))
    expected = numbers_of(a, half) * numbers_of(b, half)
    got = np.asarray(kernel.run(given(a, half), given(b, half)))
    if is_widened:
        np.testing.assert_array_equal(got, expected)
    else:
        np.testing.assert_array_equal(got.view(np.uint16), bits_of(expected, half))
