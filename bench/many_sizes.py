"""Kernels for many sizes beside those for one, both without a schedule of the user's.

    python bench/many_sizes.py [--only TEXT ...] [--rounds 20]

Each operator is built twice by `auto_schedule` (the model alone): with numbers, and with `sw.size`
of at most 4096 in place of those in its name. Both take turns on one thread, with the call from
Python and what they need in caches, and give the same values. The limit is the longer of two
probes: multiply-adds, and reading as many bytes as the arrays have.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import solway as sw
from measuring import (
    Candidate,
    aligned,
    compare_two,
    of_call,
    parser_of_cases,
    probe,
    read_probe,
)

MOST = 4096
Extent = int | sw.Size
#: A size of that name, or a number.
Sized = Callable[[str, int], Extent]


class Case(NamedTuple):
    """What is computed, of which shapes in a call, and how many multiplications and additions."""

    make: Callable[[Sized], list[sw.Tensor]]
    shapes: list[tuple[int, ...]]
    flops: float


def product(rows: int, columns: int, depth: int, sized: str, by_columns: bool) -> Case:
    """Of A and B, whose columns or rows lie side by side."""

    def make(size: Sized) -> list[sw.Tensor]:
        given = zip("MNK", (rows, columns, depth), strict=True)
        m, n, k = (size(name, value) if name in sized else value for name, value in given)
        a = sw.placeholder((m, k), name="A")
        b = sw.placeholder((n, k) if by_columns else (k, n), name="B")
        r = sw.reduce_axis(k, name="k")
        return [
            a,
            b,
            sw.compute(
                (m, n),
                lambda i, j: sw.sum(a[i, r] * (b[j, r] if by_columns else b[r, j]), axis=r),
                name="C",
            ),
        ]

    b_shape = (columns, depth) if by_columns else (depth, columns)
    return Case(make, [(rows, depth), b_shape], 2.0 * rows * columns * depth)


def convolution(batch: int, channels: int, image: int, planes: bool) -> Case:
    """3 x 3 of a batch whose number of images is a size."""

    def make(size: Sized) -> list[sw.Tensor]:
        b = size("B", batch)
        c = sw.reduce_axis(channels, name="c")
        r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
        edge = image + 2
        if planes:
            x = sw.placeholder((b, channels, edge, edge), name="X")
            w = sw.placeholder((channels, channels, 3, 3), name="W")
            y = sw.compute(
                (b, channels, image, image),
                lambda n, m, i, j: sw.sum(x[n, c, i + r, j + q] * w[m, c, r, q], axis=(c, r, q)),
                name="Y",
            )
        else:
            x = sw.placeholder((b, edge, edge, channels), name="X")
            w = sw.placeholder((3, 3, channels, channels), name="W")
            y = sw.compute(
                (b, image, image, channels),
                lambda n, i, j, m: sw.sum(x[n, i + r, j + q, c] * w[r, q, c, m], axis=(c, r, q)),
                name="Y",
            )
        return [x, w, y]

    given = (channels, image + 2, image + 2) if planes else (image + 2, image + 2, channels)
    taps = (channels, channels, 3, 3) if planes else (3, 3, channels, channels)
    return Case(make, [(batch, *given), taps], 18.0 * batch * channels**2 * image**2)


def softmax(rows: int, columns: int, sized: str) -> Case:
    """Of rows."""

    def make(size: Sized) -> list[sw.Tensor]:
        m = size("M", rows) if "M" in sized else rows
        n = size("N", columns) if "N" in sized else columns
        x = sw.placeholder((m, n), name="X")
        k, t = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="t")
        largest = sw.compute((m,), lambda i: sw.max(x[i, k], axis=k), name="largest")
        e = sw.compute((m, n), lambda i, j: sw.exp(x[i, j] - largest[i]), name="e")
        s = sw.compute((m,), lambda i: sw.sum(e[i, t], axis=t), name="s")
        return [x, sw.compute((m, n), lambda i, j: e[i, j] / s[i], name="Y")]

    return Case(make, [(rows, columns)], 0)


def turned(rows: int, columns: int) -> Case:
    """A matrix whose rows become columns."""

    def make(size: Sized) -> list[sw.Tensor]:
        m, n = size("M", rows), size("N", columns)
        a = sw.placeholder((m, n), name="A")
        return [a, sw.compute((n, m), lambda i, j: a[j, i], name="B")]

    return Case(make, [(rows, columns)], 0)


def attention(heads: int, rows: int, width: int) -> Case:
    """Rows of scores and their sums in blocks."""

    def make(size: Sized) -> list[sw.Tensor]:
        n = size("n", rows)
        square, shape = (heads, n, n), (heads, n, width)
        q, k, v = (sw.placeholder(shape, name=name) for name in "QKV")
        r = sw.reduce_axis(width, name="r")
        m, t, u = (sw.reduce_axis(n, name=name) for name in "mtu")
        scores = sw.compute(
            square, lambda h, i, j: sw.sum(q[h, i, r] * k[h, j, r], axis=r) * 0.125, name="S"
        )
        most = sw.compute((heads, n), lambda h, i: sw.max(scores[h, i, m], axis=m), name="M")
        e = sw.compute(square, lambda h, i, j: sw.exp(scores[h, i, j] - most[h, i]), name="E")
        total = sw.compute((heads, n), lambda h, i: sw.sum(e[h, i, t], axis=t), name="T")
        y = sw.compute(
            shape,
            lambda h, i, c: sw.sum(e[h, i, u] * v[h, u, c], axis=u) / total[h, i],
            name="Y",
        )
        return [q, k, v, y]

    return Case(make, [(heads, rows, width)] * 3, 4.0 * heads * rows * rows * width)


CASES: dict[str, Case] = {
    "product, M = 128 x 512 x 512": product(128, 512, 512, "M", False),
    "product, 128 x N = 512 x 512": product(128, 512, 512, "N", False),
    "product, 128 x 512 x K = 512": product(128, 512, 512, "K", False),
    "product, all three": product(128, 512, 512, "MNK", False),
    "product, all three, 125 x 500 x 500": product(125, 500, 500, "MNK", False),
    "product by columns, M = 128": product(128, 512, 512, "M", True),
    "product by columns, all three": product(128, 512, 512, "MNK", True),
    "3 x 3, B = 4 of 32 in NCHW, 28 x 28": convolution(4, 32, 28, True),
    "3 x 3, B = 4 of 32 in NHWC, 28 x 28": convolution(4, 32, 28, False),
    "softmax, M = 128 x 1000": softmax(128, 1000, "M"),
    "softmax, M = 128 x N = 1000": softmax(128, 1000, "MN"),
    "turned, M = 1000 x N = 700": turned(1000, 700),
    "attention, 12 heads of 64, n = 128": attention(12, 128, 64),
    "attention, 12 heads of 64, n = 500": attention(12, 500, 64),
}


def candidates_of(case: Case) -> dict[str, Candidate]:
    """Probes, and kernels for one size and for many, whose values are compared before."""
    rng = np.random.default_rng(0)
    arrays = [aligned(rng.integers(-3, 4, shape).astype("float32")) for shape in case.shapes]
    found: dict[str, Candidate] = {}
    outs = []
    for name, size in {
        "one size": lambda _, value: value,
        "many sizes": lambda name, _: sw.size(name, min=1, max=MOST),
    }.items():
        tensors = case.make(size)
        schedule = sw.create_schedule(tensors[-1])
        schedule.auto_schedule("host", search=False)
        kernel = sw.build(schedule, tensors)
        outs.append(aligned(kernel.run(*arrays, threads=1)))
        found[name] = of_call(partial(kernel, *arrays, outs[-1], threads=1))
    np.testing.assert_allclose(outs[1], outs[0], rtol=1e-5, atol=1e-6)
    count = (sum(a.nbytes for a in arrays) + outs[0].nbytes) // 4
    return {"fma": probe(), "read": read_probe(count), **found}


def main() -> None:
    """Measures what the command line asks for."""
    given = parser_of_cases(__doc__).parse_args()
    compare_two(given, CASES, candidates_of, ("one size", "many sizes"), warm=2)


if __name__ == "__main__":
    main()
