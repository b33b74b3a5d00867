"""Operations as programs of solway, in the layouts in which networks keep their arrays.

Images and weights of convolutions have blocks of 16 channels; weights of products lie in panels of
columns. Sums of convolutions leave out what lies outside of the image; images of convolutions of
each channel by itself have their border. What a call brings is as a layer before leaves it, and
nothing of this is timed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import solway as sw
from operations import (
    EPSILON,
    Attention,
    Convolution,
    FullyConnected,
    Gelu,
    LayerNorm,
    Operation,
    Pool,
    Product,
    Softmax,
)

__all__ = ["Program", "of_convolution", "program"]

Values = np.ndarray
BLOCK = 16  # channels


def panel() -> int:
    """Outputs of a fully connected layer whose weights lie together: four vectors of this machine.

    With AVX2 several such panels are read at once: 12 sums are kept in registers, and one core of
    a Zen 3 reads a sixth more from three places than from one.
    """
    vector = sw.Target.load("host").vector
    return 4 * vector.lanes["float32"] if vector else 64


class Program(NamedTuple):
    """One program.

    Args:
        inputs: in the order of the operation's.
        output: what is computed.
        packed: the operation's arrays in the layouts of `inputs`.
        plain: a result in the operation's layout.
    """

    inputs: tuple[sw.Tensor, ...]
    output: sw.Tensor
    packed: Callable[[list[Values]], list[Values]]
    plain: Callable[[Values], Values]


def program(operation: Operation) -> Program:
    """The program of an operation."""
    makers: dict[type[Operation], Callable[..., Program]] = {
        Convolution: of_convolution,
        Product: of_product,
        FullyConnected: of_fully_connected,
        Pool: of_pool,
        Softmax: of_softmax,
        LayerNorm: of_layer_norm,
        Gelu: of_gelu,
        Attention: of_attention,
    }
    return makers[type(operation)](operation)


def blocks(image: Values, border: int = 0) -> Values:
    """[channels / 16, rows, columns, 16], with zeros around."""
    wide = np.pad(image, [(0, 0), (border, border), (border, border)])
    channels, rows, columns = wide.shape
    return wide.reshape(channels // BLOCK, BLOCK, rows, columns).transpose(0, 2, 3, 1)


def of_blocks(image: Values) -> Values:
    """The inverse, without a border."""
    count, rows, columns, _ = image.shape
    return image.transpose(0, 3, 1, 2).reshape(count * BLOCK, rows, columns)


def same(arrays: list[Values]) -> list[Values]:
    """Arrays whose layouts are the operation's."""
    return arrays


def as_it_is(result: Values) -> Values:
    """A result whose layout is the operation's."""
    return result


def of_convolution(operation: Convolution) -> Program:
    """By the number of its channels and the size of its windows."""
    if operation.groups > 1:
        return _depthwise(operation)
    if operation.channels % BLOCK:
        return _few_channels(operation)
    if operation.kernel == 1 and operation.stride == 1:
        return _pixels(operation)
    return _blocked(operation)


def _inside(operation: Convolution, row: sw.Expr, column: sw.Expr) -> sw.Expr | None:
    """Whether a pixel is one of the image; nothing where all are."""
    if not operation.border:
        return None
    image = operation.image
    return sw.all_of(0 <= row, row < image, 0 <= column, column < image)


def _blocked(operation: Convolution) -> Program:
    """Channels and filters in blocks."""
    size, kernel, stride = operation.size, operation.kernel, operation.stride
    deep, out = operation.channels // BLOCK, operation.filters // BLOCK
    image, border = operation.image, operation.border
    X = sw.placeholder((deep, image, image, BLOCK), name="X")
    W = sw.placeholder((out, deep, kernel, kernel, BLOCK, BLOCK), name="W")
    co, ci = sw.reduce_axis(deep, name="co"), sw.reduce_axis(BLOCK, name="ci")
    r, q = sw.reduce_axis(kernel, name="r"), sw.reduce_axis(kernel, name="q")

    def filtered(f: sw.Axis, y: sw.Axis, x: sw.Axis, v: sw.Axis) -> sw.Expr:
        row, column = y * stride + r - border, x * stride + q - border
        term = X[co, row, column, ci] * W[f, co, r, q, ci, v]
        return sw.sum(term, axis=(co, r, q, ci), where=_inside(operation, row, column))

    C = sw.compute((out, size, size, BLOCK), filtered, name="C")

    def packed(arrays: list[Values]) -> list[Values]:
        parts = arrays[1].reshape(out, BLOCK, deep, BLOCK, kernel, kernel)
        return [blocks(arrays[0]), parts.transpose(0, 2, 4, 5, 3, 1)]

    return Program((X, W), C, packed, of_blocks)


