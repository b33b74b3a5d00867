"""Kernels on one and more threads: what starting a team costs, products, and layers.

    PYTHONPATH=python python bench/threads.py [THREADS]

The numbers of threads take turns in one process with probes of multiply-adds and of memory on as
many threads, so that what else happens on the machine meets all of them. Times are minima and
medians; the limit is the longer of both probes'. On a machine where other work runs, a team waits
for the core that somebody else has: look at the minima.
"""

from __future__ import annotations

import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent / "cpu"))

import numpy as np
import solway as sw
from layers import GROUPS
from measuring import PROBE_FLOPS, Candidate, aligned, probe, read_probe
from programs import program
from solway import _core

LAYERS = [
    ("dense", "ResNet: 64 to 64, 56 x 56"),
    ("dense", "ResNet: 128 to 128, 28 x 28"),
    ("other", "1 x 1, 64 to 256, 56 x 56"),
    ("depthwise", "3 x 3, 32, 112 x 112"),
    ("connected", "AlexNet 7: 4096 x 4096"),
    ("memory", "softmax, 1536 x 128"),
    ("memory", "GELU, 128 x 3072"),
    ("attention", "128 rows"),
]
SECONDS = 4
CALLS = 3  # of which the last one counts


class Timed(NamedTuple):
    """A kernel with its arrays, the result last, and what it does."""

    kernel: sw.Kernel
    arrays: list[np.ndarray]
    operations: float


def product(n: int) -> Timed:
    """A product of matrices, packed by nobody."""
    A = sw.placeholder((n, n), name="A")
    B = sw.placeholder((n, n), name="B")
    k = sw.reduce_axis((0, n), name="k")
    C = sw.compute((n, n), lambda y, x: sw.sum(A[y, k] * B[k, x], axis=k), name="C")
    kernel = sw.build(C, [A, B, C], name="product", search=False)
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal((n, n)).astype("float32") for _ in range(2)]
    return Timed(kernel, [*arrays, np.zeros((n, n), "float32")], 2.0 * n**3)


def layer(group: str, name: str) -> Timed:
    """One of bench/cpu, in the layout that solway has there."""
    operation = GROUPS[group].layers[name]
    made = program(operation)
    kernel = sw.build(made.output, [*made.inputs, made.output], search=False)
    arrays = [aligned(np.ascontiguousarray(a)) for a in made.packed(operation.numbers())]
    return Timed(kernel, [*arrays, aligned(np.zeros(made.output.shape))], operation.operations)


def seconds(kernel: sw.Kernel, arrays: list[np.ndarray], threads: int) -> float:
    """The time of a call among others on as many threads, whose workers are awake."""
    for _ in range(CALLS):
        kernel(*arrays, threads=threads)
    assert kernel.last_run is not None
    return kernel.last_run.seconds


def at_once(candidates: list[Candidate]) -> Candidate:
    """Seconds of the slowest of them, each on a thread of its own."""
    pool = ThreadPoolExecutor(len(candidates))
    return lambda: max(pool.map(lambda run: run(), candidates))


def compare(name: str, timed: Timed, counts: list[int]) -> None:
    """Prints a line per number of threads."""
    kernel, arrays, operations = timed
    numbers = sum(array.size for array in arrays)
    outputs = []
    runs: dict[tuple[str, int], Candidate] = {}
    for count in counts:  # the first call makes the threads
        seconds(kernel, arrays, count)
        outputs.append(arrays[-1].copy())
        runs["kernel", count] = lambda count=count: seconds(kernel, arrays, count)
        runs["multiply-adds", count] = at_once([probe() for _ in range(count)])
        runs["memory", count] = at_once([read_probe(numbers // count) for _ in range(count)])
    assert all(np.array_equal(outputs[0], other) for other in outputs), "results differ"
    times: dict[tuple[str, int], list[float]] = {key: [] for key in runs}
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for key, run in runs.items():
            times[key].append(run())
    for count in counts:
        least, middle = min(times["kernel", count]), statistics.median(times["kernel", count])
        arithmetic = min(times["multiply-adds", count]) * operations / (PROBE_FLOPS * count)
        limit = max(arithmetic, min(times["memory", count]))
        gain = min(times["kernel", counts[0]]) / least
        print(
            f"{name:28} {count:2} threads  min {least * 1e6:9.1f} us  median {middle * 1e6:9.1f} us"
            f"  {limit / least:4.0%} of the limit by"
            f" {'multiply-adds' if limit == arithmetic else 'memory'}  x{gain:.2f}"
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
    compare("product, 1024 x 1024 x 1024", product(1024), counts)
    compare("product, 256 x 256 x 256", product(256), counts)
    for group, name in LAYERS:
        compare(name, layer(group, name), counts)


if __name__ == "__main__":
    main()
