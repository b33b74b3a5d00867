"""Element types and functions on every target, against NumPy."""

from __future__ import annotations

import ctypes
import math

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
import solway as sw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TARGETS = ["host", "c", "sw26010"]
INTEGERS = ["int8", "uint8", "int16", "int32", "int64"]
FLOATS = ["float16", "float32", "float64"]
DTYPES = [*INTEGERS, *FLOATS, "bool"]
N = 24


def run(target, function, *arrays, dtypes=None):
    """`function` of the elements, in a kernel."""
    dtypes = dtypes or [a.dtype for a in arrays]
    inputs = [
        sw.placeholder(a.shape, t, name=f"A{n}")
        for n, (a, t) in enumerate(zip(arrays, dtypes, strict=True))
    ]
    out = sw.compute(arrays[0].shape, lambda i: function(*(t[i] for t in inputs)), name="out")
    kernel = sw.build(sw.create_schedule(out), [*inputs, out], target=target)
    return kernel.run(*arrays)


def sample(dtype, seed=1):
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, N).astype(bool)
    if np.dtype(dtype).kind in "iu":
        limits = np.iinfo(dtype)
        a = rng.integers(limits.min, limits.max, N, dtype=dtype, endpoint=True)
        a[:6] = [limits.min, limits.max, 0, 1, 2, limits.max - 1]
        return a
    a = (rng.integers(-64, 64, N) / 8).astype(dtype)
    a[:6] = [np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5]
    return a


def agree(got, expected, rtol=0.0):
    assert got.dtype == expected.dtype
    if rtol:
        np.testing.assert_allclose(got, expected, rtol=rtol)
    else:
        np.testing.assert_array_equal(got, expected)
        if got.dtype.kind == "f":
            is_number = ~np.isnan(expected)
            np.testing.assert_array_equal(
                np.signbit(got)[is_number], np.signbit(expected)[is_number]
            )


ARITHMETIC = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<": lambda a, b: a < b,
    "==": lambda a, b: a == b,
}


def in_one_kernel(target, functions, a, b):
    """Kernels are dear to build: one for all operations of a pair of types."""
    A, B = sw.placeholder(a.shape, a.dtype, name="A"), sw.placeholder(b.shape, b.dtype, name="B")
    outputs = [
        sw.compute(a.shape, lambda i, f=f: f(A[i], B[i]), name=f"out{n}")
        for n, f in enumerate(functions)
    ]
    used = {tensor for out in outputs for tensor in out.inputs}
    given = [(T, array) for T, array in [(A, a), (B, b)] if T in used]
    tensors = [T for T, _ in given]
    kernel = sw.build(sw.create_schedule(outputs), [*tensors, *outputs], target=target)
    results = kernel.run(*(array for _, array in given))
    return results if isinstance(results, tuple) else (results,)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("left", DTYPES)
def test_arithmetic_is_numpys_on_every_target(left, target):
    for right in DTYPES:
        a, b = sample(left), sample(right, seed=2)
        names = [n for n in ARITHMETIC if not (left == right == "bool" and n == "-")]
        with np.errstate(all="ignore"):
            expected = [ARITHMETIC[n](a, b) for n in names]
        got = in_one_kernel(target, [ARITHMETIC[n] for n in names], a, b)
        for name, g, e in zip(names, got, expected, strict=True):
            assert g.dtype == e.dtype, (left, name, right)
            try:
                agree(g, e)
            except AssertionError as error:
                raise AssertionError(f"{left} {name} {right}: {error}") from error


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_bit_operators_are_numpys(dtype, target):
    a, b = sample(dtype), sample(dtype, seed=2)
    shifts = np.resize(np.array([0, 1, 7, 8, 15, 31, 32, 63, 64, 100]), N).astype(dtype)
    got = in_one_kernel(
        target,
        [
            lambda x, y: x & y,
            lambda x, y: x | y,
            lambda x, y: x ^ y,
            lambda x, y: ~x,
            lambda x, y: -x,
            lambda x, y: sw.sign(x),
            lambda x, y: sw.fmod(x, y),
            lambda x, y: x & 3,
        ],
        a,
        b,
    )
    with np.errstate(all="ignore"):
        expected = [a & b, a | b, a ^ b, ~a, -a, np.sign(a), np.fmod(a, b), a & 3]
    for g, e in zip(got, expected, strict=True):
        agree(g, e)
    got = in_one_kernel(target, [lambda x, y: x << y, lambda x, y: x >> y], a, shifts)
    agree(got[0], a << shifts)
    agree(got[1], a >> shifts)


