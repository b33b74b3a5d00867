"""Float32 matrix products on this machine, tiled for registers by schedule primitives alone.

Every candidate keeps a tile of C in registers while k runs: rows that are unrolled, and columns
that are vectors of 16. "packed" takes B as it lies best, in columns of 16, as weights would be
kept; "plain" takes rows, and copies the columns of a tile to panels before they are used. The limit
is the peak of fused multiply-adds that a probe measures in the same run; NumPy's product, OpenBLAS
on one thread, takes turns with them.

    python bench/gemm_host.py [--shape 1024x1024x1024 ...] [--rounds 20]
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

LANES = 16
SHAPES = ("1024x1024x1024", "512x784x4608")
TILES = ((4, 4), (8, 3))  # rows, and vectors of a row


def product(
    shape: tuple[int, int, int], rows: int, vectors: int, block: int, *, is_packed: bool
) -> sw.Kernel:
    """C = A B of m x n x k, with `rows` x `vectors` vectors of C in registers for `block` of k."""
    m, n, depth = shape
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((n // LANES, depth, LANES) if is_packed else (depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")

    def value(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        b = B[j // LANES, k, j % LANES] if is_packed else B[k, j]
        return sw.sum(A[i, k] * b, axis=k)

    C = sw.compute((m, n), value, name="C")
    s = sw.create_schedule(C)
    ko, ki = s[C].split(k, factor=block)
    io, ii = s[C].split("i", factor=rows)
    j, ji = s[C].split("j", factor=LANES)
    jo, jv = s[C].split(j, factor=vectors, tail="cut")
    s[C].reorder(ko, jo, io, ki, ii, jv, ji)
    s[C].unroll(ii)
    s[C].unroll(jv)
    s[C].vectorize(ji)
    if not is_packed:
        s.buffer_read(B, [jv, ki, ji])
    s.buffer_write(C, at=io, scope="register")
    name = f"gemm_{rows}x{vectors}_{'packed' if is_packed else 'plain'}"
    return sw.build(s, [A, B, C], target="host", name=name)


def of_numpy(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> Candidate:
    """Seconds of NumPy's product on one thread."""

    def run() -> float:
        start = time.perf_counter()
        np.matmul(a, b, out=out)
        return time.perf_counter() - start

    return run


def main() -> None:
    """Measures, and prints a table per shape."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shape", nargs="*", default=SHAPES, help="m x n x k; n in whole vectors")
    parser.add_argument("--rounds", type=int, default=20, help="times of each candidate")
    args = parser.parse_args()

    rng = np.random.default_rng(0)
    for text in args.shape:
        m, n, depth = shape = tuple(map(int, text.split("x")))
        a, b = aligned(rng.integers(-4, 5, (m, depth))), aligned(rng.integers(-4, 5, (depth, n)))
        c = aligned(a @ b)
        columns = aligned(b.reshape(depth, n // LANES, LANES).transpose(1, 0, 2))
        candidates: dict[str, Candidate] = {"fma probe": probe()}
        for rows, vectors in TILES:
            for is_packed in (True, False):
                kernel = product(shape, rows, vectors, min(depth, 1152), is_packed=is_packed)
                right = columns if is_packed else b
                name = f"{rows}x{vectors * LANES}, {'packed' if is_packed else 'plain'}"
                if not np.array_equal(kernel.run(a, right), c):
                    raise SystemExit(f"{text} {name}: wrong result")
                spills = stack_accesses(kernel)
                name += f", {spills} spills" if spills else ""
                candidates[name] = of_kernel(kernel, a, right, c)
        candidates["numpy"] = of_numpy(a, b, c)
        print(f"{text} on one core")
        limit = [Limit("fma probe", 2.0 * m * n * depth / PROBE_FLOPS)]
        measure(candidates, dict.fromkeys(list(candidates)[1:], limit), args.rounds)


if __name__ == "__main__":
    main()
