"""Layers that no schedule was written for by hand, as tensor expressions with what NumPy says.

Each reduction is a stage of its own, which is what `auto_buffer` plans.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import solway as sw

Array = np.ndarray


class Layer(NamedTuple):
    """A layer: its tensors in the order of arguments, and what is right."""

    name: str
    tensors: list[sw.Tensor]  # the last one is the output
    operations: int
    expected: Callable[..., Array]
    tolerance: float = 0.0  # relative to the largest element; 0: whole numbers, exact

    def inputs(self) -> list[Array]:
        """Values: small integers, or numbers between -1 and 1 where results are rounded."""
        rng = np.random.default_rng(0)
        shapes = [(t.shape, str(t.dtype)) for t in self.tensors[:-1]]
        if self.tolerance == 0:
            return [rng.integers(-3, 4, shape).astype(dtype) for shape, dtype in shapes]
        return [rng.uniform(-1, 1, shape).astype(dtype) for shape, dtype in shapes]

    def least_bytes(self) -> int:
        """What has to move at least: each input and the output once."""
        return sum(int(np.prod(t.shape)) * np.dtype(str(t.dtype)).itemsize for t in self.tensors)


def _windows(a: Array, kernel: int, stride: int, dilation: int = 1) -> Array:
    """[..., y, x, ry, rx] of an image's last two dimensions."""
    reach = dilation * (kernel - 1) + 1
    views = np.lib.stride_tricks.sliding_window_view(a, (reach, reach), axis=(-2, -1))
    return views[..., ::stride, ::stride, ::dilation, ::dilation]


