"""Code that spills vectors is compiled once more, in the order of its loops; the better is kept."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway._cpu import runs

V4 = pytest.mark.skipif(not runs("x86-64-v4"), reason="needs AVX-512")


def strided_convolution(filters, size, kernel, stride, border):
    """An image of three channels in planes, results in blocks of 16 filters."""
    rows = (size + 2 * border - kernel) // stride + 1
    X = sw.placeholder((3, size, size), name="X")
    W = sw.placeholder((filters // 16, 3, kernel, kernel, 16), name="W")
    c, r, q = (sw.reduce_axis(n, name=name) for n, name in ((3, "c"), (kernel, "r"), (kernel, "q")))

    def filtered(f, y, x, v):
        row, column = y * stride + r - border, x * stride + q - border
        inside = sw.all_of(0 <= row, row < size, 0 <= column, column < size)
        return sw.sum(X[c, row, column] * W[f, c, r, q, v], axis=(c, r, q), where=inside)

    return X, W, sw.compute((filters // 16, rows, rows, 16), filtered, name="C")


def spilled(kernel):
    """Instructions that move vectors to or from the stack."""
    code = "\n".join(text for name, text in kernel.source.items() if name.endswith(".s"))
    return sum("mm" in line and "(%rsp" in line for line in code.splitlines())


@V4
def test_sums_of_a_wide_window_are_not_spilled():
    X, W, C = strided_convolution(64, 224, 11, 4, 2)
    s = sw.create_schedule(C)
    s.auto_schedule("x86-64-v4", search=False)
    kernel = sw.build(s, [X, W, C], target="x86-64-v4")
    assert spilled(kernel) == 0
    (remark,) = [remark for remark in kernel.report() if remark.step == "order of instructions"]
    assert remark.verdict == "as the loops have it"
    assert remark.why.startswith("0 moves of spilled vectors, in LLVM's order ")
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-3, 4, t.shape).astype("float32") for t in (X, W))
    np.testing.assert_array_equal(kernel.run(a, b), sw.build(C).run(a, b))
