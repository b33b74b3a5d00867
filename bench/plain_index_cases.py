"""Operators of bench/plain_layouts.py whose indices divide, stay at a border or begin again.

And such that read one array twice, or lie between products.
"""

from __future__ import annotations

import numpy as np
import solway as sw
from plain_cases import Case, Values

try:
    import torch
    from torch.nn import functional
except ImportError:
    torch = functional = None


def between_zeros(channels: int, filters: int, image: int) -> Case:
    """A transposed convolution of 3 x 3 that makes an image about twice as large.

    X has a border of one pixel, what comes of which alone is not computed.
    """
    size = 2 * image + 1
    X = sw.placeholder((channels, image + 2, image + 2), name="X")
    W = sw.placeholder((channels, filters, 3, 3), name="W")
    c = sw.reduce_axis(channels, name="c")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    Y = sw.compute(
        (filters, size, size),
        lambda f, y, x: sw.sum(
            X[c, (y - r) // 2 + 1, (x - q) // 2 + 1] * W[c, f, r, q],
            axis=(c, r, q),
            where=sw.all_of((y - r) % 2 == 0, (x - q) % 2 == 0),
        ),
        name="Y",
    )

    def reference(x: Values, w: Values) -> Values:
        out = np.zeros((filters, size + 4, size + 4))
        for i in range(3):
            for j in range(3):
                part = np.einsum("cyx,cf->fyx", x, w[:, :, i, j])
                out[:, i : i + 2 * image + 4 : 2, j : j + 2 * image + 4 : 2] += part
        return out[:, 2:-2, 2:-2]

    return Case(
        (X, W),
        Y,
        reference,
        lambda x, w: functional.conv_transpose2d(x[None], w, stride=2)[0, :, 2:-2, 2:-2],
        2 * filters * size**2 * channels * 9 // 4,
    )


def gated_layers(rows: int, width: int, inner: int) -> Case:
    """Two layers, one of which the other one lets through, and a third of their product."""
    X = sw.placeholder((rows, width), name="X")
    A, B = (sw.placeholder((inner, width), name=name) for name in "AB")
    C = sw.placeholder((width, inner), name="C")
    k, m = sw.reduce_axis(width, name="k"), sw.reduce_axis(width, name="m")
    n = sw.reduce_axis(inner, name="n")
    G = sw.compute((rows, inner), lambda i, j: sw.sum(X[i, k] * A[j, k], axis=k), name="G")
    U = sw.compute((rows, inner), lambda i, j: sw.sum(X[i, m] * B[j, m], axis=m), name="U")
    H = sw.compute((rows, inner), lambda i, j: sw.maximum(G[i, j], 0.0) * U[i, j], name="H")
    Y = sw.compute((rows, width), lambda i, j: sw.sum(H[i, n] * C[j, n], axis=n), name="Y")
    return Case(
        (X, A, B, C),
        Y,
        lambda x, a, b, c: np.maximum(x @ a.T, 0) * (x @ b.T) @ c.T,
        lambda x, a, b, c: functional.linear(
            torch.relu(functional.linear(x, a)) * functional.linear(x, b), c
        ),
        6 * rows * width * inner,
    )


def times_itself(rows: int, columns: int) -> Case:
    """Products of all rows with all rows."""
    A, k = sw.placeholder((rows, columns), name="A"), sw.reduce_axis(columns, name="k")
    C = sw.compute((rows, rows), lambda i, j: sw.sum(A[i, k] * A[j, k], axis=k), name="C")
    return Case((A,), C, lambda a: a @ a.T, lambda a: a @ a.t(), 2 * rows**2 * columns)


def product_of_bytes(rows: int, columns: int, depth: int) -> Case:
    """int8 in rows, nothing packed; the limit is that of float32."""
    A = sw.placeholder((rows, depth), "int8", name="A")
    B, k = sw.placeholder((depth, columns), "int8", name="B"), sw.reduce_axis(depth, name="k")
    C = sw.compute(
        (rows, columns),
        lambda i, j: sw.sum(sw.cast(A[i, k], "int32") * sw.cast(B[k, j], "int32"), axis=k),
        name="C",
    )
    return Case((A, B), C, lambda a, b: a @ b, lambda a, b: torch._int_mm(a, b))


def repeated_border(channels: int, image: int) -> Case:
    """A border of the nearest pixels."""
    A = sw.placeholder((channels, image, image), name="A")

    def nearest(i: sw.Expr) -> sw.Expr:
        return sw.maximum(0, sw.minimum(i - 1, image - 1))

    B = sw.compute(
        (channels, image + 2, image + 2), lambda c, y, x: A[c, nearest(y), nearest(x)], name="B"
    )
    return Case(
        (A,),
        B,
        lambda a: np.pad(a, [(0, 0), (1, 1), (1, 1)], mode="edge"),
        lambda a: functional.pad(a[None], (1, 1, 1, 1), mode="replicate")[0],
    )


def rolled(size: int, by: int) -> Case:
    """Rows whose end follows their beginning."""
    A = sw.placeholder((size, size), name="A")
    B = sw.compute((size, size), lambda i, j: A[i, (j + by) % size], name="B")
    return Case((A,), B, lambda a: np.roll(a, -by, 1), lambda a: a.roll(-by, 1))


def twice_as_large(channels: int, image: int) -> Case:
    """Pixels between pixels, by distance; A has a border of one."""
    A = sw.placeholder((channels, image + 2, image + 2), name="A")

    def pixel(c: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        y, x = (i + 1) // 2, (j + 1) // 2
        down = sw.cast(sw.select(i % 2 == 0, 0.75, 0.25), "float32")
        right = sw.cast(sw.select(j % 2 == 0, 0.75, 0.25), "float32")
        above = A[c, y, x] * (1 - right) + A[c, y, x + 1] * right
        below = A[c, y + 1, x] * (1 - right) + A[c, y + 1, x + 1] * right
        return above * (1 - down) + below * down

    B = sw.compute((channels, 2 * image, 2 * image), pixel, name="B")

    def reference(a: Values) -> Values:
        for axis in (1, 2):
            k = np.arange(2 * image)
            weight = np.where(k % 2 == 0, 0.75, 0.25)
            weight = weight.reshape([-1 if d == axis else 1 for d in range(3)])
            first, second = np.take(a, (k + 1) // 2, axis), np.take(a, (k + 1) // 2 + 1, axis)
            a = first * (1 - weight) + second * weight
        return a

    def peer(a: torch.Tensor) -> torch.Tensor:
        whole = functional.interpolate(a[None], scale_factor=2, mode="bilinear")
        return whole[0, :, 2:-2, 2:-2]

    return Case((A,), B, reference, peer, 14 * channels * image**2)


def complex_product(count: int) -> Case:
    """Real and imaginary parts side by side."""
    A, B = (sw.placeholder((count, 2), name=name) for name in "AB")

    def part(i: sw.Axis, c: sw.Axis) -> sw.Expr:
        real = A[i, 0] * B[i, 0] - A[i, 1] * B[i, 1]
        return sw.select(c == 0, real, A[i, 0] * B[i, 1] + A[i, 1] * B[i, 0])

    Y = sw.compute((count, 2), part, name="Y")

    def reference(a: Values, b: Values) -> Values:
        both = (a[:, 0] + 1j * a[:, 1]) * (b[:, 0] + 1j * b[:, 1])
        return np.stack([both.real, both.imag], 1)

    return Case(
        (A, B),
        Y,
        reference,
        lambda a, b: torch.view_as_real(torch.view_as_complex(a) * torch.view_as_complex(b)),
        6 * count,
    )


def grey(size: int) -> Case:
    """Weighted sums of three bytes side by side."""
    A = sw.placeholder((size, size, 3), "uint8", name="A")

    def channel(i: sw.Axis, j: sw.Axis, c: int) -> sw.Expr:
        return sw.cast(A[i, j, c], "int32")

    def sum_of(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        return channel(i, j, 0) * 77 + channel(i, j, 1) * 150 + channel(i, j, 2) * 29

    B = sw.compute((size, size), lambda i, j: sw.cast(sum_of(i, j) // 256, "uint8"), name="B")
    weights = np.array([77, 150, 29])

    def peer(a: torch.Tensor) -> torch.Tensor:
        wide = a.int()
        return (wide[..., 0] * 77 + wide[..., 1] * 150 + wide[..., 2] * 29 >> 8).to(torch.uint8)

    return Case((A,), B, lambda a: a @ weights // 256, peer, 6 * size**2)
