"""Types of 1 and 2 bytes on the vector engine, which loads words: by the model of it, NumPy's bits.

The model fills bytes that lie beside arrays with values that spoil a result, refuses stores to
them, and counts how often each byte is written.
"""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.ve_kernels import SIZES, built, require_vectors_only, vectorized

INTEGERS = ("int8", "uint8", "int16")
TYPES = (*INTEGERS, "bool", "float16")


def elements(n, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "float16":
        return (rng.normal(size=n) * 10.0 ** rng.integers(-6, 4, n)).astype(dtype)
    low, high = (0, 2) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max + 1)
    return rng.integers(low, high, n).astype(dtype)


def require_written_once(machine, inputs, results):
    """Each byte of the results, and so none of a neighbour's."""
    for at, array in zip(machine.places[inputs:], results, strict=False):
        assert (machine.written[at : at + array.nbytes] == 1).all()


@pytest.mark.parametrize("behind", [0, 1, 2, 3])
@pytest.mark.parametrize("dtype", TYPES)
def test_elements_of_any_place_and_number(dtype, behind):
    n = sw.size("n", min=0, max=4096)
    A, B = (sw.placeholder((n,), dtype=dtype, name=name) for name in "AB")
    both = {
        "bool": lambda a, b: a != b,
        "float16": lambda a, b: a - b,  # of float32, rounded: of both the same bits
    }.get(dtype, lambda a, b: a * b + a)
    C = sw.compute((n,), lambda i: both(A[i], B[i]), name="C")
    D = sw.compute((n,), lambda i: A[n - 1 - i] < B[i], name="D")
    E = sw.compute((n,), lambda i: A[i].astype("float32"), name="E")
    s = sw.create_schedule([C, D, E])
    for stage in (C, D, E):
        s[stage].vectorize(stage.axis[0])
    kernel, assembly = built(s, [A, B, C, D, E], behind)
    require_vectors_only(kernel, assembly)
    for size in (0, *SIZES):
        a, b = elements(size, dtype), elements(size, dtype, 1)
        c, d, e = kernel.run(a, b)
        np.testing.assert_array_equal(c, both(a, b))
        np.testing.assert_array_equal(d, a[::-1] < b)
        np.testing.assert_array_equal(e, a.astype("float32"))
        require_written_once(kernel.machine, 2, (c, d, e))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_have_all_operations(dtype):
    n, bounds = 300, np.iinfo(dtype)
    A, B = (sw.placeholder((n,), dtype=dtype, name=name) for name in "AB")
    X = sw.placeholder((n,), dtype="float32", name="X")
    operations = {
        "divided": lambda a, b, x: a // b,
        "remainder": lambda a, b, x: a % b,
        "least": lambda a, b, x: sw.minimum(a, b),
        "most": lambda a, b, x: sw.maximum(a, b),
        "left": lambda a, b, x: a << 2,
        "right": lambda a, b, x: a >> 1,
        "distance": lambda a, b, x: sw.abs(a) - b,
        "chosen": lambda a, b, x: sw.select(a > b, a - b, 0),
        "of_float": lambda a, b, x: x.astype(dtype),
    }
    stages = [
        sw.compute((n,), lambda i, f=f: f(A[i], B[i], X[i]), name=name)
        for name, f in operations.items()
    ]
    s = sw.create_schedule(stages)
    for stage in stages:
        s[stage].vectorize(stage.axis[0])
    kernel, assembly = built(s, [A, B, X, *stages], behind=1)
    require_vectors_only(kernel, assembly)
    a, b = elements(n, dtype), elements(n, dtype, 1)
    x = np.random.default_rng(2).normal(size=n).astype("float32") * bounds.max
    b[7], x[3:6] = 0, (np.nan, np.inf, -np.inf)
    divisor = np.where(b == 0, 1, b).astype("int64")
    expected = {
        "divided": np.where(b == 0, 0, a // divisor).astype(dtype),
        "remainder": np.where(b == 0, 0, a % divisor).astype(dtype),
        "least": np.minimum(a, b),
        "most": np.maximum(a, b),
        "left": (a.astype("int64") << 2).astype(dtype),
        "right": a >> np.array(1, dtype),
        "distance": np.abs(a) - b,
        "chosen": np.where(a > b, a - b, 0).astype(dtype),
        "of_float": np.nan_to_num(np.trunc(x).clip(bounds.min, bounds.max), nan=0).astype(dtype),
    }
    for name, values in zip(operations, kernel.run(a, b, x), strict=True):
        np.testing.assert_array_equal(values, expected[name], err_msg=name)


@pytest.mark.parametrize("n", [*SIZES, 1025])
def test_any_and_all_of_lanes(n):
    A = sw.placeholder((n,), name="A")
    F = sw.placeholder((n,), dtype="bool", name="F")
    k, j, h, g = (sw.reduce_axis(n, name=name) for name in "kjhg")
    stages = [
        sw.compute((1,), lambda i: sw.any(A[k] > 0, axis=k), name="some"),
        sw.compute((1,), lambda i: sw.all(A[j] > 0, axis=j), name="every"),
        sw.compute((1,), lambda i: sw.all(F[h], axis=h), name="flags"),
        sw.compute((1,), lambda i: sw.sum((A[g] > 0).astype("int32"), axis=g), name="count"),
    ]
    s = sw.create_schedule(stages)
    for stage in stages:
        s[stage].vectorize(stage.reduce_axis[0])
    kernel, assembly = built(s, [A, F, *stages])
    require_vectors_only(kernel, assembly)
    a = np.full(n, -1, "float32")
    for places in ([], [0], [n - 1], [n // 2], range(n)):
        values, flags = a.copy(), np.ones(n, bool)
        values[list(places)] = 1
        flags[list(places)[:1]] = False
        got = kernel.run(values, flags)
        above = values > 0
        assert [x[0] for x in got] == [above.any(), above.all(), flags.all(), above.sum()]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("n", [*SIZES, 1025])
def test_lanes_of_bytes_are_combined(dtype, n):
    A = sw.placeholder((n,), dtype=dtype, name="A")
    k, j, h = (sw.reduce_axis(n, name=name) for name in "kjh")
    S = sw.compute((1,), lambda i: sw.sum(A[k].astype("int32"), axis=k), name="S")
    M = sw.compute((1,), lambda i: sw.max(A[j], axis=j), name="M")
    P = sw.compute((1,), lambda i: sw.prod(A[h], axis=h), name="P")
    s = sw.create_schedule([S, M, P])
    for stage in (S, M, P):
        s[stage].vectorize(stage.reduce_axis[0])
    kernel, assembly = built(s, [A, S, M, P], behind=3)
    require_vectors_only(kernel, assembly)
    a = elements(n, dtype) | np.array(1, dtype)
    total, most, product = kernel.run(a)
    assert total[0] == a.sum(dtype="int32") and most[0] == a.max()
    assert product[0] == a.prod(dtype=product.dtype)


def test_rows_that_share_words_keep_to_themselves():
    A = sw.placeholder((3, 7, 37), dtype="uint8", name="A")
    c = sw.reduce_axis(3, name="c")
    B = sw.compute((7, 37), lambda y, x: sw.max(A[c, y, x], axis=c), name="B")
    s = sw.create_schedule(B)
    s[B].reorder(B.axis[0], c, B.axis[1])
    s.buffer_write(B, [B.axis[1]], scope="register")
    s[B].vectorize(B.axis[1])
    kernel, assembly = built(s, [A, B], behind=1)
    require_vectors_only(kernel, assembly)
    a = elements(3 * 7 * 37, "uint8").reshape(3, 7, 37)
    b = kernel.run(a)
    np.testing.assert_array_equal(b, a.max(axis=0))
    require_written_once(kernel.machine, 1, (b,))


def test_pixels_are_read_at_a_distance():
    image = sw.placeholder((300, 3), dtype="uint8", name="image")
    grey = sw.compute(
        (300,),
        lambda i: (image[i, 0] * 0.3 + image[i, 1] * 0.6 + image[i, 2] * 0.1).astype("uint8"),
        name="grey",
    )
    kernel, assembly = built(vectorized(grey), [image, grey], behind=2)
    require_vectors_only(kernel, assembly)
    a = elements(900, "uint8").reshape(300, 3)
    expected = a[:, 0] * np.float32(0.3) + a[:, 1] * np.float32(0.6) + a[:, 2] * np.float32(0.1)
    assert np.abs(kernel.run(a).astype("int32") - expected.astype("int32")).max() <= 1


def test_bytes_that_are_stored_apart_run_one_by_one():
    A = sw.placeholder((300, 4), dtype="int8", name="A")
    B = sw.compute((300, 4), lambda i, c: A[i, c] + 1, name="B")
    s = sw.create_schedule(B)
    s[B].reorder(B.axis[1], B.axis[0])
    s[B].vectorize(B.axis[0])
    kernel, _ = built(s, [A, B])
    (remark,) = kernel.report()
    assert "no vector form of stores of int8 that do not lie side by side" in remark.why
    a = elements(1200, "int8").reshape(300, 4)
    np.testing.assert_array_equal(kernel.run(a), a + np.int8(1))
