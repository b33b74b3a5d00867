"""Products of bytes, uint8 or int8 times int8 to int32, on this machine with VNNI.

B lies packed, 4 of its rows side by side: B[k // 4, j, k % 4]. "model" is the schedule that
`auto_schedule` takes without a search; "14 x 32" is one written by hand. The limit is the peak of
vpdpbusd that a probe measures in the same run. A product of float32 of the same size takes turns
with them, and oneDNN's product of bytes on one thread where its library is installed, which packs
its operands in each call.

    python bench/dot_products.py [--shape 256x256x256 ...] [--rounds 40]
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import os
import subprocess
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when oneDNN is loaded

from measuring import Candidate, Limit, measure, of_kernel

import numpy as np  # isort: skip (after measuring, which sets the number of its threads)
import solway as sw

SHAPES = ("256x256x256", "101x77x333")
ROWS, COLUMNS = 14, 32  # of the schedule that is written by hand
PROBE = r"""
#include <immintrin.h>
#define CHAINS 16
int dot_probe(long steps) {
  __m512i sum[CHAINS], x = _mm512_set1_epi32(0x7f017f01), y = _mm512_set1_epi32(0x01ff01ff);
  for (int c = 0; c < CHAINS; ++c) sum[c] = _mm512_set1_epi32(c);
  for (long n = 0; n < steps; ++n) {
#pragma GCC unroll 16
    for (int c = 0; c < CHAINS; ++c) sum[c] = _mm512_dpbusd_epi32(sum[c], x, y);
  }
  for (int c = 1; c < CHAINS; ++c) sum[0] = _mm512_add_epi32(sum[0], sum[c]);
  return _mm512_reduce_add_epi32(sum[0]);
}
"""
PROBE_STEPS = 20_000
PROBE_OPERATIONS = PROBE_STEPS * 16 * 64 * 2


def probe() -> Candidate:
    """Seconds for PROBE_OPERATIONS operations, compiled by this machine's C compiler."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "probe.c"), Path(folder, "probe.so")
        source.write_text(PROBE)
        flags = ["-O3", "-mavx512f", "-mavx512vnni", "-shared", "-fPIC"]
        subprocess.run(["cc", *flags, str(source), "-o", str(library)], check=True)
        function = ctypes.CDLL(str(library)).dot_probe
    function.argtypes = [ctypes.c_long]
    return timed(lambda: function(PROBE_STEPS))


