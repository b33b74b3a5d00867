"""Operators of bench/plain_layouts.py: convolutions, layers, attention, and what moves elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import solway as sw
from numpy.lib.stride_tricks import sliding_window_view

try:
    import torch
    from torch.nn import functional
except ImportError:
    torch = functional = None

Values = np.ndarray


class Case(NamedTuple):
    """One operator.

    Args:
        inputs: its placeholders.
        output: what it computes.
        reference: in NumPy, of float64.
        peer: in PyTorch.
        flops: multiplications and additions.
    """

    inputs: Sequence[sw.Tensor]
    output: sw.Tensor
    reference: Callable[..., Values]
    peer: Callable[..., torch.Tensor]
    flops: int = 0


def inside(*indices: tuple[sw.Expr, int]) -> sw.Expr:
    """Whether indices lie in their dimensions."""
    return sw.all_of(*(c for index, size in indices for c in (0 <= index, index < size)))


def convolution(
    channels: int,
    filters: int,
    image: int,
    kernel: int,
    stride: int,
    groups: int = 1,
    last: bool = False,
) -> Case:
    """With a border, as networks are given: NCHW, or NHWC where channels are last."""
    border, size, depth = kernel // 2, -(-image // stride), channels // groups
    c = sw.reduce_axis(depth, name="c")
    r, q = sw.reduce_axis(kernel, name="r"), sw.reduce_axis(kernel, name="q")
    X = sw.placeholder((image, image, channels) if last else (channels, image, image), name="X")
    shape = (kernel, kernel, channels, filters) if last else (filters, depth, kernel, kernel)
    W = sw.placeholder(shape, name="W")

    def pixel(f: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        row, column = y * stride + r - border, x * stride + q - border
        where = inside((row, image), (column, image))
        first = f // (filters // groups) * depth if groups > 1 else 0
        term = (
            X[row, column, c] * W[r, q, c, f] if last else X[first + c, row, column] * W[f, c, r, q]
        )
        return sw.sum(term, axis=(c, r, q), where=where)

    def reference(x: Values, w: Values) -> Values:
        x, w = (x.transpose(2, 0, 1), w.transpose(3, 2, 0, 1)) if last else (x, w)
        wide = np.pad(x, [(0, 0), (border, border), (border, border)])
        windows = sliding_window_view(wide, (kernel, kernel), axis=(1, 2))[:, ::stride, ::stride]
        parts = windows.reshape(groups, depth, *windows.shape[1:])
        out = np.einsum(
            "gcyxrq,gfcrq->gfyx", parts, w.reshape(groups, -1, *w.shape[1:]), optimize=True
        )
        out = out.reshape(filters, size, size)
        return out.transpose(1, 2, 0) if last else out

    def peer(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        if not last:
            return functional.conv2d(x[None], w, stride=stride, padding=border, groups=groups)[0]
        x, w = x.permute(2, 0, 1)[None], w.permute(3, 2, 0, 1)
        return functional.conv2d(x, w, stride=stride, padding=border)[0].permute(1, 2, 0)

    if last:
        Y = sw.compute((size, size, filters), lambda y, x, f: pixel(f, y, x), name="Y")
    else:
        Y = sw.compute((filters, size, size), pixel, name="Y")
    return Case((X, W), Y, reference, peer, 2 * filters * size**2 * depth * kernel**2)


def layer(rows: int, outputs: int, inputs: int) -> Case:
    """Weights lie by outputs, as PyTorch's; a bias, and what is negative is 0."""
    X, W = sw.placeholder((rows, inputs), name="X"), sw.placeholder((outputs, inputs), name="W")
    bias, k = sw.placeholder((outputs,), name="bias"), sw.reduce_axis(inputs, name="k")
    C = sw.compute((rows, outputs), lambda i, j: sw.sum(X[i, k] * W[j, k], axis=k), name="C")
    Y = sw.compute((rows, outputs), lambda i, j: sw.maximum(C[i, j] + bias[j], 0.0), name="Y")
    return Case(
        (X, W, bias),
        Y,
        lambda x, w, b: np.maximum(x @ w.T + b, 0),
        lambda x, w, b: torch.relu(functional.linear(x, w, b)),
        2 * rows * outputs * inputs,
    )


def turned(rows: int, columns: int) -> Case:
    """A transposed matrix."""
    A = sw.placeholder((columns, rows), name="A")
    B = sw.compute((rows, columns), lambda i, j: A[j, i], name="B")
    return Case((A,), B, np.transpose, lambda a: a.t().contiguous())


def channels_last(channels: int, image: int) -> Case:
    """NCHW to NHWC."""
    A = sw.placeholder((channels, image, image), name="A")
    B = sw.compute((image, image, channels), lambda y, x, c: A[c, y, x], name="B")
    return Case((A,), B, lambda a: a.transpose(1, 2, 0), lambda a: a.permute(1, 2, 0).contiguous())


