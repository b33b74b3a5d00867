"""Sums of float32 in the two halves of a register of the vector engine, by the model of it."""

from __future__ import annotations

import re

import numpy as np
import pytest
import solway as sw
from support.foreign import blocked_product, loops_of
from support.ve_kernels import built, random, require_vectors_only


@pytest.mark.parametrize("rows", [1, 2, 3, 8, 9])
@pytest.mark.parametrize("n", [256, 257, 300, 512, 600, 1024])
@pytest.mark.parametrize("columns", [256, 512])
def test_products_of_any_rows_and_columns(rows, n, columns):
    kernel, assembly = built(*blocked_product("float32", 11, n, 7, rows, columns), behind=1)
    require_vectors_only(kernel, assembly)
    a, b = random((11, 7), "float32"), random((7, n), "float32", 1)
    np.testing.assert_allclose(kernel.run(a, b), a @ b, rtol=1e-4, atol=1e-4)


def test_half_as_many_instructions_add_products():
    executed = {}
    for dtype in ("float32", "float64"):
        kernel, _ = built(*blocked_product(dtype, 16, 1024, 64, 8, 512))
        a, b = random((16, 64), dtype), random((64, 1024), dtype, 1)
        np.testing.assert_allclose(kernel.run(a, b), a @ b, rtol=1e-4, atol=1e-4)
        executed[dtype] = kernel.machine.executed
    products = 16 * 1024 * 64 // 256
    assert executed["float64"]["vfmad.d"] == products
    assert executed["float32"]["pvfmad"] == products // 2 and "vfmad.s" not in executed["float32"]


def test_each_half_has_the_bits_of_a_sum_alone():
    """Special values in one of two rows, and in one of two vectors of columns, stay there."""
    a, b = random((8, 16), "float32"), random((16, 512), "float32", 1)
    a[3, 2], a[5, 7], b[4, 300], b[9, 10] = np.nan, np.inf, -np.inf, np.nan
    results = []
    for columns in (256, 512):
        for rows in (1, 8):
            kernel, _ = built(*blocked_product("float32", 8, 512, 16, rows, columns))
            results.append(kernel.run(a, b))
    assert {"pvfmad", "vshf"} < kernel.machine.executed.keys()
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)


def test_a_convolution_of_several_filters_is_packed():
    filters, channels, n = 6, 3, 280
    X = sw.placeholder((channels, n + 2), name="X")
    W = sw.placeholder((filters, channels, 3), name="W")
    c, k = sw.reduce_axis(channels, name="c"), sw.reduce_axis(3, name="k")
    Y = sw.compute(
        (filters, n), lambda f, x: sw.sum(W[f, c, k] * X[c, x + k], axis=(c, k)), name="Y"
    )
    s = sw.create_schedule(Y)
    xo, xi = s[Y].split(Y.axis[1], factor=256)
    s[Y].reorder(xo, c, k, Y.axis[0], xi)
    s.buffer_write(Y, [Y.axis[0], xi], scope="register")
    s[Y].unroll(Y.axis[0])
    s[Y].vectorize(xi)
    kernel, assembly = built(s, [X, W, Y], behind=1)
    require_vectors_only(kernel, assembly)
    assert any(sum("pvfmad" in line for line in loop) >= 3 for loop in loops_of(assembly))
    x, w = random((channels, n + 2), "float32"), random((filters, channels, 3), "float32", 1)
    windows = np.lib.stride_tricks.sliding_window_view(x, 3, axis=1)
    expected = np.einsum("fck,cxk->fx", w, windows)
    np.testing.assert_allclose(kernel.run(x, w), expected, rtol=1e-4, atol=1e-4)


def test_long_sums_are_not_packed():
    A = sw.placeholder((5000,), name="A")
    k = sw.reduce_axis(5000, name="k")
    B = sw.compute((1,), lambda i: sw.sum(A[k], axis=k), name="B")
    s = sw.create_schedule(B)
    s[B].vectorize(k)
    kernel, assembly = built(s, [A, B])
    assert not re.search(r"\tpvf", assembly)  # two vectors are put together for one sum
    a = random(5000, "float32")
    np.testing.assert_allclose(kernel.run(a)[0], a.sum(), rtol=1e-3, atol=1e-3)
