"""Direct 3x3 convolutions and a depthwise one on this machine, by schedule primitives alone.

The limit is the peak of fused multiply-adds that a probe measures in the same run; for the
depthwise ones also the time to copy as many bytes, where that is longer.

    python bench/convolution_host.py [--rounds 100]
"""

from __future__ import annotations

import argparse
import time

from measuring import (
    PROBE_FLOPS,
    Candidate,
    Limit,
    aligned,
    measure,
    of_kernel,
    probe,
    stack_accesses,
)

import numpy as np  # isort: skip (after measuring, which sets the number of its threads)
import solway as sw


def convolution(channels: int, filters: int, size: int, pixels: int) -> sw.Kernel:
    """3x3, stride 1, padded input: `pixels` x 32 filters of the result stay in registers."""
    A = sw.placeholder((channels // 16, size + 2, size + 2, 16), name="A")
    W = sw.placeholder((filters // 32, channels // 16, 3, 3, 16, 32), name="W")
    co, ci = sw.reduce_axis(channels // 16, name="co"), sw.reduce_axis(16, name="ci")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    C = sw.compute(
        (filters // 32, size, size, 32),
        lambda f, y, x, v: sw.sum(
            A[co, y + r, x + q, ci] * W[f, co, r, q, ci, v], axis=(co, r, q, ci)
        ),
        name="C",
    )
    s = sw.create_schedule(C)
    xo, xi = s[C].split("x", factor=pixels)
    s[C].reorder(xo, co, r, q, ci, xi, "v")
    s[C].unroll(xi)
    s[C].vectorize("v")
    s.buffer_write(C, at=xo, scope="register")
    return sw.build(s, [A, W, C], target="host", name=f"conv_{channels}_{size}")


def depthwise(channels: int, size: int, pixels: int, rows: int) -> sw.Kernel:
    """3x3, stride 1, padded input, channels in lanes: `rows` x `pixels` results in registers."""
    A = sw.placeholder((channels // 16, size + 2, size + 2, 16), name="A")
    W = sw.placeholder((channels // 16, 3, 3, 16), name="W")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    D = sw.compute(
        (channels // 16, size, size, 16),
        lambda c, y, x, v: sw.sum(A[c, y + r, x + q, v] * W[c, r, q, v], axis=(r, q)),
        name="D",
    )
    s = sw.create_schedule(D)
    yo, yi = s[D].split("y", factor=rows)
    xo, xi = s[D].split("x", factor=pixels)
    s[D].reorder(yo, xo, r, q, yi, xi, "v")
    for loop in (r, q, yi, xi):
        s[D].unroll(loop)
    s[D].vectorize("v")
    s.buffer_write(D, at=xo, scope="register")
    return sw.build(s, [A, W, D], target="host", name=f"depthwise_{channels}_{size}")


def arrays(channels: int, size: int, weights: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """An input with its border, and weights, of small whole numbers."""
    rng = np.random.default_rng(0)
    a = rng.integers(-2, 3, (channels // 16, size + 2, size + 2, 16))
    return aligned(a), aligned(rng.integers(-2, 3, weights))


def expected(a: np.ndarray, w: np.ndarray, size: int) -> np.ndarray:
    """The result by NumPy; the weights of a depthwise convolution have four dimensions."""
    out: np.ndarray | float = 0.0
    for r in range(3):
        for q in range(3):
            part = a[:, r : r + size, q : q + size, :]
            if w.ndim == 4:
                out = out + part * w[:, None, None, r, q, :]
            else:
                out = out + np.einsum("cyxi,fciv->fyxv", part, w[:, :, r, q])
    return np.asarray(out)


def copy(elements: int) -> Candidate:
    """Seconds to read an array and to write another one, by the C library."""
    source, destination = (aligned(np.ones(elements)) for _ in range(2))

    def run() -> float:
        start = time.perf_counter()
        np.copyto(destination, source)
        return time.perf_counter() - start

    return run


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=100, help="times of each candidate")
    args = parser.parse_args()

    candidates: dict[str, Candidate] = {"fma probe": probe()}
    limits: dict[str, list[Limit]] = {}

    def add(
        name: str, kernel: sw.Kernel, a: np.ndarray, w: np.ndarray, size: int, flops: float
    ) -> None:
        c = aligned(expected(a, w, size))
        if not np.array_equal(kernel.run(a, w), c):
            raise SystemExit(f"{name}: wrong result")
        spills = stack_accesses(kernel)
        name += f", {spills} spills" if spills else ""
        candidates[name] = of_kernel(kernel, a, w, c)
        limits[name] = [Limit("fma probe", flops / PROBE_FLOPS)]
        if w.ndim == 4:  # little arithmetic for what is read and written
            copied = f"copy of {c.nbytes >> 10} KiB"
            candidates.setdefault(copied, copy(c.size))
            limits[name].append(Limit(copied, (a.nbytes + c.nbytes) / (2 * c.nbytes)))

    for channels, filters, size in ((256, 256, 14), (64, 64, 56)):
        a, w = arrays(channels, size, (filters // 32, channels // 16, 3, 3, 16, 32))
        flops = 2.0 * channels * filters * 9 * size * size
        kernel = convolution(channels, filters, size, 14)
        add(f"{channels}->{filters} @ {size}", kernel, a, w, size, flops)
    for channels, size in ((144, 56), (384, 14)):
        a, w = arrays(channels, size, (channels // 16, 3, 3, 16))
        for pixels, rows in ((14, 1), (7, 2), (7, 3)):
            kernel = depthwise(channels, size, pixels, rows)
            name = f"depthwise {channels} @ {size} {rows}x{pixels}"
            add(name, kernel, a, w, size, 2.0 * channels * 9 * size * size)
    measure(candidates, limits, args.rounds)


if __name__ == "__main__":
    main()