EXACT = ["floor", "ceil", "trunc", "rint", "sign", "isnan", "isinf", "isfinite", "abs", "square"]
MATH = [
    "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan",
    "sinh cosh tanh arcsinh arccosh arctanh",
]
MATH = [name for line in MATH for name in line.split()]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_are_numpys(dtype, target):
    a = sample(dtype)
    got = in_one_kernel(target, [lambda x, y, n=n: getattr(sw, n)(x) for n in EXACT + MATH], a, a)
    with np.errstate(all="ignore"):
        expected = [getattr(np, n)(a) for n in EXACT + MATH]
    for name, g, e in zip(EXACT + MATH, got, expected, strict=True):
        rtol = 0 if name in EXACT else {"float16": 1e-3, "float32": 1e-6, "float64": 1e-14}[dtype]
        try:
            agree(g, e, rtol)
        except AssertionError as error:
            raise AssertionError(f"{name} of {dtype}: {error}") from error


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_two_are_numpys(dtype, target):
    a, b = sample(dtype), sample(dtype, seed=3)[::-1].copy()
    names = ["arctan2", "hypot", "copysign", "fmod", "remainder", "floor_divide", "fmin", "fmax"]
    got = in_one_kernel(target, [lambda x, y, n=n: getattr(sw, n)(x, y) for n in names], a, b)
    with np.errstate(all="ignore"):
        expected = [getattr(np, n)(a, b) for n in names]
    for name, g, e in zip(names, got, expected, strict=True):
        rtol = 2e-3 if dtype == "float16" else 1e-6
        agree(g, e, rtol if name in ("arctan2", "hypot") else 0)


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
def test_functions_of_integers_are_in_numpys_floats(dtype):
    a = sample(dtype)
    with np.errstate(all="ignore"):
        for name in ["sqrt", "exp", "arctan"]:
            expected = getattr(np, name)(a)
            got = run("host", getattr(sw, name), a)
            agree(got, expected, {2: 2e-3, 4: 1e-6, 8: 1e-14}[expected.dtype.itemsize])


