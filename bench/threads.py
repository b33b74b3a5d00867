"""Kernels on one and more threads: what starting a team costs, a product and a convolution.

    PYTHONPATH=python python bench/threads.py [THREADS]

The numbers of threads take turns in one process, so that what else happens on the machine meets
all of them. Times are minima and medians. On a machine where other work runs, a team waits for the
core that somebody else has: look at the minima.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import solway as sw
from solway import _core


def product(n: int) -> tuple[sw.Kernel, list[np.ndarray], float]:
    """A product of matrices; its arrays and operations."""
    A = sw.placeholder((n, n), name="A")
    B = sw.placeholder((n, n), name="B")
    k = sw.reduce_axis((0, n), name="k")
    C = sw.compute((n, n), lambda y, x: sw.sum(A[y, k] * B[k, x], axis=k), name="C")
    kernel = sw.build(C, [A, B, C], name="product", search=False)
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal((n, n)).astype("float32") for _ in range(2)]
    return kernel, [*arrays, np.zeros((n, n), "float32")], 2.0 * n**3


def convolution(channels: int, extent: int) -> tuple[sw.Kernel, list[np.ndarray], float]:
    """3 x 3 taps on an image with a border, channels last."""
    X = sw.placeholder((extent + 2, extent + 2, channels), name="X")
    W = sw.placeholder((3, 3, channels, channels), name="W")
    r, s = sw.reduce_axis((0, 3), name="r"), sw.reduce_axis((0, 3), name="s")
    c = sw.reduce_axis((0, channels), name="c")
    Y = sw.compute(
        (extent, extent, channels),
        lambda y, x, o: sw.sum(X[y + r, x + s, c] * W[r, s, c, o], axis=[r, s, c]),
        name="Y",
    )
    kernel = sw.build(Y, [X, W, Y], name="convolution", search=False)
    rng = np.random.default_rng(2)
    arrays = [rng.standard_normal(t.shape).astype("float32") for t in (X, W)]
    operations = 2.0 * extent**2 * channels**2 * 9
    return kernel, [*arrays, np.zeros(Y.shape, "float32")], operations


def seconds(kernel: sw.Kernel, arrays: list[np.ndarray], threads: int) -> float:
    """The time of one call."""
    kernel(*arrays, threads=threads)
    assert kernel.last_run is not None
    return kernel.last_run.seconds


def compare(
    name: str, make: Callable[[], tuple[sw.Kernel, list[np.ndarray], float]], counts: list[int]
) -> None:
    """Prints a line per number of threads."""
    kernel, arrays, operations = make()
    outputs = []
    times: dict[int, list[float]] = {count: [] for count in counts}
    for count in counts:  # the first call makes the threads
        seconds(kernel, arrays, count)
        outputs.append(arrays[-1].copy())
    assert all(np.array_equal(outputs[0], other) for other in outputs), "results differ"
    end = time.monotonic() + 8
    while time.monotonic() < end:
        for count in counts:
            times[count].append(seconds(kernel, arrays, count))
    for count in counts:
        least, middle = min(times[count]), statistics.median(times[count])
        rate = operations / least / 1e9
        gain = min(times[counts[0]]) / least
        print(
            f"{name:24} {count:2} threads  min {least * 1e3:8.3f} ms"
            f" {rate:7.1f} GF/s  median {middle * 1e3:8.3f} ms  x{gain:.2f}"
        )


def main() -> None:
    """Prints the table."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    counts = sorted({1, *range(2, most + 1)})
    for count in counts[1:]:
        least, middle = _core.fork_join_seconds(count, 20000)
        print(f"fork and join of {count}: min {least * 1e9:.0f} ns, median {middle * 1e9:.0f} ns")
        least, middle = _core.barrier_seconds(count, 20000)
        print(f"barrier of {count}: min {least * 1e9:.0f} ns, median {middle * 1e9:.0f} ns")
    compare("product 1024^3", lambda: product(1024), counts)
    compare("product 256^3", lambda: product(256), counts)
    compare("convolution 64 @ 56", lambda: convolution(64, 56), counts)
    compare("convolution 128 @ 28", lambda: convolution(128, 28), counts)


if __name__ == "__main__":
    main()
