"""Kernels for many sizes that nobody scheduled: tiles in registers, the last of them smaller."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import solway as sw
from solway._cpu import runs
from support.guarded import GuardedKernel

MOST = 200
SIZES = (1, 2, 5, 16, 31, 64, 97, 200)


def size(name: str) -> sw.Size:
    return sw.size(name, min=1, max=MOST)


def built(tensors: Sequence[sw.Tensor], target: str = "host") -> tuple[str, GuardedKernel]:
    s = sw.create_schedule(tensors[-1])
    s.auto_schedule(target, search=False)
    return s.to_python(), GuardedKernel(sw.build(s, tensors, target=target))


def assert_values(
    kernel: GuardedKernel, shapes: Sequence[Sequence[int]], reference: Callable[..., np.ndarray]
) -> None:
    rng = np.random.default_rng(3)
    arrays = [rng.integers(-8, 9, shape).astype("float32") for shape in shapes]
    expected = reference(*arrays)
    for threads in (1, 2):
        np.testing.assert_array_equal(kernel.run(*arrays, threads=threads), expected)


@pytest.mark.parametrize("by_columns", [False, True])
@pytest.mark.parametrize("sized", ["M", "N", "K", "MNK"])
@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
def test_products(sized: str, by_columns: bool, target: str) -> None:
    m, n, depth = (size(name) if name in sized else 96 for name in "MNK")
    a = sw.placeholder((m, depth), name="A")
    b = sw.placeholder((n, depth) if by_columns else (depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute(
        (m, n),
        lambda i, j: sw.sum(a[i, k] * (b[j, k] if by_columns else b[k, j]), axis=k),
        name="C",
    )
    text, kernel = built([a, b, c], target)
    assert 'scope="register"' in text or "scope='register'" in text
    for one in SIZES:
        x, y, z = (
            one + at if name in sized and one + at <= MOST else one if name in sized else 96
            for at, name in enumerate("MNK")
        )
        assert_values(
            kernel,
            [(x, z), (y, z) if by_columns else (z, y)],
            (lambda p, q: p @ q.T) if by_columns else (lambda p, q: p @ q),
        )


def test_tiles_stay_in_registers() -> None:
    m, n = size("M"), size("N")
    a = sw.placeholder((m, 96), name="A")
    b = sw.placeholder((96, n), name="B")
    k = sw.reduce_axis(96, name="k")
    c = sw.compute((m, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
    _, kernel = built([a, b, c])
    assert "M // " in kernel.ir and "N // " in kernel.ir


@pytest.mark.parametrize("sized", ["batch", "image"])
@pytest.mark.parametrize("planes", [False, True])
def test_convolutions(sized: str, planes: bool) -> None:
    batch: sw.Size | int = size("B") if sized == "batch" else 2
    rows: sw.Size | int = size("H") if sized == "image" else 12
    columns: sw.Size | int = size("W") if sized == "image" else 20
    c, r, q = sw.reduce_axis(8, name="c"), sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    if planes:
        x = sw.placeholder((batch, 8, rows + 2, columns + 2), name="X")
        w = sw.placeholder((32, 8, 3, 3), name="K")
        y = sw.compute(
            (batch, 32, rows, columns),
            lambda b, m, i, j: sw.sum(x[b, c, i + r, j + q] * w[m, c, r, q], axis=(c, r, q)),
            name="Y",
        )
    else:
        x = sw.placeholder((batch, rows + 2, columns + 2, 8), name="X")
        w = sw.placeholder((3, 3, 8, 32), name="K")
        y = sw.compute(
            (batch, rows, columns, 32),
            lambda b, i, j, m: sw.sum(x[b, i + r, j + q, c] * w[r, q, c, m], axis=(c, r, q)),
            name="Y",
        )

    def reference(image: np.ndarray, taps: np.ndarray) -> np.ndarray:
        windows = np.lib.stride_tricks.sliding_window_view(
            image, (3, 3), axis=(2, 3) if planes else (1, 2)
        )
        if planes:
            return np.einsum("bcijrq,mcrq->bmij", windows, taps, optimize=True)
        return np.einsum("bijcrq,rqcm->bijm", windows, taps, optimize=True)

    _, kernel = built([x, w, y])
    for one in (1, 3, 8, 17):
        b_, h_, w_ = (one, 12, 20) if sized == "batch" else (2, one, one + 4)
        image = (b_, 8, h_ + 2, w_ + 2) if planes else (b_, h_ + 2, w_ + 2, 8)
        assert_values(kernel, [image, w.shape], reference)


@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
def test_turned_matrices_and_windows(target: str) -> None:
    m, n = size("M"), size("N")
    a = sw.placeholder((m, n), name="A")
    b = sw.compute((n, m), lambda i, j: a[j, i], name="B")
    _, turned = built([a, b], target)
    assert "stride N" in turned.ir  # in squares, see lowering/turn_copies.h
    x = sw.placeholder((3, m * 2, n * 2), name="X")
    r, q = sw.reduce_axis(2, name="r"), sw.reduce_axis(2, name="q")
    y = sw.compute(
        (3, m, n), lambda c, i, j: sw.max(x[c, i * 2 + r, j * 2 + q], axis=(r, q)), name="Y"
    )
    _, largest = built([x, y], target)
    for one in SIZES:
        other = max(1, MOST - one)
        assert_values(turned, [(one, other)], np.transpose)
        assert_values(
            largest,
            [(3, one * 2, other * 2)],
            lambda p: p.reshape(3, one, 2, other, 2).max((2, 4)),  # noqa: B023
        )


def test_a_layer_of_rows_that_a_call_counts() -> None:
    m = size("M")
    a = sw.placeholder((m, 64), name="A")
    b = sw.placeholder((48, 64), name="B")
    k = sw.reduce_axis(64, name="k")
    c = sw.compute((m, 48), lambda i, j: sw.sum(a[i, k] * b[j, k], axis=k), name="C")
    d = sw.compute((m, 48), lambda i, j: sw.maximum(c[i, j] + sw.cast(i, "float32"), 0.0), name="D")
    _, kernel = built([a, b, d])
    for one in SIZES:
        assert_values(
            kernel,
            [(one, 64), (48, 64)],
            lambda p, q: np.maximum(p @ q.T + np.arange(len(p), dtype="float32")[:, None], 0),
        )


def attention(n: sw.Size) -> list[sw.Tensor]:
    """Two heads of 16, exact in whole numbers."""
    q, k, v = (sw.placeholder((2, n, 16), name=name) for name in "QKV")
    d, t, u = sw.reduce_axis(16, name="d"), sw.reduce_axis(n, name="t"), sw.reduce_axis(n, name="u")
    s = sw.compute((2, n, n), lambda h, i, j: sw.sum(q[h, i, d] * k[h, j, d], axis=d), name="S")
    m = sw.compute((2, n), lambda h, i: sw.max(s[h, i, t], axis=t), name="M")
    e = sw.compute((2, n, n), lambda h, i, j: s[h, i, j] - m[h, i], name="E")
    y = sw.compute((2, n, 16), lambda h, i, c: sw.sum(e[h, i, u] * v[h, u, c], axis=u), name="Y")
    return [q, k, v, y]


def attention_of(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    scores = q @ k.transpose(0, 2, 1)
    return (scores - scores.max(2, keepdims=True)) @ v


@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
def test_attention_of_rows_that_a_call_counts(target: str) -> None:
    """Of several stages, whose tiles do not divide the blocks of rows that they share."""
    _, kernel = built(attention(size("n")), target)
    for one in (*SIZES, 33, 47, 50, 80):
        assert_values(kernel, [(2, one, 16)] * 3, attention_of)


def test_tiles_divide_blocks_of_rows_that_a_call_counts() -> None:
    """Up to 4096, in blocks of 32: the last of them ends anywhere, and its tiles are whole."""
    tensors = attention(sw.size("n", min=1, max=4096))
    s = sw.create_schedule(tensors[-1])
    chosen = s.auto_schedule("x86-64-v4", search=False)
    block = chosen["Y"].tiles["i.o"][1]
    rows = chosen["Y"].tiles["i.i"][0]
    assert rows > 1
    assert block > 1
    assert 32 % rows == 0
    kernel = GuardedKernel(sw.build(s, tensors, target="x86-64-v4")) if runs("x86-64-v4") else None
    for one in (1, 7, 31, 32, 33, 100, 129) if kernel is not None else ():
        assert_values(kernel, [(2, one, 16)] * 3, attention_of)


@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
def test_rows_whose_length_a_call_says(target: str) -> None:
    m, n = size("M"), size("N")
    a = sw.placeholder((m, n), name="A")
    k, t = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="t")
    total = sw.compute((m,), lambda i: sw.sum(a[i, k], axis=k), name="total")
    largest = sw.compute((m,), lambda i: sw.max(a[i, t], axis=t), name="largest")
    b = sw.compute((m, n), lambda i, j: a[i, j] * 2.0 - total[i] + largest[i], name="B")
    _, kernel = built([a, b], target)
    for one in (*SIZES, 63, 65, 79, 127):
        assert_values(
            kernel,
            [(9, one)],
            lambda p: p * 2 - p.sum(1, keepdims=True) + p.max(1, keepdims=True),
        )


def test_last_tiles_of_columns_are_narrow() -> None:
    """And keep their sums in registers."""
    n = size("N")
    a, b = sw.placeholder((96, 64), name="A"), sw.placeholder((64, n), name="B")
    k = sw.reduce_axis(64, name="k")
    c = sw.compute((96, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
    _, kernel = built([a, b, c])
    assert "_count" not in kernel.ir
    for one in range(1, 100):
        assert_values(kernel, [(96, 64), (64, one)], lambda p, q: p @ q)
