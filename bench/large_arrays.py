"""Operators on arrays beyond the caches that nobody scheduled, beside NumPy.

    python bench/large_arrays.py [--only TEXT ...] [--rounds 10]

`auto_schedule` (the model alone) and NumPy take turns on one thread, with the call from Python;
results are arrays that stay. Set OPENBLAS_CORETYPE=SkylakeX where OpenBLAS takes the processor for
an older one. The limit is the longer of two probes: multiply-adds, and reading as many bytes as the
arrays have.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import measuring  # before NumPy, which reads the number of its threads when it is loaded
import numpy as np
import solway as sw
from measuring import (
    Candidate,
    aligned,
    of_call,
    parser_of_cases,
    probe,
    read_probe,
)

Values = np.ndarray


class Case(NamedTuple):
    """What is computed of arrays of these shapes, in place in NumPy, and its operations."""

    make: Callable[..., sw.Tensor]
    shapes: list[tuple[int, ...]]
    peer: Callable[..., object]
    flops: float


def product(rows: int, columns: int, depth: int, turned: bool = False) -> Case:
    """A B; with `turned` A^T B, whose terms are each of another row of A."""
    k = sw.reduce_axis(depth, name="k")

    def make(a: sw.Tensor, b: sw.Tensor) -> sw.Tensor:
        return sw.compute(
            (rows, columns),
            lambda i, j: sw.sum((a[k, i] if turned else a[i, k]) * b[k, j], axis=k),
            name="C",
        )

    def peer(a: Values, b: Values, c: Values) -> object:
        return np.matmul(a.T if turned else a, b, out=c)

    shapes = [(depth, rows) if turned else (rows, depth), (depth, columns)]
    return Case(make, shapes, peer, 2.0 * rows * columns * depth)


def softmax_of_columns(rows: int, columns: int) -> Case:
    """With an array as large as the result between two stages."""
    i, n = sw.reduce_axis(rows, name="i"), sw.reduce_axis(rows, name="n")

    def make(x: sw.Tensor) -> sw.Tensor:
        most = sw.compute((columns,), lambda c: sw.max(x[i, c], axis=i), name="M")
        e = sw.compute((rows, columns), lambda r, c: sw.exp(x[r, c] - most[c]), name="E")
        total = sw.compute((columns,), lambda c: sw.sum(e[n, c], axis=n), name="T")
        return sw.compute((rows, columns), lambda r, c: e[r, c] / total[c], name="C")

    def peer(x: Values, c: Values) -> object:
        np.exp(np.subtract(x, x.max(0), out=c), out=c)
        return np.divide(c, c.sum(0), out=c)

    return Case(make, [(rows, columns)], peer, 0.0)


CASES: dict[str, Case] = {
    "A B, 1024 x 1024 x 1024": product(1024, 1024, 1024),
    "A^T B, 1024 x 1024 x 1024": product(1024, 1024, 1024, turned=True),
    "A B, 768 x 768 x 2048": product(768, 768, 2048),
    "A^T B, 768 x 768 x 2048": product(768, 768, 2048, turned=True),
    "A B, 2000 x 200 x 2000": product(2000, 200, 2000),
    "A^T B, 2000 x 200 x 2000": product(2000, 200, 2000, turned=True),
    "A B, 32 x 1024 x 4096": product(32, 1024, 4096),
    "A B, 1 x 4096 x 4096": product(1, 4096, 4096),
    "A B, 4096 x 4096 x 4096": product(4096, 4096, 4096),
    "softmax of columns, 4096 x 4096": softmax_of_columns(4096, 4096),
}


def candidates_of(case: Case) -> dict[str, Candidate]:
    """Probes, solway and NumPy, whose values are compared before."""
    rng = np.random.default_rng(0)
    arrays = [aligned(rng.integers(-3, 4, shape).astype("float32")) for shape in case.shapes]
    inputs = [
        sw.placeholder(array.shape, name=name) for array, name in zip(arrays, "AB", strict=False)
    ]
    kernel = sw.build(case.make(*inputs))
    ours = aligned(kernel.run(*arrays, threads=1))
    theirs = np.empty_like(ours)
    case.peer(*arrays, theirs)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
    count = (sum(a.nbytes for a in arrays) + ours.nbytes) // 4
    return {
        "fma": probe(),
        "read": read_probe(count),
        "solway": of_call(partial(kernel, *arrays, ours, threads=1)),
        "NumPy": of_call(partial(case.peer, *arrays, theirs)),
    }


def main() -> None:
    """Measures what the command line asks for."""
    parser = parser_of_cases(__doc__)
    parser.set_defaults(rounds=10)
    measuring.compare_two(parser.parse_args(), CASES, candidates_of, ("solway", "NumPy"))


if __name__ == "__main__":
    main()