def convolution(
    name: str,
    channels: int,
    filters: int,
    size: int,
    kernel: int,
    *,
    groups: int = 1,
    dilation: int = 1,
    has_axis: bool = True,
) -> Layer:
    """A convolution that keeps the size of its image: padding is a stage.

    Groups are an axis of the sums, or without `has_axis` quotients of the filter.
    """
    pad = dilation * (kernel // 2)
    edge, per_in, per_out = size + 2 * pad, channels // groups, filters // groups
    a = sw.placeholder((channels, size, size), name="A")
    w = sw.placeholder((filters, per_in, kernel, kernel), name="W")
    rc, ry, rx = (
        sw.reduce_axis(n, name=x) for n, x in ((per_in, "rc"), (kernel, "ry"), (kernel, "rx"))
    )

    def inside(c: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        there = sw.all_of(pad <= y, y < size + pad, pad <= x, x < size + pad)
        return sw.select(there, a[c, y - pad, x - pad], 0.0)

    p = sw.compute((channels, edge, edge), inside, name="P") if pad else a

    def value(group: sw.Expr, f: sw.Expr, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        image = p[group * per_in + rc, y + ry * dilation, x + rx * dilation]
        return sw.sum(image * w[f, rc, ry, rx], axis=[rc, ry, rx])

    shape = (groups, per_out, size, size) if has_axis else (filters, size, size)
    s = (
        sw.compute(shape, lambda g, f, y, x: value(g, g * per_out + f, y, x), name="S")
        if has_axis
        else sw.compute(shape, lambda f, y, x: value(f // per_out, f, y, x), name="S")
    )

    def expected(a: Array, w: Array) -> Array:
        views = _windows(np.pad(a, ((0, 0), (pad, pad), (pad, pad))), kernel, 1, dilation)
        views = views.reshape(groups, per_in, *views.shape[1:])
        weights = w.reshape(groups, per_out, per_in, kernel, kernel)
        return np.einsum("gcyxrq,gfcrq->gfyx", views, weights).reshape(shape)

    operations = 2 * filters * size * size * per_in * kernel * kernel
    return Layer(name, [a, w, s], operations, expected)


def depthwise(kernel: int, channels: int, size: int) -> Layer:
    """Each channel with a filter of its own."""
    pad = kernel // 2
    a = sw.placeholder((channels, size, size), name="A")
    w = sw.placeholder((channels, kernel, kernel), name="W")
    ry, rx = sw.reduce_axis(kernel, name="ry"), sw.reduce_axis(kernel, name="rx")

    def inside(c: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        there = sw.all_of(pad <= y, y < size + pad, pad <= x, x < size + pad)
        return sw.select(there, a[c, y - pad, x - pad], 0.0)

    p = sw.compute((channels, size + 2 * pad, size + 2 * pad), inside, name="P")
    s = sw.compute(
        (channels, size, size),
        lambda c, y, x: sw.sum(p[c, y + ry, x + rx] * w[c, ry, rx], axis=[ry, rx]),
        name="S",
    )

    def expected(a: Array, w: Array) -> Array:
        views = _windows(np.pad(a, ((0, 0), (pad, pad), (pad, pad))), kernel, 1)
        return np.einsum("cyxrq,crq->cyx", views, w)

    name = f"depthwise {kernel} x {kernel}, {channels} x {size}"
    return Layer(name, [a, w, s], 2 * channels * size * size * kernel * kernel, expected)


def transposed(channels: int, filters: int, size: int) -> Layer:
    """A transposed convolution, 4 x 4 with stride 2: the image with zeros between, then 4 x 4."""
    kernel, stride = 4, 2
    edge, out = (size - 1) * stride + 1 + 2 * (kernel - 1) - 2, size * stride
    a = sw.placeholder((channels, size, size), name="A")
    w = sw.placeholder((filters, channels, kernel, kernel), name="W")
    rc, ry, rx = (
        sw.reduce_axis(n, name=x) for n, x in ((channels, "rc"), (kernel, "ry"), (kernel, "rx"))
    )
    first = kernel - 2  # with a padding of 1

    def spread(c: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        there = [
            condition
            for v in (y, x)
            for condition in (
                v >= first,
                v < first + stride * size - 1,
                (v - first) % stride == 0,
            )
        ]
        return sw.select(sw.all_of(*there), a[c, (y - first) // stride, (x - first) // stride], 0.0)

    p = sw.compute((channels, edge, edge), spread, name="P")
    s = sw.compute(
        (filters, out, out),
        lambda f, y, x: sw.sum(p[rc, y + ry, x + rx] * w[f, rc, ry, rx], axis=[rc, ry, rx]),
        name="S",
    )

    def expected(a: Array, w: Array) -> Array:
        wide = np.zeros((channels, edge, edge), a.dtype)
        wide[:, first : first + stride * size - 1 : 2, first : first + stride * size - 1 : 2] = a
        return np.einsum("cyxrq,fcrq->fyx", _windows(wide, kernel, 1), w)

    # Of the products with the zeros in between no result needs any.
    operations = 2 * filters * out * out * channels * kernel * kernel // 4
    return Layer(
        f"transposed 4 x 4 / 2, {channels} -> {filters}, {size}", [a, w, s], operations, expected
    )


def batched_product(batch: int, m: int, n: int, depth: int) -> Layer:
    """Products of matrices, one beside the other."""
    a, b = sw.placeholder((batch, m, depth), name="A"), sw.placeholder((batch, depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((batch, m, n), lambda g, i, j: sw.sum(a[g, i, k] * b[g, k, j], axis=k), name="C")
    name = f"batch of {batch} products {m} x {n} x {depth}"
    return Layer(name, [a, b, c], 2 * batch * m * n * depth, np.matmul)


def _softmax(x: sw.Tensor, name: str) -> sw.Tensor:
    """Of the last dimension."""
    m, n = x.shape
    k, j = sw.reduce_axis(n, name=f"k{name}"), sw.reduce_axis(n, name=f"j{name}")
    top = sw.compute((m,), lambda i: sw.max(x[i, k], axis=k), name=f"top{name}")
    e = sw.compute((m, n), lambda i, c: sw.exp(x[i, c] - top[i]), name=f"E{name}")
    total = sw.compute((m,), lambda i: sw.sum(e[i, j], axis=j), name=f"total{name}")
    return sw.compute((m, n), lambda i, c: e[i, c] / total[i], name=f"Y{name}")


def _softmax_of(x: Array) -> Array:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax(m: int, n: int) -> Layer:
    """Of rows."""
    x = sw.placeholder((m, n), name="X")
    return Layer(f"softmax, {m} x {n}", [x, _softmax(x, "")], 5 * m * n, _softmax_of, 1e-5)


def layer_norm(m: int, n: int) -> Layer:
    """Rows without their mean, in units of their deviation, scaled and shifted."""
    x = sw.placeholder((m, n), name="X")
    g, b = sw.placeholder((n,), name="G"), sw.placeholder((n,), name="B")
    k, j = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="j")
    total = sw.compute((m,), lambda i: sw.sum(x[i, k], axis=k), name="total")
    d = sw.compute((m, n), lambda i, c: x[i, c] - total[i] / float(n), name="D")
    squares = sw.compute((m,), lambda i: sw.sum(d[i, j] * d[i, j], axis=j), name="squares")
    y = sw.compute(
        (m, n),
        lambda i, c: d[i, c] / sw.sqrt(squares[i] / float(n) + 1e-5) * g[c] + b[c],
        name="Y",
    )

    def expected(x: Array, g: Array, b: Array) -> Array:
        centred = x - x.mean(axis=1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5) * g + b

    return Layer(f"layernorm, {m} x {n}", [x, g, b, y], 8 * m * n, expected, 1e-5)


def attention(length: int, width: int) -> Layer:
    """One head."""
    q, k, v = (sw.placeholder((length, width), name=x) for x in "QKV")
    r, t = sw.reduce_axis(width, name="r"), sw.reduce_axis(length, name="t")
    scale = 1.0 / float(width) ** 0.5
    s = sw.compute((length, length), lambda i, j: sw.sum(q[i, r] * k[j, r], axis=r), name="S")
    z = sw.compute((length, length), lambda i, j: s[i, j] * scale, name="Z")
    p = _softmax(z, "")
    o = sw.compute((length, width), lambda i, c: sw.sum(p[i, t] * v[t, c], axis=t), name="O")

    def expected(q: Array, k: Array, v: Array) -> Array:
        return _softmax_of(q @ k.T * scale) @ v

    operations = length * length * (4 * width + 6)
    return Layer(f"attention, {length} x {width}", [q, k, v, o], operations, expected, 1e-5)


def lstm_cell(width: int) -> Layer:
    """One step of one sequence: gates from the input and the state before."""
    x, h, c = (sw.placeholder((width,), name=n) for n in ("X", "H", "C"))
    w, u = (sw.placeholder((4, width, width), name=n) for n in ("W", "U"))
    b = sw.placeholder((4, width), name="B")
    k, r = sw.reduce_axis(width, name="k"), sw.reduce_axis(width, name="r")
    of_x = sw.compute((4, width), lambda g, i: sw.sum(w[g, i, k] * x[k], axis=k), name="WX")
    of_h = sw.compute((4, width), lambda g, i: sw.sum(u[g, i, r] * h[r], axis=r), name="UH")
    z = sw.compute((4, width), lambda g, i: of_x[g, i] + of_h[g, i] + b[g, i], name="Z")
    cell = sw.compute(
        (width,),
        lambda i: sw.sigmoid(z[0, i]) * c[i] + sw.sigmoid(z[1, i]) * sw.tanh(z[2, i]),
        name="cell",
    )
    out = sw.compute((width,), lambda i: sw.sigmoid(z[3, i]) * sw.tanh(cell[i]), name="out")

    def expected(x: Array, h: Array, c: Array, w: Array, u: Array, b: Array) -> Array:
        z = w @ x + u @ h + b
        gate = 1 / (1 + np.exp(-z))
        return gate[3] * np.tanh(gate[0] * c + gate[1] * np.tanh(z[2]))

    tensors = [x, h, c, w, u, b, out]
    return Layer(f"LSTM cell, {width}", tensors, 16 * width * width, expected, 1e-4)


def pool(kind: str, channels: int, size: int, kernel: int, stride: int) -> Layer:
    """The greatest or the mean of kernel x kernel cells."""
    out = (size - kernel) // stride + 1
    a = sw.placeholder((channels, size, size), name="A")
    ry, rx = sw.reduce_axis(kernel, name="ry"), sw.reduce_axis(kernel, name="rx")
    op = sw.max if kind == "max" else sw.sum
    p = sw.compute(
        (channels, out, out),
        lambda c, y, x: op(a[c, y * stride + ry, x * stride + rx], axis=[ry, rx]),
        name="P",
    )
    if kind != "max":
        share = 1.0 / kernel**2
        p = sw.compute(p.shape, lambda c, y, x, p=p: p[c, y, x] * share, name="M")

    def expected(a: Array) -> Array:
        views = _windows(a, kernel, stride)
        return views.max(axis=(3, 4)) if kind == "max" else views.mean(axis=(3, 4))

    name = f"{kind} pool {kernel} x {kernel} / {stride}, {channels} x {size}"
    exact = 0.0 if kind == "max" else 1e-6
    return Layer(name, [a, p], channels * (out * kernel) ** 2, expected, exact)


def stencil(rank: int, size: int) -> Layer:
    """A point and its neighbours along each dimension."""
    a = sw.placeholder((size + 2,) * rank, name="A")

    def value(at: tuple[sw.Axis, ...]) -> sw.Expr:
        middle = tuple(x + 1 for x in at)
        out = a[middle] * float(-2 * rank)
        for d in range(rank):
            for step in (-1, 1):
                out = out + a[tuple(x + step if d == n else x for n, x in enumerate(middle))]
        return out

    shape = (size,) * rank
    s = (
        sw.compute(shape, lambda y, x: value((y, x)), name="S")
        if rank == 2
        else sw.compute(shape, lambda z, y, x: value((z, y, x)), name="S")
    )

    def expected(a: Array) -> Array:
        inner = (slice(1, -1),) * rank
        out = -2 * rank * a[inner]
        for d in range(rank):
            for part in (slice(0, -2), slice(2, None)):
                out = out + a[(*inner[:d], part, *inner[d + 1 :])]
        return out

    points = 2 * rank + 1
    return Layer(f"stencil, {points} points, {size}^{rank}", [a, s], points * size**rank, expected)


def _matrices(*shapes: tuple[int, ...]) -> list[sw.Tensor]:
    return [
        sw.placeholder(shape, "float64", name=name)
        for shape, name in zip(shapes, "ABCDEFGH", strict=False)
    ]


def _sum_of(a: sw.Tensor, b: sw.Tensor, name: str, is_turned: bool = False) -> sw.Tensor:
    """The product of two matrices, or of a matrix, turned or not, and a vector."""
    k = sw.reduce_axis(a.shape[0 if is_turned else 1], name=f"k{name}")
    if len(b.shape) == 2:
        shape = (a.shape[0], b.shape[1])
        return sw.compute(shape, lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name=name)
    if is_turned:
        return sw.compute((a.shape[1],), lambda i: sw.sum(a[k, i] * b[k], axis=k), name=name)
    return sw.compute((a.shape[0],), lambda i: sw.sum(a[i, k] * b[k], axis=k), name=name)


def gemm(m: int, n: int, depth: int) -> Layer:
    """PolyBench's, each sum a stage: 1.5 A B + 1.2 C."""
    a, b, c = _matrices((m, depth), (depth, n), (m, n))
    s = _sum_of(a, b, "S")
    y = sw.compute((m, n), lambda i, j: 1.5 * s[i, j] + 1.2 * c[i, j], name="Y")

    def expected(a: Array, b: Array, c: Array) -> Array:
        return 1.5 * a @ b + 1.2 * c

    name = f"PolyBench gemm, {m} x {n} x {depth}"
    return Layer(name, [a, b, c, y], 2 * m * n * depth, expected, 1e-12)


def two_products(m: int, n: int, depth: int, last: int) -> Layer:
    """PolyBench's 2mm, each sum a stage: 1.5 A B C + 1.2 D."""
    a, b, c, d = _matrices((m, depth), (depth, n), (n, last), (m, last))
    s = _sum_of(_sum_of(a, b, "S"), c, "T")
    y = sw.compute((m, last), lambda i, j: 1.5 * s[i, j] + 1.2 * d[i, j], name="Y")

    def expected(a: Array, b: Array, c: Array, d: Array) -> Array:
        return 1.5 * a @ b @ c + 1.2 * d

    operations = 2 * m * n * (depth + last)
    return Layer(f"PolyBench 2mm, {m}", [a, b, c, d, y], operations, expected, 1e-12)


def gesummv(n: int) -> Layer:
    """PolyBench's, each sum a stage: 1.5 A x + 1.2 B x."""
    a, b, x = _matrices((n, n), (n, n), (n,))
    s, t = _sum_of(a, x, "S"), _sum_of(b, x, "T")
    y = sw.compute((n,), lambda i: 1.5 * s[i] + 1.2 * t[i], name="Y")

    def expected(a: Array, b: Array, x: Array) -> Array:
        return 1.5 * a @ x + 1.2 * b @ x

    return Layer(f"PolyBench gesummv, {n}", [a, b, x, y], 4 * n * n, expected, 1e-12)


def gemver(n: int) -> Layer:
    """PolyBench's, each sum a stage: a matrix and two products of ranks one; then its vectors."""
    a, u, v, p, q, y, z = _matrices((n, n), *[(n,)] * 6)
    h = sw.compute((n, n), lambda i, j: a[i, j] + u[i] * v[j] + p[i] * q[j], name="H_")
    t = _sum_of(h, y, "T", is_turned=True)
    x = sw.compute((n,), lambda i: 1.2 * t[i] + z[i], name="X")
    s = _sum_of(h, x, "S")
    w = sw.compute((n,), lambda i: 1.5 * s[i], name="Y")

    def expected(a: Array, u: Array, v: Array, p: Array, q: Array, y: Array, z: Array) -> Array:
        h = a + np.outer(u, v) + np.outer(p, q)
        return 1.5 * h @ (1.2 * h.T @ y + z)

    tensors = [a, u, v, p, q, y, z, w]
    return Layer(f"PolyBench gemver, {n}", tensors, 8 * n * n, expected, 1e-12)


def covariance(points: int, n: int) -> Layer:
    """PolyBench's, each sum a stage; the whole matrix instead of a triangle and its mirror."""
    (a,) = _matrices((points, n))
    k = sw.reduce_axis(points, name="k")
    r = sw.reduce_axis(points, name="r")
    total = sw.compute((n,), lambda j: sw.sum(a[k, j], axis=k), name="total")
    d = sw.compute((points, n), lambda i, j: a[i, j] - total[j] / float(points), name="D")
    s = sw.compute((n, n), lambda i, j: sw.sum(d[r, i] * d[r, j], axis=r), name="S")
    y = sw.compute((n, n), lambda i, j: s[i, j] / float(points - 1), name="Y")

    def expected(a: Array) -> Array:
        centred = a - a.mean(axis=0)
        return centred.T @ centred / (points - 1)

    return Layer(f"PolyBench covariance, {n}", [a, y], 2 * points * n * n, expected, 1e-11)


def layers() -> list[Layer]:
    """The layers of the table."""
    return [
        depthwise(3, 64, 32),
        depthwise(5, 64, 32),
        convolution("1 x 1, 64 -> 128, 28", 64, 128, 28, 1),
        convolution("3 x 3 dilated by 2, 32 -> 32, 28", 32, 32, 28, 3, dilation=2),
        convolution("3 x 3 in 4 groups, 64 -> 64, 28", 64, 64, 28, 3, groups=4),
        convolution("the same, f // 16 for the group", 64, 64, 28, 3, groups=4, has_axis=False),
        transposed(32, 32, 16),
        batched_product(8, 64, 64, 64),
        softmax(512, 512),
        layer_norm(512, 512),
        attention(128, 64),
        attention(512, 64),
        lstm_cell(256),
        pool("max", 64, 56, 2, 2),
        pool("average", 64, 56, 2, 2),
        stencil(2, 512),
        stencil(3, 64),
        gemm(120, 128, 96),
        two_products(96, 96, 96, 96),
        gesummv(256),
        gemver(256),
        covariance(128, 96),
    ]