def _pixels(operation: Convolution) -> Program:
    """Windows of one pixel: rows and columns are one dimension."""
    count, deep, out = operation.size**2, operation.channels // BLOCK, operation.filters // BLOCK
    X = sw.placeholder((deep, count, BLOCK), name="X")
    W = sw.placeholder((out, deep, BLOCK, BLOCK), name="W")
    co, ci = sw.reduce_axis(deep, name="co"), sw.reduce_axis(BLOCK, name="ci")
    C = sw.compute(
        (out, count, BLOCK),
        lambda f, p, v: sw.sum(X[co, p, ci] * W[f, co, ci, v], axis=(co, ci)),
        name="C",
    )

    def packed(arrays: list[Values]) -> list[Values]:
        parts = arrays[1].reshape(out, BLOCK, deep, BLOCK)
        return [blocks(arrays[0]).reshape(X.shape), parts.transpose(0, 2, 3, 1)]

    shape = (out, operation.size, operation.size, BLOCK)
    return Program((X, W), C, packed, lambda result: of_blocks(result.reshape(shape)))


def _few_channels(operation: Convolution) -> Program:
    """Colours lie in planes, as pictures come; filters in blocks."""
    size, kernel, stride = operation.size, operation.kernel, operation.stride
    channels, out = operation.channels, operation.filters // BLOCK
    image, border = operation.image, operation.border
    X = sw.placeholder((channels, image, image), name="X")
    W = sw.placeholder((out, channels, kernel, kernel, BLOCK), name="W")
    c = sw.reduce_axis(channels, name="c")
    r, q = sw.reduce_axis(kernel, name="r"), sw.reduce_axis(kernel, name="q")

    def filtered(f: sw.Axis, y: sw.Axis, x: sw.Axis, v: sw.Axis) -> sw.Expr:
        row, column = y * stride + r - border, x * stride + q - border
        term = X[c, row, column] * W[f, c, r, q, v]
        return sw.sum(term, axis=(c, r, q), where=_inside(operation, row, column))

    C = sw.compute((out, size, size, BLOCK), filtered, name="C")

    def packed(arrays: list[Values]) -> list[Values]:
        parts = arrays[1].reshape(out, BLOCK, channels, kernel, kernel)
        return [arrays[0], parts.transpose(0, 2, 3, 4, 1)]

    return Program((X, W), C, packed, of_blocks)


def _depthwise(operation: Convolution) -> Program:
    """Each channel by itself, in blocks."""
    size, kernel, stride = operation.size, operation.kernel, operation.stride
    deep, wide = operation.channels // BLOCK, operation.image + 2 * operation.border
    X = sw.placeholder((deep, wide, wide, BLOCK), name="X")
    W = sw.placeholder((deep, kernel, kernel, BLOCK), name="W")
    r, q = sw.reduce_axis(kernel, name="r"), sw.reduce_axis(kernel, name="q")
    D = sw.compute(
        (deep, size, size, BLOCK),
        lambda c, y, x, v: sw.sum(
            X[c, y * stride + r, x * stride + q, v] * W[c, r, q, v], axis=(r, q)
        ),
        name="D",
    )

    def packed(arrays: list[Values]) -> list[Values]:
        parts = arrays[1].reshape(deep, BLOCK, kernel, kernel)
        return [blocks(arrays[0], operation.border), parts.transpose(0, 2, 3, 1)]

    return Program((X, W), D, packed, of_blocks)


