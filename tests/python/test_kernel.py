"""Kernels of target c: results against NumPy, and what a call and a build refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest
import solway as sw
from support.oracle import evaluate

DTYPES = ["float32", "float64", "int32", "int64", "int8"]
MATH = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "erf": np.vectorize(math.erf),
    "sin": np.sin,
    "cos": np.cos,
    "abs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.rint,
}


def whole(shape, dtype, seed=1):
    """Small integers, of which sums and products are exact in every type."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(dtype)


def kernel(inputs, outputs, target="c", **kwargs):
    outputs = [outputs] if isinstance(outputs, sw.Tensor) else outputs
    return sw.build(sw.create_schedule(outputs), [*inputs, *outputs], target=target, **kwargs)


def check(inputs, out, arrays):
    """Runs `out` as written and compares it exactly with the oracle."""
    got = kernel(inputs, out).run(*arrays)
    expected = evaluate(out, dict(zip(inputs, arrays, strict=True)))
    assert got.dtype == out.dtype and got.shape == out.shape
    np.testing.assert_array_equal(got, expected.astype(out.dtype))
    return got


@pytest.mark.parametrize("dtype", DTYPES)
def test_matmul(dtype):
    A = sw.placeholder((5, 7), dtype, name="A")
    B = sw.placeholder((7, 3), dtype, name="B")
    k = sw.reduce_axis(7, name="k")
    C = sw.compute((5, 3), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    a, b = whole((5, 7), dtype), whole((7, 3), dtype, seed=2)
    np.testing.assert_array_equal(check([A, B], C, [a, b]), a @ b)


@pytest.mark.parametrize("op", ["sum", "prod", "min", "max"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions(dtype, op):
    A = sw.placeholder((4, 5), dtype, name="A")
    k = sw.reduce_axis(5, name="k")
    C = sw.compute((4,), lambda i: getattr(sw, op)(A[i, k], axis=k), name="C")
    a = whole((4, 5), dtype)
    expected = getattr(np, op)(a, axis=1).astype(dtype)
    np.testing.assert_array_equal(check([A], C, [a]), expected)


@pytest.mark.parametrize("op", ["sum", "prod", "min", "max"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_over_nothing(dtype, op):
    A = sw.placeholder((4, 0), dtype, name="A")
    k = sw.reduce_axis(0, name="k")
    C = sw.compute((4,), lambda i: getattr(sw, op)(A[i, k], axis=k), name="C")
    check([A], C, [np.empty((4, 0), dtype)])


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_integers_wrap_around(dtype):
    A = sw.placeholder((6,), dtype, name="A")
    C = sw.compute((6,), lambda i: A[i] * A[i] + A[i], name="C")
    limits = np.iinfo(dtype)
    a = np.array([limits.min, limits.max, -1, 0, limits.max // 2, limits.min // 3], dtype)
    check([A], C, [a])


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_division_rounds_down(dtype):
    A, B = (sw.placeholder((40,), dtype, name=name) for name in "AB")
    a = whole(40, dtype) * 5
    b = whole(40, dtype, seed=2)
    b[b == 0] = 2
    check([A, B], sw.compute((40,), lambda i: A[i] // B[i], name="C"), [a, b])
    check([A, B], sw.compute((40,), lambda i: A[i] % B[i], name="C"), [a, b])


def test_reduction_over_several_axes():
    A = sw.placeholder((2, 3, 4), "int32", name="A")
    j, k = sw.reduce_axis(3, name="j"), sw.reduce_axis(4, name="k")
    C = sw.compute((2,), lambda i: sw.sum(A[i, j, k] * (j - k), axis=[j, k]), name="C")
    check([A], C, [whole((2, 3, 4), "int32")])


def test_reductions_nested_in_an_expression():
    A = sw.placeholder((4, 5), name="A")
    k, m = sw.reduce_axis(5, name="k"), sw.reduce_axis(4, name="m")
    C = sw.compute(
        (4, 5),
        lambda i, j: sw.sum(A[i, k], axis=k) * 2 - sw.max(A[m, j], axis=m) + A[i, j],
        name="C",
    )
    a = whole((4, 5), "float32")
    expected = a.sum(axis=1, keepdims=True) * 2 - a.max(axis=0) + a
    np.testing.assert_array_equal(check([A], C, [a]), expected)


def test_a_reduction_inside_a_reduction():
    A = sw.placeholder((4, 5), name="A")
    k, m = sw.reduce_axis(5, name="k"), sw.reduce_axis(5, name="m")
    inner = sw.max(A[0, m], axis=m)
    with pytest.raises(sw.UnsupportedError, match="a reduction inside a reduction"):
        kernel([A], sw.compute((4,), lambda i: sw.sum(A[i, k] - inner, axis=k), name="C"))


def test_a_total():
    A = sw.placeholder((4, 5), name="A")
    i, j = sw.reduce_axis(4, name="i"), sw.reduce_axis(5, name="j")
    C = sw.compute((), lambda: sw.sum(A[i, j], axis=[i, j]), name="C")
    a = whole((4, 5), "float32")
    assert check([A], C, [a]) == a.sum()


def test_select_computes_only_the_chosen_side():
    A = sw.placeholder((8,), "int32", name="A")
    C = sw.compute((8,), lambda i: sw.select(A[i] != 0, 12 // A[i], -1), name="C")
    check([A], C, [np.array([0, 1, 2, 3, 0, -5, 7, 0], "int32")])


@pytest.mark.parametrize("to", DTYPES)
@pytest.mark.parametrize("of", DTYPES)
def test_casts(of, to):
    A = sw.placeholder((9,), of, name="A")
    a = (np.arange(-4, 5) * 3).astype(of)
    if np.dtype(of).kind == "f":
        a += np.array(0.75, of)
    C = sw.compute((9,), lambda i: sw.cast(A[i], to), name="C")
    np.testing.assert_array_equal(check([A], C, [a]), a.astype(to))


@pytest.mark.parametrize("name", MATH)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_math(dtype, name):
    A = sw.placeholder((64,), dtype, name="A")
    C = sw.compute((64,), lambda i: getattr(sw, name)(A[i]), name="C")
    a = np.linspace(0.1, 6, 64).astype(dtype)
    expected = MATH[name](a.astype("float64"))
    tolerance = 4 * np.finfo(dtype).eps
    got = kernel([A], C).run(a)
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", ["minimum", "maximum"])
def test_nan_wins(name):
    A, B = (sw.placeholder((4,), name=name) for name in "AB")
    C = sw.compute((4,), lambda i: getattr(sw, name)(A[i], B[i]), name="C")
    a, b = np.array([1, np.nan, 2, np.nan], "f4"), np.array([np.nan, 1, 3, np.nan], "f4")
    np.testing.assert_array_equal(kernel([A, B], C).run(a, b), getattr(np, name)(a, b))


def test_padding_by_guards():
    X = sw.placeholder((6, 6), "int32", name="X")
    W = sw.placeholder((3, 3), "int32", name="W")
    r, c = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="c")

    def body(y, x):
        row, column = 2 * y + r - 1, 2 * x + c - 1
        inside = sw.all_of(row >= 0, row < 6, column >= 0, column < 6)
        return sw.sum(sw.select(inside, X[row, column], 0) * W[r, c], axis=[r, c])

    C = sw.compute((3, 3), body, name="C")
    x, w = whole((6, 6), "int32"), whole((3, 3), "int32", seed=2)
    padded = np.pad(x, 1)
    expected = [
        [(padded[i : i + 3, j : j + 3] * w).sum() for j in range(0, 6, 2)] for i in range(0, 6, 2)
    ]
    np.testing.assert_array_equal(check([X, W], C, [x, w]), expected)


def test_several_stages():
    A = sw.placeholder((4, 6), "float64", name="A")
    k = sw.reduce_axis(6, name="k")
    S = sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k), name="S")
    D = sw.compute((4, 6), lambda i, j: A[i, j] * 6 - S[i], name="D")
    E = sw.compute((6, 4), lambda i, j: D[j, i] + D[3 - j, 5 - i], name="E")
    a = whole((4, 6), "float64")
    d = a * 6 - a.sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(check([A], E, [a]), d.T + d[::-1, ::-1].T)


def test_several_outputs():
    A = sw.placeholder((4,), "int64", name="A")
    C = sw.compute((4,), lambda i: A[i] + 1, name="C")
    D = sw.compute((4,), lambda i: C[i] * 2, name="D")
    k = sw.build(sw.create_schedule([C, D]), [D, A, C], target="c")
    d, c = k.run(np.arange(4))
    np.testing.assert_array_equal(c, np.arange(4) + 1)
    np.testing.assert_array_equal(d, (np.arange(4) + 1) * 2)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (1,), (1, 1), (1, 5), (5, 1), ()])
def test_empty_and_single_dimensions(shape):
    A = sw.placeholder(shape, "int32", name="A")
    C = sw.compute(shape, lambda *i: A[i] * 2 + 1, name="C")
    D = sw.compute(shape, lambda *i: C[i] - A[i], name="D")
    check([A], D, [whole(shape, "int32")])


def test_a_call_writes_in_place_and_leaves_inputs_alone():
    A = sw.placeholder((4,), name="A")
    C = sw.compute((4,), lambda i: A[i] * 2, name="C")
    k = kernel([A], C, name="twice")
    a, c = np.arange(4, dtype="f4"), np.full(4, 7, "f4")
    assert k.last_run is None
    assert k(a, c) is None
    np.testing.assert_array_equal(a, np.arange(4))
    np.testing.assert_array_equal(c, 2 * np.arange(4))
    assert k.last_run.seconds >= 0
    assert (k.name, k.target) == ("twice", "c")
    assert "twice" in k.ir and any("twice" in text for text in k.source.values())


def test_inputs_may_be_read_only_and_may_overlap():
    A, B = (sw.placeholder((4,), name=name) for name in "AB")
    C = sw.compute((4,), lambda i: A[i] * B[i], name="C")
    a = np.arange(4, dtype="f4")
    a.flags.writeable = False
    np.testing.assert_array_equal(kernel([A, B], C).run(a, a), a * a)


def test_arrays_of_others_are_viewed():
    class Other:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__
            self.array = array

    A = sw.placeholder((4,), name="A")
    C = sw.compute((4,), lambda i: A[i] * 2, name="C")
    c = np.zeros(4, "f4")
    kernel([A], C)(Other(np.ones(4, "f4")), Other(c))
    np.testing.assert_array_equal(c, [2, 2, 2, 2])


def test_the_same_program_gives_the_same_source():
    def source():
        A = sw.placeholder((4,), name="A")
        C = sw.compute((4,), lambda i: A[i] * 2, name="C")
        return kernel([A], C).source

    assert source() == source()


def doubled():
    A = sw.placeholder((4, 6), name="A")
    C = sw.compute((4, 6), lambda i, j: A[i, j] * 2, name="C")
    return kernel([A], C)


def good():
    return np.ones((4, 6), "f4")


def misaligned():
    return np.frombuffer(bytearray(4 * 6 * 4 + 1), "f4", offset=1, count=24).reshape(4, 6)


def read_only():
    array = good()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("a", "c", "what", "why"),
    [
        (np.ones((4, 5), "f4"), good(), "'A' has another shape", "expected (4, 6), got (4, 5)"),
        (np.ones(24, "f4"), good(), "'A' has another shape", "got (24,)"),
        (good(), np.ones((6, 4), "f4"), "'C' has another shape", "got (6, 4)"),
        (np.ones((4, 6)), good(), "'A' has another dtype", "expected float32, got float64"),
        (np.ones((4, 6), ">f4"), good(), "'A' has another dtype", "got >f4"),
        (np.ones((6, 4), "f4").T, good(), "'A' has another layout", "(4, 16)"),
        (np.ones((4, 12), "f4")[:, ::2], good(), "'A' has another layout", "(48, 8)"),
        (good(), np.ones((6, 4), "f4").T, "'C' has another layout", "(4, 16)"),
        (misaligned(), good(), "'A' has another alignment", "a multiple of 4"),
        (good(), misaligned(), "'C' has another alignment", "a multiple of 4"),
        (good(), read_only(), "'C' is read-only", "the kernel writes it"),
        ([[1.0] * 6] * 4, good(), "'A' is no array", "got list"),
        (None, good(), "'A' is no array", "got NoneType"),
    ],
)
def test_arrays_that_do_not_fit(a, c, what, why):
    with pytest.raises(sw.ArgumentMismatchError) as caught:
        doubled()(a, c)
    assert what in caught.value.what and why in caught.value.why
    assert caught.value.where.file == __file__
    assert caught.value.where.text == "doubled()(a, c)"


def test_an_output_may_not_overlap():
    k, a = doubled(), good()
    room = np.zeros(30, "f4")
    for first, second in [
        (room[2:26].reshape(4, 6), room[:24].reshape(4, 6)),
        (room[:24].reshape(4, 6), room[6:].reshape(4, 6)),
    ]:
        with pytest.raises(sw.ArgumentMismatchError, match="output 'C' of kernel overlaps 'A'"):
            k(first, second)
    k(np.split(np.ones(48, "f4"), 2)[0].reshape(4, 6), a)


def test_the_number_of_arrays():
    k = doubled()
    for arrays in [(), (good(),), (good(), good(), good())]:
        with pytest.raises(sw.ArgumentMismatchError, match="takes 2 arrays") as caught:
            k(*arrays)
        assert caught.value.why == f"got {len(arrays)}"
        assert caught.value.fix == "pass A, C"
    with pytest.raises(sw.ArgumentMismatchError, match="takes 1 inputs"):
        k.run(good(), good())


def program():
    A = sw.placeholder((4,), name="A")
    C = sw.compute((4,), lambda i: A[i] * 2, name="C")
    return A, C, sw.create_schedule(C)


def test_arguments_of_build():
    A, C, s = program()
    D = sw.placeholder((4,), name="D")
    for args, what in [
        ([A], "'C' is missing"),
        ([C], "'A' is missing"),
        ([], "is missing"),
        ([A, C, A], "'A' is named twice"),
        ([A, C, D], "'D' is not a tensor of this schedule"),
        ([A, "C"], "the arguments of build are tensors"),
    ]:
        with pytest.raises(sw.ArgumentMismatchError) as caught:
            sw.build(s, args)
        assert what in caught.value.what, args
        assert caught.value.where.text == "sw.build(s, args)"


def test_targets_that_are_not_there():
    A, C, s = program()
    for target in ("bogus", "C", ""):
        with pytest.raises(sw.UnsupportedError, match="is not there") as caught:
            sw.build(s, [A, C], target=target)
        assert "'c'" in caught.value.why


def test_a_tensor_is_scheduled():
    A, C, _ = program()
    a = np.arange(4, dtype="float32")
    assert np.array_equal(sw.build(C, [A, C], search=False).run(a), 2 * a)
    with pytest.raises(sw.UnsupportedError, match="has no model for 'c'"):
        sw.build(C, [A, C], target="c")


@pytest.mark.parametrize("name", ["", "1st", "a b", "a-b", "größe"])
def test_names_that_are_no_identifiers(name):
    A, C, s = program()
    with pytest.raises(sw.ArgumentMismatchError, match="cannot name a kernel"):
        sw.build(s, [A, C], name=name)


@pytest.mark.parametrize("name", ["int", "main", "restrict"])
def test_names_that_c_reserves(name):
    A, C, s = program()
    with pytest.raises(sw.UnsupportedError, match="C reserves the name"):
        sw.build(s, [A, C], target="c", name=name).run(np.ones(4, "f4"))


@pytest.mark.parametrize(
    "name", ["int", "kernel", "NULL", "exp", "restrict", "A_0", "main", "int32_t"]
)
def test_names_of_c_are_names_of_tensors_and_axes(name):
    A = sw.placeholder((4, 3), name=name)
    k = sw.reduce_axis(3, name=name)
    C = sw.compute((4,), lambda i: sw.exp(sw.sum(A[i, k], axis=k)), name="C")
    got = kernel([A], C).run(np.zeros((4, 3), "f4"))
    np.testing.assert_array_equal(got, np.ones(4))


def test_save(tmp_path):
    A = sw.placeholder((4, 6), name="A")
    C = sw.compute((4, 6), lambda i, j: A[i, j] * 2, name="C")
    k = sw.build(sw.create_schedule(C), [A, C], target="c")
    paths = k.save(tmp_path / "new" / "folder")
    assert {p.name: p.read_text() for p in paths}.items() >= k.source.items()
    (tmp_path / "file").write_text("")
    with pytest.raises(sw.ArgumentMismatchError, match="cannot be written") as caught:
        k.save(tmp_path / "file" / "folder")
    assert str(tmp_path / "file") in caught.value.why
    assert caught.value.where.file == __file__


def test_without_a_compiler(monkeypatch, tmp_path):
    missing = str(tmp_path / "no-such-cc")
    monkeypatch.setenv("CC", missing)
    A, C, s = program()
    k = sw.build(s, [A, C], target="c")
    with pytest.raises(sw.UnsupportedError) as caught:
        k.run(np.ones(4, "f4"))
    assert missing in caught.value.why
    assert "C compiler" in caught.value.what


def test_a_kernel_outlives_its_schedule():
    k = doubled()
    np.testing.assert_array_equal(k.run(good()), 2 * good())
    np.testing.assert_array_equal(k.run(2 * good()), 4 * good())


def test_report_is_empty_when_all_was_done_as_asked():
    assert doubled().report() == ()


class Lent:
    """An array by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **words):
        return self.array.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Shown:
    """An array by its interface alone."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize("kind", [Lent, Shown])
def test_run_keeps_what_is_changed_in_place(kind):
    A = sw.placeholder((4,), name="A")
    B = sw.update(A, (4,), lambda i: i, lambda i: A[i] + 1, name="B")
    k = sw.build(sw.create_schedule(B), [A])
    a = np.zeros(4, "f4")
    got = k.run(kind(a))
    assert type(got) is np.ndarray and got.tolist() == [1, 1, 1, 1]
    assert not a.any()


def test_a_kernel_named_as_anything():
    A = sw.placeholder((4,), name="A")
    C = sw.compute((4,), lambda i: A[i] + 1, name="C")
    for name in ("args", "args_args", "entry"):
        k = sw.build(sw.create_schedule(C), [A, C], target="c", name=name)
        assert k.run(np.ones(4, "f4")).tolist() == [2, 2, 2, 2]
