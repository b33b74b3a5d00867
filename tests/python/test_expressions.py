"""Tensor expressions against NumPy: types, values, printing, identity."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.oracle import evaluate

DTYPES = ["int8", "int32", "int64", "float32", "float64"]
ARITHMETIC = ["+", "-", "*", "/", "//", "%"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def sample(dtype, shape=(16,), seed=1):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "i":
        return rng.integers(-100, 100, shape).astype(dtype)
    return (rng.integers(-64, 64, shape) / 8).astype(dtype)


def apply(op, a, b):
    return eval(f"a {op} b", {"a": a, "b": b})


def elementwise(function, *arrays):
    """`function` of the elements of arrays, as a compute, evaluated."""
    inputs = [sw.placeholder(a.shape, a.dtype, name=f"A{n}") for n, a in enumerate(arrays)]
    out = sw.compute(arrays[0].shape, lambda *i: function(*(t[i] for t in inputs)), name="out")
    return out, evaluate(out, dict(zip(inputs, arrays, strict=True)))


@pytest.mark.parametrize("op", ARITHMETIC)
@pytest.mark.parametrize("right", DTYPES)
@pytest.mark.parametrize("left", DTYPES)
def test_arithmetic_is_numpys(left, right, op):
    a, b = sample(left), sample(right, seed=2)
    b[b == 0] = 3
    with np.errstate(all="ignore"):
        expected = apply(op, a, b)
    out, got = elementwise(lambda x, y: apply(op, x, y), a, b)
    assert out.dtype == expected.dtype
    if expected.dtype == np.float32:
        np.testing.assert_allclose(got, expected, rtol=1e-6)
    else:
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("op", COMPARISONS)
@pytest.mark.parametrize("right", DTYPES)
@pytest.mark.parametrize("left", DTYPES)
def test_comparisons_are_numpys(left, right, op):
    a, b = sample(left), sample(right, seed=2)
    a[:4] = b[:4].astype(left)
    _, got = elementwise(lambda x, y: sw.select(apply(op, x, y), 1, 0), a, b)
    np.testing.assert_array_equal(got, apply(op, a, b).astype(np.int64))


@pytest.mark.parametrize("op", ARITHMETIC)
@pytest.mark.parametrize("literal", [3, 2.5, np.float64(2.5), np.int8(3), np.float32(0.5)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_literals_are_weak_and_numpy_scalars_are_not(dtype, literal, op):
    a = sample(dtype)
    out, got = elementwise(lambda x: apply(op, x, literal), a)
    expected = apply(op, a, literal)
    assert out.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-6)
    a[a == 0] = 1
    out, got = elementwise(lambda x: apply(op, literal, x), a)
    expected = apply(op, literal, a)
    assert out.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_integers_wrap_around(dtype):
    limits = np.iinfo(dtype)
    a = np.array([limits.max, limits.min, -1, 0], dtype)
    _, got = elementwise(lambda x: x * x + x, a)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(got, a * a + a)
    _, got = elementwise(lambda x: abs(-x), a)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(got, np.abs(-a))


@pytest.mark.parametrize(
    "name", ["exp", "sqrt", "tanh", "sin", "cos", "floor", "ceil", "round", "abs", "log"]
)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_functions_are_numpys(name, dtype):
    a = np.array([0, 1, 2, 3], dtype) if np.dtype(dtype).kind == "i" else sample(dtype)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(a)
    out, got = elementwise(getattr(sw, name), a)
    assert out.dtype == (a.dtype if name in ("floor", "ceil", "round") else expected.dtype)
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_functions_that_numpy_lacks():
    a = np.array([0.25, 1.0, 4.0], "float64")
    np.testing.assert_allclose(elementwise(sw.rsqrt, a)[1], 1 / np.sqrt(a))
    np.testing.assert_allclose(elementwise(sw.sigmoid, a)[1], 1 / (1 + np.exp(-a)))
    np.testing.assert_allclose(elementwise(sw.erf, a)[1], [0.27632639, 0.84270079, 0.99999998])


def test_minimum_maximum_clip_and_power():
    a, b = sample("float32"), sample("float32", seed=2)
    a[0] = np.nan
    np.testing.assert_array_equal(elementwise(sw.minimum, a, b)[1], np.minimum(a, b))
    np.testing.assert_array_equal(elementwise(sw.maximum, a, b)[1], np.maximum(a, b))
    np.testing.assert_array_equal(elementwise(lambda x: sw.clip(x, -1, 2), b)[1], np.clip(b, -1, 2))
    i = sample("int32")
    np.testing.assert_array_equal(elementwise(lambda x: x**3, i)[1], i**3)


def test_casts_are_numpys():
    a = np.array([1.9, -1.9, 300.0, 0.0], "float64")
    for dtype in ["int32", "int64", "float32"]:
        np.testing.assert_allclose(
            elementwise(lambda x, d=dtype: x.astype(d), a)[1], a.astype(dtype), rtol=1e-6
        )
    i = np.array([300, -300, 127, 128], "int32")
    np.testing.assert_array_equal(
        elementwise(lambda x: sw.cast(x, np.int8), i)[1], i.astype("int8")
    )


def test_conditions_combine():
    a = sample("int32")
    for function in (
        lambda x: sw.all_of(x > -50, x < 50, x % 2 == 0),
        lambda x: (x > -50) & (x < 50) & (x % 2 == 0),
        lambda x: ~sw.any_of(x <= -50, x >= 50, x % 2 != 0),
    ):
        _, got = elementwise(lambda x, f=function: sw.select(f(x), 1, 0), a)
        np.testing.assert_array_equal(got, ((a > -50) & (a < 50) & (a % 2 == 0)).astype(np.int64))
    _, got = elementwise(lambda x: sw.select((x > 0) ^ (x % 2 == 0), 1, 0), a)
    np.testing.assert_array_equal(got, ((a > 0) ^ (a % 2 == 0)).astype(np.int64))
    _, got = elementwise(lambda x: sw.select(x, 1, 0) + sw.select(sw.all_of(), 1, 0), a)
    np.testing.assert_array_equal(got, (a != 0).astype(np.int64) + 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_matrix_product(dtype):
    a, b = sample(dtype, (4, 6)), sample(dtype, (6, 5), seed=2)
    A, B = sw.placeholder(a.shape, dtype, name="A"), sw.placeholder(b.shape, dtype, name="B")
    k = sw.reduce_axis((0, 6), name="k")
    C = sw.compute((4, 5), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    assert C.dtype == np.dtype(dtype)
    assert [x.name for x in C.axis] == ["i", "j"]
    assert C.reduce_axis == (k,) or (C.reduce_axis[0] == k)
    np.testing.assert_allclose(evaluate(C, {A: a, B: b}), a @ b, rtol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max"])
def test_reductions_accumulate_in_the_operands_type(name, dtype):
    a = sample(dtype, (3, 4, 5)) if name != "prod" else sample(dtype, (3, 4, 5)) // 16
    A = sw.placeholder(a.shape, dtype, name="A")
    j, k = sw.reduce_axis(4, name="j"), sw.reduce_axis(5, name="k")
    R = sw.compute((3,), lambda i: getattr(sw, name)(A[i, j, k], axis=(j, k)), name="R")
    assert R.dtype == np.dtype(dtype)
    dtypes = {"dtype": a.dtype if a.dtype.kind == "i" else "float64"}
    options = dtypes if name in ("sum", "prod") else {}
    np.testing.assert_allclose(evaluate(R, {A: a}), getattr(a, name)(axis=(1, 2), **options))


def test_reductions_in_another_type():
    a = np.full((4, 100), 100, "int8")
    A = sw.placeholder(a.shape, "int8", name="A")
    k = sw.reduce_axis(100, name="k")
    R = sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k, dtype="int32"), name="R")
    np.testing.assert_array_equal(evaluate(R, {A: a}), [10000] * 4)
    n = sw.reduce_axis(100, name="n")
    count = sw.compute((4,), lambda i: sw.sum(A[i, n] > 0, axis=n), name="count")
    assert count.dtype == np.int64
    np.testing.assert_array_equal(evaluate(count, {A: a}), [100] * 4)


def test_a_reduction_over_nothing_is_its_identity():
    A = sw.placeholder((4, 0), "int8", name="A")
    for name, value in {"sum": 0, "prod": 1, "min": 127, "max": -128}.items():
        k = sw.reduce_axis(0, name="k")
        R = sw.compute((4,), lambda i, f=name, k=k: getattr(sw, f)(A[i, k], axis=k), name="R")
        np.testing.assert_array_equal(evaluate(R, {A: np.zeros((4, 0), "int8")}), [value] * 4)


def test_nested_reductions_and_stages():
    a = sample("float32", (5, 7))
    A = sw.placeholder(a.shape, name="A")
    m, k = sw.reduce_axis(7, name="m"), sw.reduce_axis(7, name="k")
    S = sw.compute(
        a.shape,
        lambda i, j: sw.exp(A[i, j] - sw.max(A[i, m], axis=m)) / sw.sum(sw.exp(A[i, k]), axis=k),
        name="S",
    )
    assert [x.name for x in S.reduce_axis] == ["m", "k"]
    T = sw.compute((5,), lambda i: S[i, 0] * 2, name="T")
    a64 = a.astype("float64")
    expected = np.exp(a64 - a64.max(1, keepdims=True)) / np.exp(a64).sum(1, keepdims=True)
    np.testing.assert_allclose(evaluate(S, {A: a}), expected)
    np.testing.assert_allclose(evaluate(T, {A: a}), expected[:, 0] * 2)


def test_zero_padding_by_guards():
    a = sample("float32", (6, 6))
    A = sw.placeholder((6, 6), name="A")
    ry, rx = sw.reduce_axis(3, name="ry"), sw.reduce_axis(3, name="rx")

    def padded(y, x):
        inside = sw.all_of(0 <= y - 1, y - 1 < 6, 0 <= x - 1, x - 1 < 6)
        return sw.select(inside, A[y - 1, x - 1], 0.0)

    B = sw.compute((6, 6), lambda y, x: sw.sum(padded(y + ry, x + rx), axis=(ry, rx)), name="B")
    p = np.pad(a, 1)
    expected = sum(p[i : i + 6, j : j + 6] for i in range(3) for j in range(3))
    np.testing.assert_allclose(evaluate(B, {A: a}), expected)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0, 2)])
def test_shapes_of_no_and_one_element(shape):
    a = sample("float32", shape)
    out, got = elementwise(lambda x: x + 1, a)
    assert out.shape == shape
    np.testing.assert_array_equal(got, a + 1)


def test_names_come_from_the_assignment():
    weights = sw.placeholder((4,))
    rows = sw.reduce_axis(4)
    total = sw.compute((), lambda: sw.sum(weights[rows], axis=rows))
    assert (weights.name, rows.name, total.name) == ("weights", "rows", "total")
    assert str(total) == "total: float32[] = [] sum(weights[rows], axis=rows)"


@pytest.mark.parametrize("sign", "+ - * / // % ** < <= > >= == != & | ^ << >>".split())
def test_a_numpy_scalar_may_stand_on_the_left(sign):
    A = sw.placeholder((5,), "int64", name="A")
    a = np.arange(5)
    apply = eval(f"lambda left, right: left {sign} right")
    C = sw.compute((5,), lambda i: apply(np.int64(3), A[i]), name="C")
    with np.errstate(divide="ignore"):
        expected = apply(np.int64(3), a)
    result = sw.build(C).run(a)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("sign", "+ - * / // % ** < <= > >= & | ^ << >> @".split())
def test_operators_do_not_take_whole_tensors(sign):
    A = sw.placeholder((5, 5), name="A")
    apply = eval(f"lambda left, right: left {sign} right")
    numbers = [] if sign == "@" else [2, np.float32(2)]
    for other in [A, np.ones((5, 5)), *numbers]:
        for left, right in [(A, other), (other, A)]:
            with pytest.raises(sw.DslError, match=r"whole tensor|takes no tensors|has no values"):
                apply(left, right)


def test_what_stands_for_an_operator_names_its_operands_in_order():
    A = sw.placeholder((5, 4), name="A")
    with pytest.raises(sw.DslError) as caught:
        2 - A
    assert caught.value.fix == "write sw.compute((5, 4), lambda i, j: 2 - A[i, j])"
    with pytest.raises(sw.DslError) as caught:
        ~sw.placeholder((), "int32", name="Z")
    assert caught.value.fix == "write sw.compute((), lambda: ~Z[()])"


def test_axes_are_equal_by_identity_and_compare_by_value():
    A = sw.placeholder((4, 4), name="A")
    C = sw.compute((4, 4), lambda i, j: sw.select(i == j, A[i, j], 0), name="C")
    i, j = C.axis
    assert i == C.axis[0] and i != j and not i == j
    assert i in C.axis and C.axis.index(j) == 1 and hash(i) == hash(C.op.axis[0])
    assert i not in ["i", None]
    a = sample("float32", (4, 4))
    np.testing.assert_array_equal(evaluate(C, {A: a}), np.diag(np.diag(a)))


def test_tensors_are_equal_by_identity():
    A, B = sw.placeholder((4,), name="A"), sw.placeholder((4,), name="A")
    C = sw.compute((4,), lambda i: A[i] + B[i], name="C")
    assert A != B and C.inputs == (A, B) and len({A, B, C.inputs[0]}) == 2


def test_parameters_of_the_function():
    A = sw.placeholder((4, 3), name="A")
    C = sw.compute((4, 3), lambda *index: A[index], name="C")
    assert [a.name for a in C.axis] == ["index0", "index1"]
    D = sw.compute((4,), lambda i, column=2: A[i, column], name="D")
    assert [a.name for a in D.axis] == ["i"]