def framed(channels: int, image: int) -> Case:
    """A border of zeros."""
    A = sw.placeholder((channels, image, image), name="A")

    def pixel(c: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        return sw.select(inside((y - 1, image), (x - 1, image)), A[c, y - 1, x - 1], 0.0)

    B = sw.compute((channels, image + 2, image + 2), pixel, name="B")
    return Case(
        (A,),
        B,
        lambda a: np.pad(a, [(0, 0), (1, 1), (1, 1)]),
        lambda a: functional.pad(a, (1, 1, 1, 1)),
    )


def beside(rows: int, columns: int) -> Case:
    """Two matrices side by side."""
    A, B = (sw.placeholder((rows, columns), name=name) for name in "AB")
    C = sw.compute(
        (rows, 2 * columns),
        lambda i, j: sw.select(j < columns, A[i, j], B[i, j - columns]),
        name="C",
    )
    return Case((A, B), C, lambda a, b: np.hstack([a, b]), lambda a, b: torch.cat([a, b], 1))


def reversed_order(count: int) -> Case:
    """The last element first."""
    A = sw.placeholder((count,), name="A")
    B = sw.compute((count,), lambda i: A[count - 1 - i], name="B")
    return Case((A,), B, lambda a: a[::-1], lambda a: a.flip(0))


def pooled(channels: int, image: int) -> Case:
    """The largest of 2 x 2, NCHW."""
    X = sw.placeholder((channels, image, image), name="X")
    r, q = sw.reduce_axis(2, name="r"), sw.reduce_axis(2, name="q")
    half = image // 2
    Y = sw.compute(
        (channels, half, half),
        lambda c, y, x: sw.max(X[c, 2 * y + r, 2 * x + q], axis=(r, q)),
        name="Y",
    )
    return Case(
        (X,),
        Y,
        lambda x: x.reshape(channels, half, 2, half, 2).max(axis=(2, 4)),
        lambda x: functional.max_pool2d(x[None], 2)[0],
    )


def spread_of_columns(rows: int, columns: int) -> Case:
    """The squared distance from the mean of each column; rows are a power of two."""
    X = sw.placeholder((rows, columns), name="X")
    k, t = sw.reduce_axis(rows, name="k"), sw.reduce_axis(rows, name="t")
    M = sw.compute((columns,), lambda j: sw.sum(X[k, j], axis=k) / float(rows), name="M")
    V = sw.compute(
        (columns,), lambda j: sw.sum((X[t, j] - M[j]) * (X[t, j] - M[j]), axis=t), name="V"
    )
    return Case(
        (X,),
        V,
        lambda x: rows * x.var(axis=0),
        lambda x: x.var(0, unbiased=False) * rows,
        4 * rows * columns,
    )


def attention(heads: int, rows: int, width: int, causal: bool) -> Case:
    """Without the full score matrix; causal: no row sees those behind it."""
    shape, square = (heads, rows, width), (heads, rows, rows)
    Q, K, V = (sw.placeholder(shape, name=name) for name in "QKV")
    r, u = sw.reduce_axis(width, name="r"), sw.reduce_axis(rows, name="u")
    k, t = sw.reduce_axis(rows, name="k"), sw.reduce_axis(rows, name="t")
    scale = width**-0.5
    S = sw.compute(square, lambda h, i, j: sw.sum(Q[h, i, r] * K[h, j, r], axis=r), name="S")

    def seen(h: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        return sw.select(j <= i, S[h, i, j] * scale, -1e30) if causal else S[h, i, j] * scale

    Z = sw.compute(square, seen, name="Z")
    M = sw.compute((heads, rows), lambda h, i: sw.max(Z[h, i, k], axis=k), name="M")
    E = sw.compute(square, lambda h, i, j: sw.exp(Z[h, i, j] - M[h, i]), name="E")
    T = sw.compute((heads, rows), lambda h, i: sw.sum(E[h, i, t], axis=t), name="T")
    U = sw.compute(shape, lambda h, i, c: sw.sum(E[h, i, u] * V[h, u, c], axis=u), name="U")
    Y = sw.compute(shape, lambda h, i, c: U[h, i, c] / T[h, i], name="Y")

    def reference(q: Values, k: Values, v: Values) -> Values:
        scores = q @ k.transpose(0, 2, 1) * scale
        if causal:
            scores = np.where(np.tri(rows, dtype=bool), scores, -np.inf)
        e = np.exp(scores - scores.max(axis=2, keepdims=True))
        return e @ v / e.sum(axis=2, keepdims=True)

    def peer(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        product = functional.scaled_dot_product_attention
        return product(q[None], k[None], v[None], is_causal=causal)[0]

    return Case((Q, K, V), Y, reference, peer, 4 * heads * rows**2 * width)
