"""Tensors whose values are known when building, and indices past 2^31."""

from __future__ import annotations

import mmap

import numpy as np
import pytest
import solway as sw

DTYPES = ["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool"]


@pytest.mark.parametrize("target", ["host", "c", "sw26010"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_constant_has_its_values(dtype, target):
    rng = np.random.default_rng(1)
    values = rng.integers(0, 2, (3, 5)).astype(dtype)
    if values.dtype.kind == "f":
        values[0] = [np.inf, -np.inf, np.nan, -0.0, 1 / 3]
    elif dtype != "bool":
        values[0, :2] = [np.iinfo(dtype).min, np.iinfo(dtype).max]
    W = sw.constant(values)
    assert W.name == "W" and W.shape == (3, 5) and W.dtype == values.dtype
    C = sw.compute((5, 3), lambda i, j: W[j, i], name="C")
    got = sw.build(sw.create_schedule(C), [C], target=target).run()
    np.testing.assert_array_equal(got, values.T)


def test_constants_are_numbers_of_python_too():
    W = sw.constant([[1, 2], [3, 4]], "int8", name="weights")
    A = sw.placeholder((2,), "int8", name="A")
    k = sw.reduce_axis(2, name="k")
    C = sw.compute((2,), lambda i: sw.sum(W[i, k] * A[k], axis=k), name="C")
    kernel = sw.build(sw.create_schedule(C), [A, C])
    np.testing.assert_array_equal(kernel.run(np.array([1, 10], "int8")), [21, 43])


def test_bfloat16_constants_hold_bits():
    W = sw.constant(np.array([0x3F80, 0x4000], "uint16"), "bfloat16")
    C = sw.compute((2,), lambda i: sw.cast(W[i], "float32"), name="C")
    for target in ("host", "c", "sw26010"):
        got = sw.build(sw.create_schedule(C), [C], target=target).run()
        np.testing.assert_array_equal(got, np.array([1, 2], "float32"))


def test_a_constant_is_staged_as_any_tensor():
    W = sw.constant(np.arange(64, dtype="int32").reshape(8, 8), name="W")
    A = sw.placeholder((8,), "int32", name="A")
    k = sw.reduce_axis(8, name="k")
    C = sw.compute((8,), lambda i: sw.sum(W[i, k] * A[k], axis=k), name="C")
    s = sw.create_schedule(C)
    s.buffer_read(W, [k])
    a = np.arange(8, dtype="int32")
    expected = np.arange(64).reshape(8, 8) @ a
    for target in ("host", "c", "sw26010"):
        np.testing.assert_array_equal(sw.build(s, [A, C], target=target).run(a), expected)


@pytest.mark.parametrize("target", ["host", "c"])
def test_elements_past_two_to_the_31(target):
    """The pages that nobody touches take no memory."""
    rows, columns = 12, 2**28
    with mmap.mmap(-1, rows * columns) as memory:
        a = np.frombuffer(memory, "int8").reshape(rows, columns)
        a[:, columns - 1] = np.arange(rows)
        A = sw.placeholder((rows, columns), "int8", name="A")
        C = sw.compute((rows,), lambda i: A[i, columns - 1], name="C")
        got = sw.build(sw.create_schedule(C), [A, C], target=target).run(a)
        np.testing.assert_array_equal(got, np.arange(rows))
        del a


@pytest.mark.parametrize("target", ["host", "c"])
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_stores_past_two_to_the_31(dtype, target):
    """In place, at elements and at bytes past 2 ** 31; with a loop that runs there in vectors."""
    rows, columns = 12, 2**28 // np.dtype(dtype).itemsize
    with mmap.mmap(-1, rows * 2**28) as memory:
        a = np.frombuffer(memory, dtype).reshape(rows, columns)
        A = sw.placeholder((rows, columns), dtype, name="A")
        U = sw.update(
            A,
            (rows, 64),
            lambda i, j: (i, columns - 64 + j),
            lambda i, j: A[i, columns - 64 + j] + i,
            name="U",
        )
        s = sw.create_schedule(U)
        if target == "host":
            s[U].vectorize(U.axis[1])
        sw.build(s, [U], target=target)(a)
        np.testing.assert_array_equal(a[:, -65:-63], [[0, i] for i in range(rows)])
        np.testing.assert_array_equal(a[:, -1], np.arange(rows))
        del a


def test_floats_become_bfloat16_without_a_package_that_has_it():
    values = np.array([[1.5, 2.0, 0.1], [1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-40]])
    W = sw.constant(values, "bfloat16", name="W")
    out = sw.compute((2, 3), lambda i, j: sw.cast(W[i, j], "float32"), name="out")
    got = sw.build(sw.create_schedule(out), [out]).run()
    # One half way goes to the even side, and one just above it up, however little above.
    expected = [[1.5, 2.0, 0.10009765625], [1.0, 1 + 2**-6, 1 + 2**-7]]
    np.testing.assert_array_equal(got, np.array(expected, "float32"))


def test_bfloat16_of_every_kind_of_number():
    from solway._bfloat16 import bfloat16_bits

    given = np.array([np.inf, -np.inf, np.nan, -0.0, 3.4e38, 1e39, 1e-45, -(2.0**-133), 2.0**-140])
    bits = bfloat16_bits(given)
    assert [hex(b) for b in bits[:2]] == ["0x7f80", "0xff80"]
    assert bits[2] & 0x7FFF > 0x7F80  # is no number
    assert [hex(b) for b in bits[3:]] == ["0x8000", "0x7f80", "0x7f80", "0x0", "0x8001", "0x0"]
    assert bfloat16_bits(np.array(7)).shape == () and bfloat16_bits(np.array(7)) == 0x40E0


def test_bits_of_bfloat16_stay_as_they_are():
    W = sw.constant(np.array([0x3F80, 0xC020], "uint16"), "bfloat16", name="W")
    out = sw.compute((2,), lambda i: sw.cast(W[i], "float32"), name="out")
    got = sw.build(sw.create_schedule(out), [out]).run()
    np.testing.assert_array_equal(got, np.array([1.0, -2.5], "float32"))
