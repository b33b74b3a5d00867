"""Operators as programs write them at first, in plain layouts and without a schedule.

    python bench/plain_layouts.py [--only TEXT ...] [--rounds 20] [--search]

Each is scheduled by `auto_schedule` (by the model alone, or with `--search` by its measured search)
and takes turns with PyTorch's eager operators where these are installed
(`bench/cpu/requirements.txt`), on one thread, with what both need in caches. Results are compared
with NumPy's of float64 before anything is timed. The limit is the longer of two probes:
multiply-adds, and reading as many bytes as the arrays have. docs/cpu_schedules.md has the figures.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import solway as sw
from measuring import PROBE_FLOPS, Candidate, aligned, probe, read_probe, run_in_turns
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


CASES: dict[str, Callable[[], Case]] = {
    "turned, 1024 x 1024": lambda: turned(1024, 1024),
    "turned, 700 x 1000": lambda: turned(700, 1000),
    "NCHW to NHWC, 64 of 56 x 56": lambda: channels_last(64, 56),
    "border of zeros, 64 of 56 x 56": lambda: framed(64, 56),
    "side by side, 3136 x 64 twice": lambda: beside(3136, 64),
    "the last first, 1 M": lambda: reversed_order(1 << 20),
    "largest of 2 x 2, 64 of 56 x 56": lambda: pooled(64, 56),
    "variance of columns, 1024 x 256": lambda: spread_of_columns(1024, 256),
    "layer, 4 x 1024 to 4096": lambda: layer(4, 4096, 1024),
    "layer, 64 x 512 to 512": lambda: layer(64, 512, 512),
    "3 x 3, NCHW, 64 to 64, 56 x 56": lambda: convolution(64, 64, 56, 3, 1),
    "3 x 3, NHWC, 64 to 64, 56 x 56": lambda: convolution(64, 64, 56, 3, 1, last=True),
    "3 x 3 / 2, NCHW, 64 to 128, 56 x 56": lambda: convolution(64, 128, 56, 3, 2),
    "3 x 3, NCHW, 512 to 512, 7 x 7": lambda: convolution(512, 512, 7, 3, 1),
    "7 x 7 / 2, NCHW, 3 to 64, 224 x 224": lambda: convolution(3, 64, 224, 7, 2),
    "3 x 3, NCHW, 128 in 32 groups, 28 x 28": lambda: convolution(128, 128, 28, 3, 1, 32),
    "3 x 3 each channel, NCHW, 32, 56 x 56": lambda: convolution(32, 32, 56, 3, 1, 32),
    "3 x 3 / 2 each channel, NCHW, 144, 56 x 56": lambda: convolution(144, 144, 56, 3, 2, 144),
    "5 x 5 each channel, NCHW, 240, 14 x 14": lambda: convolution(240, 240, 14, 5, 1, 240),
    "attention, 4 of 200 x 80": lambda: attention(4, 200, 80, causal=False),
    "attention, causal, 12 of 256 x 64": lambda: attention(12, 256, 64, causal=True),
    "attention, causal, 12 of 1024 x 64": lambda: attention(12, 1024, 64, causal=True),
}


def of(call: Callable[[], object]) -> Candidate:
    """Seconds of a call, by the wall clock."""

    def run() -> float:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    return run


def candidates_of(case: Case, search: bool) -> dict[str, Candidate]:
    """Probes, solway, and PyTorch where it is there; values are compared before."""
    rng = np.random.default_rng(0)
    arrays = [aligned(rng.integers(-3, 4, t.shape)) for t in case.inputs]
    out = aligned(np.zeros(case.output.shape))
    schedule = sw.create_schedule(case.output)
    schedule.auto_schedule("host", search=search)
    kernel = sw.build(schedule, [*case.inputs, case.output])
    kernel(*arrays, out)
    expected = case.reference(*(a.astype("float64") for a in arrays))
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-4)
    count = sum(a.size for a in arrays) + out.size
    found: dict[str, Candidate] = {"fma": probe(), "read": read_probe(count)}
    found["solway"] = of(lambda: kernel(*arrays, out))
    if torch is not None:
        given = [torch.from_numpy(a) for a in arrays]
        np.testing.assert_allclose(case.peer(*given).numpy(), expected, rtol=1e-4, atol=1e-4)
        found["torch"] = of(lambda: case.peer(*given))
    return found


def main() -> None:
    """Measures what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--only", nargs="+", default=[""], help="cases whose name holds one of these"
    )
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--search", action="store_true", help="with the measured search")
    given = parser.parse_args()
    if torch is None:
        print("without PyTorch, which is not installed")
    else:
        torch.set_num_threads(1)
    print(f"{'least and median us':44} {'limit':>8} {'solway':>17} {'torch':>17}  ratios")
    most_of_others = 0.0
    for name, make in CASES.items():
        if not any(text in name for text in given.only):
            continue
        case = make()
        seconds, others = run_in_turns(candidates_of(case, given.search), given.rounds, warm=2)
        most_of_others = max(most_of_others, others)
        limit = max(min(seconds["fma"]) * case.flops / PROBE_FLOPS, min(seconds["read"]))
        line = f"{name:44} {limit * 1e6:8.1f}"
        for who in ("solway", "torch"):
            if who in seconds:
                low, middle = min(seconds[who]), float(np.median(seconds[who]))
                line += f" {low * 1e6:8.1f} {middle * 1e6:8.1f}"
        if "torch" in seconds:
            least = min(seconds["torch"]) / min(seconds["solway"])
            usual = float(np.median(seconds["torch"]) / np.median(seconds["solway"]))
            line += f"  {least:.2f} ({usual:.2f})"
        print(line, flush=True)
    print(f"other processes: at most {most_of_others:.2f} cores")


if __name__ == "__main__":
    main()
