"""A float32 matrix product on this machine, tiled for registers by schedule primitives alone.

Every candidate keeps a tile of C in registers while k runs: the rows of the tile are unrolled, its
columns are vectors. A probe measures what fused multiply-adds reach on one core in the same run;
candidates and probe take turns, so that what else happens on the machine meets all of them.

    python bench/gemm_host.py [--size 256] [--rounds 20] [--tile 6x64 ...]
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

TILES = ("4x64", "6x64", "8x48", "12x32")


def product(size: int, rows: int, columns: int) -> sw.Kernel:
    """C = A B with `rows` x `columns` elements of C in registers."""
    A = sw.placeholder((size, size), name="A")
    B = sw.placeholder((size, size), name="B")
    k = sw.reduce_axis((0, size), name="k")
    C = sw.compute((size, size), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    io, ii = s[C].split("i", factor=rows)
    jo, ji = s[C].split("j", factor=columns)
    s[C].reorder(jo, io, k, ii, ji)
    s[C].unroll(ii)
    s[C].vectorize(ji)
    s.buffer_write(C, at=io, scope="register")
    return sw.build(s, [A, B, C], target="host", name=f"gemm_{rows}x{columns}")


def of_numpy(a: np.ndarray, b: np.ndarray) -> Candidate:
    """Seconds of NumPy's product on one thread."""
    out = np.empty((a.shape[0], b.shape[1]), np.float32)

    def run() -> float:
        start = time.perf_counter()
        np.matmul(a, b, out=out)
        return time.perf_counter() - start

    return run


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", type=int, default=256, help="of the square matrices")
    parser.add_argument("--rounds", type=int, default=20, help="times of each candidate")
    parser.add_argument("--tile", nargs="*", default=TILES, help="rows x columns in registers")
    args = parser.parse_args()

    rng = np.random.default_rng(0)
    a = aligned(rng.integers(-4, 5, (args.size, args.size)))
    b = aligned(rng.integers(-4, 5, (args.size, args.size)))
    c = aligned(a @ b)
    limit = Limit("fma probe", 2.0 * args.size**3 / PROBE_FLOPS)
    candidates: dict[str, Candidate] = {"fma probe": probe()}
    for tile in args.tile:
        rows, columns = map(int, tile.split("x"))
        kernel = product(args.size, rows, columns)
        if not np.array_equal(kernel.run(a, b), c):
            raise SystemExit(f"{tile}: wrong result")
        spills = stack_accesses(kernel)
        candidates[tile + (f", {spills} spills" if spills else "")] = of_kernel(kernel, a, b, c)
    candidates["numpy"] = of_numpy(a, b)
    measure(candidates, dict.fromkeys(list(candidates)[1:], limit), args.rounds)


if __name__ == "__main__":
    main()
