"""The layers of bench/cpu.py: what each computes, in the layouts in which networks keep them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import solway as sw

__all__ = ["LAYERS", "Layer"]

Values = np.ndarray


class Layer(NamedTuple):
    """One program.

    Args:
        inputs: in the order of `expected`.
        output: what is computed.
        expected: the same by NumPy.
        operations: products and sums; what a function counts as is said where it is used.
        plain: (a, b, c) of the same product or convolution in row-major layouts, for libraries.
        tolerance: of results that are no whole numbers; 0: they are exact.
    """

    inputs: tuple[sw.Tensor, ...]
    output: sw.Tensor
    expected: Callable[..., Values]
    operations: float
    plain: tuple[sw.Tensor, sw.Tensor, sw.Tensor] | None = None
    tolerance: float = 0.0


def product(m: int, n: int, depth: int) -> Layer:
    """C = A B, rows as they are."""
    A, B = sw.placeholder((m, depth), name="A"), sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return Layer((A, B), C, lambda a, b: a @ b, 2.0 * m * n * depth, (A, B, C))


def packed_product(m: int, n: int, depth: int) -> Layer:
    """C = A B, weights B in panels of 16 columns."""
    A, B = sw.placeholder((m, depth), name="A"), sw.placeholder((n // 16, depth, 16), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[j // 16, k, j % 16], axis=k), name="C")

    def expected(a: Values, b: Values) -> Values:
        return np.asarray(a @ b.transpose(1, 0, 2).reshape(depth, n))

    return Layer((A, B), C, expected, 2.0 * m * n * depth, product(m, n, depth).plain)


def dense(m: int, n: int, depth: int) -> Layer:
    """ReLU of a product and a bias."""
    A, B = sw.placeholder((m, depth), name="A"), sw.placeholder((depth, n), name="B")
    b = sw.placeholder((n,), name="b")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    D = sw.compute((m, n), lambda i, j: sw.maximum(C[i, j] + b[j], 0), name="D")
    return Layer((A, B, b), D, lambda x, y, z: np.maximum(x @ y + z, 0), 2.0 * m * n * depth)


def matrix_vector(m: int, depth: int) -> Layer:
    """A matrix times a vector."""
    A, x = sw.placeholder((m, depth), name="A"), sw.placeholder((depth,), name="x")
    k = sw.reduce_axis(depth, name="k")
    y = sw.compute((m,), lambda i: sw.sum(A[i, k] * x[k], axis=k), name="y")
    return Layer((A, x), y, lambda a, v: a @ v, 2.0 * m * depth)


def convolution(channels: int, filters: int, size: int, kernel: int, stride: int = 1) -> Layer:
    """Channels and filters in blocks of 16; the input has its border."""
    wide = (size - 1) * stride + kernel
    X = sw.placeholder((channels // 16, wide, wide, 16), name="X")
    W = sw.placeholder((filters // 16, channels // 16, kernel, kernel, 16, 16), name="W")
    co, ci = sw.reduce_axis(channels // 16, name="co"), sw.reduce_axis(16, name="ci")
    r, q = sw.reduce_axis(kernel, name="r"), sw.reduce_axis(kernel, name="q")
    C = sw.compute(
        (filters // 16, size, size, 16),
        lambda f, y, x, v: sw.sum(
            X[co, y * stride + r, x * stride + q, ci] * W[f, co, r, q, ci, v],
            axis=(co, r, q, ci),
        ),
        name="C",
    )
    span = (size - 1) * stride + 1

    def expected(a: Values, w: Values) -> Values:
        out = np.zeros(C.shape, np.float32)
        for i in range(kernel):
            for j in range(kernel):
                part = a[:, i : i + span : stride, j : j + span : stride]
                out += np.einsum("cyxi,fciv->fyxv", part, w[:, :, i, j], optimize=True)
        return out

    image = sw.placeholder((channels, wide, wide), name="A")
    weights = sw.placeholder((filters, channels, kernel, kernel), name="F")
    c = sw.reduce_axis(channels, name="c")
    plain = sw.compute(
        (filters, size, size),
        lambda f, y, x: sw.sum(
            image[c, y * stride + r, x * stride + q] * weights[f, c, r, q], axis=(c, r, q)
        ),
        name="B",
    )
    operations = 2.0 * channels * filters * (kernel * size) ** 2
    return Layer((X, W), C, expected, operations, (image, weights, plain))


def depthwise(channels: int, size: int) -> Layer:
    """3 x 3, each channel by itself, in blocks of 16."""
    X = sw.placeholder((channels // 16, size + 2, size + 2, 16), name="X")
    W = sw.placeholder((channels // 16, 3, 3, 16), name="W")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    D = sw.compute(
        (channels // 16, size, size, 16),
        lambda c, y, x, v: sw.sum(X[c, y + r, x + q, v] * W[c, r, q, v], axis=(r, q)),
        name="D",
    )

    def expected(a: Values, w: Values) -> Values:
        out = np.zeros(D.shape, np.float32)
        for i in range(3):
            for j in range(3):
                out += a[:, i : i + size, j : j + size] * w[:, None, None, i, j]
        return out

    return Layer((X, W), D, expected, 2.0 * channels * 9 * size * size)


def pool(channels: int, size: int) -> Layer:
    """The largest of 3 x 3, stride 2, channels in blocks of 16."""
    X = sw.placeholder((channels // 16, 2 * size + 1, 2 * size + 1, 16), name="X")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    P = sw.compute(
        (channels // 16, size, size, 16),
        lambda c, y, x, v: sw.max(X[c, 2 * y + r, 2 * x + q, v], axis=(r, q)),
        name="P",
    )

    def expected(a: Values) -> Values:
        end = 2 * size
        parts = [a[:, i : i + end : 2, j : j + end : 2] for i in range(3) for j in range(3)]
        return np.asarray(np.max(parts, axis=0))

    return Layer((X,), P, expected, 1.0 * channels * 9 * size * size)


def softmax(rows: int, columns: int) -> Layer:
    """Of each row; an exponential counts as one operation."""
    X = sw.placeholder((rows, columns), name="X")
    k, t = sw.reduce_axis(columns, name="k"), sw.reduce_axis(columns, name="t")
    M = sw.compute((rows,), lambda i: sw.max(X[i, k], axis=k), name="M")
    E = sw.compute((rows, columns), lambda i, j: sw.exp(X[i, j] - M[i]), name="E")
    S = sw.compute((rows,), lambda i: sw.sum(E[i, t], axis=t), name="S")
    Y = sw.compute((rows, columns), lambda i, j: E[i, j] / S[i], name="Y")

    def expected(x: Values) -> Values:
        e = np.exp(x - x.max(1, keepdims=True))
        return np.asarray(e / e.sum(1, keepdims=True))

    return Layer((X,), Y, expected, 5.0 * rows * columns, tolerance=1e-6)


def layer_norm(rows: int, columns: int) -> Layer:
    """Of each row, scaled and shifted."""
    X = sw.placeholder((rows, columns), name="X")
    g, b = sw.placeholder((columns,), name="g"), sw.placeholder((columns,), name="b")
    k, t = sw.reduce_axis(columns, name="k"), sw.reduce_axis(columns, name="t")
    M = sw.compute((rows,), lambda i: sw.sum(X[i, k], axis=k) / columns, name="M")
    V = sw.compute(
        (rows,),
        lambda i: sw.sum((X[i, t] - M[i]) * (X[i, t] - M[i]), axis=t) / columns,
        name="V",
    )
    Y = sw.compute(
        (rows, columns),
        lambda i, j: (X[i, j] - M[i]) / sw.sqrt(V[i] + 1e-5) * g[j] + b[j],
        name="Y",
    )

    def expected(x: Values, scale: Values, shift: Values) -> Values:
        mean, variance = x.mean(1, keepdims=True), x.var(1, keepdims=True)
        return np.asarray((x - mean) / np.sqrt(variance + 1e-5) * scale + shift)

    return Layer((X, g, b), Y, expected, 9.0 * rows * columns, tolerance=1e-4)


#: By name, made when it is measured.
LAYERS: dict[str, Callable[[], Layer]] = {
    "product 256": lambda: product(256, 256, 256),
    "product 512": lambda: product(512, 512, 512),
    "product 1024": lambda: product(1024, 1024, 1024),
    "product 49 x 512 x 512": lambda: product(49, 512, 512),
    "product 101 x 77 x 333": lambda: product(101, 77, 333),
    "product 512, weights in panels": lambda: packed_product(512, 512, 512),
    "dense 128 x 1024 x 512, ReLU": lambda: dense(128, 1024, 512),
    "matrix 4096 x 4096 by vector": lambda: matrix_vector(4096, 4096),
    "convolution 192 -> 384, 3 x 3, 13": lambda: convolution(192, 384, 13, 3),
    "convolution 64 -> 64, 3 x 3, 56": lambda: convolution(64, 64, 56, 3),
    "convolution 256 -> 256, 3 x 3, 14": lambda: convolution(256, 256, 14, 3),
    "convolution 128 -> 128, 3 x 3 / 2, 28": lambda: convolution(128, 128, 28, 3, 2),
    "convolution 64 -> 256, 1 x 1, 56": lambda: convolution(64, 256, 56, 1),
    "convolution 512 -> 512, 3 x 3, 7": lambda: convolution(512, 512, 7, 3),
    "each of 144 channels, 3 x 3, 56": lambda: depthwise(144, 56),
    "each of 384 channels, 3 x 3, 14": lambda: depthwise(384, 14),
    "largest of 3 x 3 / 2, 64, 56": lambda: pool(64, 56),
    "softmax 128 x 1000": lambda: softmax(128, 1000),
    "layer norm 128 x 768": lambda: layer_norm(128, 768),
}