def timed(run: object) -> Candidate:
    """Seconds of one call."""
    assert callable(run)

    def seconds() -> float:
        start = time.perf_counter()
        run()
        return time.perf_counter() - start

    return seconds


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy that begins at a cache line."""
    room = np.empty(array.nbytes + 64, np.uint8)
    begin = -room.ctypes.data % 64
    out = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    out[...] = array
    return out


def product(shape: tuple[int, int, int], a_type: str) -> tuple[sw.Tensor, ...]:
    """A, B and C = A B of m x n x k."""
    m, n, depth = shape
    A = sw.placeholder((m, depth), a_type, name="A")
    B = sw.placeholder((-(-depth // 4), n, 4), "int8", name="B")
    k = sw.reduce_axis(depth, name="k")

    def value(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        return sw.sum(sw.cast(A[i, k], "int32") * sw.cast(B[k // 4, j, k % 4], "int32"), axis=k)

    return A, B, sw.compute((m, n), value, name="C")


def by_hand(tensors: tuple[sw.Tensor, ...]) -> sw.Kernel:
    """ROWS x COLUMNS sums in registers."""
    C = tensors[-1]
    s = sw.create_schedule(C)
    ko, ki = s[C].split(C.reduce_axis[0], factor=4)
    io, ii = s[C].split(C.axis[0], factor=ROWS)
    jo, ji = s[C].split(C.axis[1], factor=COLUMNS)
    s[C].reorder(jo, io, ko, ii, ji, ki)
    s[C].unroll(ii)
    s[C].unroll(ki)
    s[C].vectorize(ji)
    s.buffer_write(C, at=io, scope="register")
    return sw.build(s, tensors)


def of_float32(shape: tuple[int, int, int]) -> Candidate:
    """Seconds of the product of float32 with the schedule that the model takes."""
    m, n, depth = shape
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    ones = [aligned(np.ones(t.shape, np.float32)) for t in (A, B, C)]
    return of_kernel(sw.build(C, [A, B, C], search=False), *ones)


def of_onednn(a: np.ndarray, b: np.ndarray, expected: np.ndarray) -> Candidate | None:
    """Seconds of dnnl_gemm_u8s8s32, or None where it is not installed."""
    name = ctypes.util.find_library("dnnl")
    if name is None:
        return None
    gemm = ctypes.CDLL(name).dnnl_gemm_u8s8s32
    (m, depth), n = a.shape, b.shape[1]
    out, zero = aligned(np.empty((m, n), np.int32)), np.zeros(1, np.int32)
    size, letter, real = ctypes.c_int64, ctypes.c_char, ctypes.c_float

    def run() -> None:
        status = gemm(
            letter(b"N"), letter(b"N"), letter(b"F"), size(m), size(n), size(depth), real(1),
            ctypes.c_void_p(a.ctypes.data), size(depth), ctypes.c_uint8(0),
            ctypes.c_void_p(b.ctypes.data), size(n), ctypes.c_int8(0), real(0),
            ctypes.c_void_p(out.ctypes.data), size(n), ctypes.c_void_p(zero.ctypes.data),
        )  # fmt: skip
        assert status == 0

    run()
    if not np.array_equal(out, expected):
        raise SystemExit("oneDNN: another result")
    return timed(run)


def main() -> None:
    """Measures, and prints a table per shape."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shape", nargs="*", default=SHAPES, help="m x n x k")
    parser.add_argument("--rounds", type=int, default=40, help="times of each candidate")
    args = parser.parse_args()
    if "avx512_vnni" not in Path("/proc/cpuinfo").read_text():
        raise SystemExit("this processor has no AVX-512 VNNI")

    rng = np.random.default_rng(0)
    for text in args.shape:
        m, n, depth = shape = tuple(map(int, text.split("x")))
        candidates: dict[str, Candidate] = {"vpdpbusd probe": probe()}
        limited = []
        for a_type in ("uint8", "int8"):
            limits = np.iinfo(a_type)
            a = aligned(rng.integers(limits.min, limits.max + 1, (m, depth)).astype(a_type))
            b = aligned(rng.integers(-128, 128, (-(-depth // 4), n, 4)).astype(np.int8))
            rows = aligned(b.transpose(0, 2, 1).reshape(-1, n)[:depth])
            c = aligned(a.astype(np.int32) @ rows.astype(np.int32))
            tensors = product(shape, a_type)
            for name, kernel in {
                "model": sw.build(tensors[-1], tensors, search=False),
                f"{ROWS} x {COLUMNS}": by_hand(tensors),
            }.items():
                if not np.array_equal(kernel.run(a, b), c):
                    raise SystemExit(f"{text} {name}: wrong result")
                limited.append(f"{a_type} x int8, {name}")
                candidates[limited[-1]] = of_kernel(kernel, a, b, c)
            if a_type == "uint8" and (library := of_onednn(a, rows, c)) is not None:
                limited.append("uint8 x int8, oneDNN")
                candidates[limited[-1]] = library
        candidates["float32, model"] = of_float32(shape)
        operations = 2.0 * m * n * depth
        print(f"{text} on one core, {operations:.3g} operations")
        limit = [Limit("vpdpbusd probe", operations / PROBE_OPERATIONS)]
        seconds = measure(candidates, dict.fromkeys(limited, limit), args.rounds)
        peak = PROBE_OPERATIONS / min(seconds["vpdpbusd probe"]) / 1e9
        print(f"the probe's peak: {peak:.0f} GOP/s")


if __name__ == "__main__":
    main()
