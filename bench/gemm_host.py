"""A float32 matrix product on this machine, tiled for registers by schedule primitives alone.

Every candidate keeps a tile of C in registers while k runs: the rows of the tile are unrolled, its
columns are vectors. A probe measures what fused multiply-adds reach on one core in the same run;
candidates and probe take turns, so that what else happens on the machine meets all of them.

    python bench/gemm_host.py [--size 256] [--rounds 20] [--tile 6x64 ...]
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is loaded

import numpy as np
import solway as sw

TILES = ("4x64", "6x64", "8x48", "12x32")

# Independent chains hide the latency; the count of operations is what `probe` says below.
PROBE = r"""
#define CHAINS 12
typedef float vec __attribute__((vector_size(64)));
float fma_probe(long steps) {
  vec a[CHAINS], x, y;
  for (int l = 0; l < 16; ++l) x[l] = 0.999f, y[l] = 1e-3f;
  for (int c = 0; c < CHAINS; ++c) a[c] = x * (float)c;
  for (long n = 0; n < steps; ++n) {
#pragma GCC unroll 12
    for (int c = 0; c < CHAINS; ++c) a[c] = a[c] * x + y;
  }
  float sum = 0;
  for (int c = 0; c < CHAINS; ++c) sum += a[c][0];
  return sum;
}
"""
PROBE_STEPS = 200_000
PROBE_FLOPS = PROBE_STEPS * 12 * 16 * 2

Candidate = Callable[[], float]


def probe() -> Candidate:
    """Seconds for PROBE_FLOPS operations, compiled by this machine's C compiler."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "probe.c"), Path(folder, "probe.so")
        source.write_text(PROBE)
        flags = ["-O3", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC"]
        subprocess.run(["cc", *flags, str(source), "-o", str(library)], check=True)
        function = ctypes.CDLL(str(library)).fma_probe
    function.argtypes, function.restype = [ctypes.c_long], ctypes.c_float

    def run() -> float:
        start = time.perf_counter()
        function(PROBE_STEPS)
        return time.perf_counter() - start

    return run


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


def stack_accesses(kernel: sw.Kernel) -> int:
    """Instructions of the kernel that move a vector register to or from the stack."""
    lines = "".join(text for name, text in kernel.source.items() if name.endswith(".s")).split("\n")
    return sum("mm" in line and "(%rsp" in line for line in lines)


def busy_ticks() -> tuple[int, int]:
    """Ticks that this machine's cores, and this process, have spent running."""
    user, nice, system = map(int, Path("/proc/stat").read_text().split()[1:4])
    own = time.process_time() * os.sysconf("SC_CLK_TCK")
    return user + nice + system, round(own)


def of_kernel(kernel: sw.Kernel, a: np.ndarray, b: np.ndarray) -> Candidate:
    """Seconds of one call, as the kernel itself takes them."""

    def run() -> float:
        kernel.run(a, b)
        assert kernel.last_run is not None
        return kernel.last_run.seconds

    return run


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
    a = rng.integers(-4, 5, (args.size, args.size)).astype(np.float32)
    b = rng.integers(-4, 5, (args.size, args.size)).astype(np.float32)
    flops = {"fma probe": float(PROBE_FLOPS)}
    candidates: dict[str, Candidate] = {"fma probe": probe()}
    spills: dict[str, int] = {}
    for tile in args.tile:
        rows, columns = map(int, tile.split("x"))
        kernel = product(args.size, rows, columns)
        if not np.array_equal(kernel.run(a, b), a @ b):
            raise SystemExit(f"{tile}: wrong result")
        candidates[tile] = of_kernel(kernel, a, b)
        spills[tile] = stack_accesses(kernel)
    candidates["numpy"] = of_numpy(a, b)

    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    total, own = busy_ticks()
    start = time.perf_counter()
    for _ in range(args.rounds):
        for name, run in candidates.items():
            seconds[name].append(run())
    elapsed = (time.perf_counter() - start) * os.sysconf("SC_CLK_TCK")
    others = (busy_ticks()[0] - total) - (busy_ticks()[1] - own)
    share = max(0.0, others / elapsed)
    verdict = "idle" if share < 0.1 else "NOT idle: take the ratios, not the rates"
    print(f"other processes: {share:.2f} cores of {os.cpu_count()} ({verdict})")

    product_flops = 2.0 * args.size**3
    peak = PROBE_FLOPS / min(seconds["fma probe"])
    print(f"{'':12} {'min us':>9} {'median us':>10} {'GFLOP/s':>8} {'of peak':>8} {'spills':>7}")
    for name, times in seconds.items():
        rate = flops.get(name, product_flops) / min(times)
        print(
            f"{name:12} {min(times) * 1e6:9.1f} {np.median(times) * 1e6:10.1f} "
            f"{rate / 1e9:8.1f} {rate / peak:8.1%} {spills.get(name, ''):>7}"
        )


if __name__ == "__main__":
    main()