def of_product(operation: Product) -> Program:
    """B in panels of 16 columns, the last one filled up with zeros."""
    m, n, depth = operation.m, operation.n, operation.depth
    A, k = sw.placeholder((m, depth), name="A"), sw.reduce_axis(depth, name="k")
    count = -(-n // BLOCK)
    B = sw.placeholder((count, depth, BLOCK), name="B")
    C = sw.compute(
        (m, n), lambda i, j: sw.sum(A[i, k] * B[j // BLOCK, k, j % BLOCK], axis=k), name="C"
    )

    def packed(arrays: list[Values]) -> list[Values]:
        full = np.zeros((depth, count * BLOCK), np.float32)
        full[:, :n] = arrays[1]
        return [arrays[0], full.reshape(depth, count, BLOCK).transpose(1, 0, 2)]

    return Program((A, B), C, packed, as_it_is)


def of_fully_connected(operation: FullyConnected) -> Program:
    """Weights in panels, the last one filled up with zeros."""
    width = panel()
    depth, count = operation.inputs, -(-operation.outputs // width)
    x, k = sw.placeholder((depth,), name="x"), sw.reduce_axis(depth, name="k")
    W = sw.placeholder((count, depth, width), name="W")
    Y = sw.compute((count, width), lambda j, v: sw.sum(x[k] * W[j, k, v], axis=k), name="Y")

    def packed(arrays: list[Values]) -> list[Values]:
        full = np.zeros((count * width, depth), np.float32)
        full[: operation.outputs] = arrays[1]
        return [arrays[0], full.reshape(count, width, depth).transpose(0, 2, 1)]

    return Program((x, W), Y, packed, lambda result: result.ravel()[: operation.outputs])


def of_pool(operation: Pool) -> Program:
    """Channels in blocks."""
    size, kernel, stride = operation.size, operation.kernel, operation.stride
    deep = operation.channels // BLOCK
    X = sw.placeholder((deep, operation.image, operation.image, BLOCK), name="X")
    r, q = sw.reduce_axis(kernel, name="r"), sw.reduce_axis(kernel, name="q")
    combine = sw.max if operation.kind == "largest" else sw.sum
    share = 1.0 if operation.kind == "largest" else 1.0 / kernel**2

    def window(c: sw.Axis, y: sw.Axis, x: sw.Axis, v: sw.Axis) -> sw.Expr:
        return combine(X[c, y * stride + r, x * stride + q, v], axis=(r, q))

    shape = (deep, size, size, BLOCK)
    P = sw.compute(shape, window, name="P")
    if operation.kind != "largest":
        total = P
        P = sw.compute(shape, lambda c, y, x, v: total[c, y, x, v] * share, name="mean")
    return Program((X,), P, lambda arrays: [blocks(arrays[0])], of_blocks)


def of_softmax(operation: Softmax) -> Program:
    """Of each row."""
    rows, columns = operation.rows, operation.columns
    X = sw.placeholder((rows, columns), name="X")
    k, t = sw.reduce_axis(columns, name="k"), sw.reduce_axis(columns, name="t")
    M = sw.compute((rows,), lambda i: sw.max(X[i, k], axis=k), name="M")
    E = sw.compute((rows, columns), lambda i, j: sw.exp(X[i, j] - M[i]), name="E")
    S = sw.compute((rows,), lambda i: sw.sum(E[i, t], axis=t), name="S")
    R = sw.compute((rows,), lambda i: 1.0 / S[i], name="R")
    Y = sw.compute((rows, columns), lambda i, j: E[i, j] * R[i], name="Y")
    return Program((X,), Y, same, as_it_is)


def of_layer_norm(operation: LayerNorm) -> Program:
    """Of each row, scaled and shifted."""
    rows, columns = operation.rows, operation.columns
    matrix = (rows, columns)
    given = [sw.placeholder(matrix, name=name) for name in ("A", "R")[: operation.given]]
    g, b = sw.placeholder((columns,), name="g"), sw.placeholder((columns,), name="b")
    k, t = sw.reduce_axis(columns, name="k"), sw.reduce_axis(columns, name="t")
    X = given[0]
    if operation.residual:
        X = sw.compute(matrix, lambda i, j: given[0][i, j] + given[1][i, j], name="X")
    M = sw.compute((rows,), lambda i: sw.sum(X[i, k], axis=k) / columns, name="M")
    V = sw.compute(
        (rows,),
        lambda i: sw.sum((X[i, t] - M[i]) * (X[i, t] - M[i]), axis=t) / columns,
        name="V",
    )
    N = sw.compute((rows,), lambda i: 1.0 / sw.sqrt(V[i] + EPSILON), name="N")
    Y = sw.compute(matrix, lambda i, j: (X[i, j] - M[i]) * N[i] * g[j] + b[j], name="Y")
    return Program((*given, g, b), Y, same, as_it_is)


def of_gelu(operation: Gelu) -> Program:
    """Of each element."""
    X = sw.placeholder((operation.rows, operation.columns), name="X")
    Y = sw.compute(
        X.shape,
        lambda i, j: X[i, j] * (1.0 + sw.erf(X[i, j] * math.sqrt(0.5))) * 0.5,
        name="Y",
    )
    return Program((X,), Y, same, as_it_is)


def of_attention(operation: Attention) -> Program:
    """All heads; Q, K and V as a layer before leaves them."""
    heads, length, width = operation.heads, operation.length, operation.width
    shape, square = (heads, length, width), (heads, length, length)
    Q, K, V = (sw.placeholder(shape, name=name) for name in "QKV")
    r, u = sw.reduce_axis(width, name="r"), sw.reduce_axis(length, name="u")
    k, t = sw.reduce_axis(length, name="k"), sw.reduce_axis(length, name="t")
    scale = 1.0 / math.sqrt(width)
    S = sw.compute(square, lambda h, i, j: sw.sum(Q[h, i, r] * K[h, j, r], axis=r), name="S")
    Z = sw.compute(square, lambda h, i, j: S[h, i, j] * scale, name="Z")
    M = sw.compute((heads, length), lambda h, i: sw.max(Z[h, i, k], axis=k), name="M")
    E = sw.compute(square, lambda h, i, j: sw.exp(Z[h, i, j] - M[h, i]), name="E")
    T = sw.compute((heads, length), lambda h, i: sw.sum(E[h, i, t], axis=t), name="T")
    U = sw.compute(shape, lambda h, i, c: sw.sum(E[h, i, u] * V[h, u, c], axis=u), name="U")
    R = sw.compute((heads, length), lambda h, i: 1.0 / T[h, i], name="R")
    Y = sw.compute(shape, lambda h, i, c: U[h, i, c] * R[h, i], name="Y")
    return Program((Q, K, V), Y, same, as_it_is)