#: Functions of one number that NumPy has; it refuses sign and negative of bool.
UNARY = ["fabs", "rint", "round", "square", "reciprocal", "sign", "floor", "ceil", "trunc", "abs"]
UNARY += ["negative", "sqrt", "logical_not"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_have_numpys_type(dtype, target):
    a = sample(dtype)
    expected = {}
    with np.errstate(all="ignore"):
        for name in UNARY:
            try:
                expected[name] = getattr(np, name)(a)
            except TypeError:
                with pytest.raises(sw.DslError, match="does not take a condition"):
                    run(target, getattr(sw, name), a)
    functions = [lambda x, y, n=n: getattr(sw, n)(x) for n in expected]
    for name, got in zip(expected, in_one_kernel(target, functions, a, a), strict=True):
        # Of 0, NumPy's integer is what the processor makes of infinity.
        is_sure = a != 0 if name == "reciprocal" and a.dtype.kind in "iu" else slice(None)
        rtol = 2e-3 if name == "sqrt" else 0
        try:
            agree(got[is_sure], expected[name][is_sure], rtol)
        except AssertionError as error:
            raise AssertionError(f"{name} of {dtype}: {error}") from error


def bits_of(values):
    """bfloat16 as uint16: the upper half of float32, rounded to the nearest even."""
    u = values.astype("float32").view("uint32").astype("uint64")
    return ((u + 0x7FFF + ((u >> 16) & 1)) >> 16).astype("uint16")


def values_of(bits):
    return (bits.astype("uint32") << 16).view("float32")


@pytest.mark.parametrize("target", TARGETS)
def test_bfloat16_rounds_each_operation(target):
    rng = np.random.default_rng(5)
    a, b = (bits_of(rng.normal(size=N) * 100) for _ in range(2))
    A, B = sw.placeholder((N,), "bfloat16", name="A"), sw.placeholder((N,), "bfloat16", name="B")
    C = sw.compute((N,), lambda i: A[i] * B[i] + A[i], name="C")
    assert C._node.dtype == "bfloat16"
    got = sw.build(sw.create_schedule(C), [A, B, C], target=target).run(a, b)
    product = values_of(bits_of(values_of(a) * values_of(b)))
    np.testing.assert_array_equal(got.view("uint16"), bits_of(product + values_of(a)))


class ByDlpack:
    """A bfloat16 array of a library that NumPy does not know."""

    def __init__(self, bits):
        self._bits = bits

    def __dlpack_device__(self):
        return self._bits.__dlpack_device__()

    def __dlpack__(self, **_):
        capsule = self._bits.__dlpack__()
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype = ctypes.c_void_p
        pointer_of.argtypes = (ctypes.py_object, ctypes.c_char_p)
        code_offset = 20  # behind the data, the device and the number of dimensions
        code = pointer_of(capsule, b"dltensor") + code_offset
        ctypes.c_uint8.from_address(code).value = 4  # bfloat
        return capsule


def test_bfloat16_comes_by_dlpack():
    A = sw.placeholder((3, 2), "bfloat16", name="A")
    C = sw.compute((3, 2), lambda i, j: sw.cast(A[i, j], "float32"), name="C")
    kernel = sw.build(sw.create_schedule(C), [A, C])
    values = np.arange(6, dtype="float32").reshape(3, 2)
    np.testing.assert_array_equal(kernel.run(ByDlpack(bits_of(values))), values)
    with pytest.raises(sw.ArgumentMismatchError):
        kernel.run(values)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_sum_of_halves_is_rounded_once(dtype, target):
    n = 4096
    A = sw.placeholder((2, n), dtype, name="A")
    k = sw.reduce_axis(n, name="k")
    C = sw.compute((2,), lambda i: sw.sum(A[i, k], axis=k), name="C")
    a = np.ones((2, n), "float32")
    a[1] = 3
    given = a.astype("float16") if dtype == "float16" else bits_of(a)
    got = sw.build(sw.create_schedule(C), [A, C], target=target).run(given)
    if dtype == "float16":
        np.testing.assert_array_equal(got, a.sum(1).astype("float16"))
    else:
        np.testing.assert_array_equal(values_of(got.view("uint16")), a.sum(1))


@pytest.mark.parametrize("target", ["host", "c"])
def test_conversions_are_numpys(target):
    rng = np.random.default_rng(9)
    values = np.concatenate([rng.normal(size=200) * 10.0 ** rng.integers(-9, 6, 200), [65519.99]])
    for source in ["float64", "float32", "int32", "int64", "uint8", "int16", "bool"]:
        with np.errstate(all="ignore"):
            a = values.astype(source)
            expected = a.astype("float16")
        agree(run(target, lambda x: x.astype("float16"), a), expected)
    halves = np.arange(65536, dtype="uint16").view("float16")
    agree(run(target, lambda x: x.astype("float32"), halves), halves.astype("float32"))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_pairs_agree_with_numpy(data):
    left, right = data.draw(st.sampled_from(DTYPES)), data.draw(st.sampled_from(DTYPES))
    name = data.draw(st.sampled_from(["+", "*", "//", "%", "<"]))
    a = data.draw(hnp.arrays(left, 8))
    b = data.draw(hnp.arrays(right, 8))
    with np.errstate(all="ignore"):
        expected = ARITHMETIC[name](a, b)
    agree(run("host", ARITHMETIC[name], a, b), expected)


def test_erf_of_integers():
    a = np.arange(-2, 3, dtype="int32")
    np.testing.assert_allclose(run("host", sw.erf, a), [math.erf(x) for x in a])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("poison", [False, True])
def test_buffers_of_halves(dtype, poison, target):
    A = sw.placeholder((6, 8), dtype, name="A")
    C = sw.compute((6, 8), lambda i, j: A[i, j] * 2, name="C")
    s = sw.create_schedule(C)
    s.buffer_read(A, at=C.axis[0])
    s.buffer_write(C, at=C.axis[0])
    poison = poison and target in ("host", "c")
    kernel = sw.build(s, [A, C], target=target, poison_transfers=poison)
    values = np.arange(48, dtype="float32").reshape(6, 8)
    a = bits_of(values) if dtype == "bfloat16" else values.astype(dtype)
    expected = bits_of(values * 2) if dtype == "bfloat16" else values.astype(dtype) * 2
    np.testing.assert_array_equal(kernel.run(a).view(expected.dtype), expected)
