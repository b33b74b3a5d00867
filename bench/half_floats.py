"""What 16-bit storage costs, or saves: kernels of float16 and bfloat16 beside those of float32.

Arithmetic is in float32; all have the schedule that `auto_schedule` takes without a search, for the
processor ("host") and for x86-64-v3. The kernels of one kind take turns.

    python bench/half_floats.py [--only TEXT ...] [--rounds 20]
"""

from __future__ import annotations

from collections.abc import Callable

from dot_products import stored
from measuring import Candidate, measure, of_kernel, parser_of_cases

import numpy as np  # isort: skip (after measuring, which sets the number of its threads)
import solway as sw

TYPES = ("float32", "float16", "bfloat16")
TARGETS = ("host", "x86-64-v3")
Tensors = tuple[sw.Tensor, ...]


def wide(e: sw.Expr) -> sw.Expr:
    """As float32."""
    return sw.cast(e, "float32")


def elementwise(dtype: str) -> Tensors:
    """X Y + 1.5 of 4 M numbers, stored as `dtype`."""
    X, Y = (sw.placeholder((1 << 22,), dtype, name=name) for name in "XY")
    value = lambda i: sw.cast(wide(X[i]) * wide(Y[i]) + 1.5, dtype)  # noqa: E731
    return X, Y, sw.compute(X.shape, value, name="Z")


def matrix_times_vector(dtype: str) -> Tensors:
    """4096 x 4096, the result in float32."""
    A, B = sw.placeholder((4096, 4096), dtype, name="A"), sw.placeholder((4096,), dtype, name="B")
    k = sw.reduce_axis(4096, name="k")
    value = lambda i: sw.sum(wide(A[i, k]) * wide(B[k]), axis=k)  # noqa: E731
    return A, B, sw.compute((4096,), value, name="C")


def softmax(dtype: str) -> Tensors:
    """1536 rows of 128, stored as `dtype`."""
    rows, columns = 1536, 128
    X = sw.placeholder((rows, columns), dtype, name="X")
    k, t = sw.reduce_axis(columns, name="k"), sw.reduce_axis(columns, name="t")
    most = sw.compute((rows,), lambda i: sw.max(wide(X[i, k]), axis=k), name="M")
    part = sw.compute((rows, columns), lambda i, j: sw.exp(wide(X[i, j]) - most[i]), name="E")
    total = sw.compute((rows,), lambda i: sw.sum(part[i, t], axis=t), name="S")
    value = lambda i, j: sw.cast(part[i, j] / total[i], dtype)  # noqa: E731
    return X, sw.compute((rows, columns), value, name="Y")


def convolution(dtype: str) -> Tensors:
    """3 x 3 taps, 128 channels to 128, 28 x 28, the result in float32."""
    size, channels = 28, 128
    X = sw.placeholder((size + 2, size + 2, channels), dtype, name="X")
    W = sw.placeholder((3, 3, channels, channels), dtype, name="W")
    u, v = sw.reduce_axis(3, name="u"), sw.reduce_axis(3, name="v")
    c = sw.reduce_axis(channels, name="c")

    def value(y: sw.Axis, x: sw.Axis, f: sw.Axis) -> sw.Expr:
        return sw.sum(wide(X[y + u, x + v, c]) * wide(W[u, v, c, f]), axis=[u, v, c])

    return X, W, sw.compute((size, size, channels), value, name="Y")


KINDS: dict[str, Callable[[str], Tensors]] = {
    "x y + 1.5 of 4 M": elementwise,
    "matrix of 4096 x 4096 times a vector": matrix_times_vector,
    "softmax, 1536 x 128": softmax,
    "convolution 3 x 3, 128 to 128, 28 x 28": convolution,
}


def of_type(make: Callable[[str], Tensors], dtype: str, target: str) -> Candidate:
    """Seconds of the planned kernel."""
    tensors = make(dtype)
    schedule = sw.create_schedule(tensors[-1])
    schedule.auto_schedule(target, search=False)
    kernel = sw.build(schedule, tensors, target=target)
    rng = np.random.default_rng(0)
    arrays = [stored(rng.standard_normal(t.shape), t._node.dtype) for t in tensors]
    return of_kernel(kernel, *arrays)


def main() -> None:
    """Measures, and prints a table per kind."""
    args = parser_of_cases(__doc__).parse_args()
    for name, make in KINDS.items():
        if not any(text in name for text in args.only):
            continue
        print(name)
        candidates = {f"{t}, {d}": of_type(make, d, t) for t in TARGETS for d in TYPES}
        seconds = measure(candidates, {}, args.rounds)
        for target in TARGETS:
            of_float32 = min(seconds[f"{target}, float32"])
            ratios = [f"{d} {min(seconds[f'{target}, {d}']) / of_float32:.2f}" for d in TYPES[1:]]
            print(f"  {target}, of the time of float32: {', '.join(ratios)}")


if __name__ == "__main__":
    main()
