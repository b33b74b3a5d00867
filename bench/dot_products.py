"""Products of bytes to int32, and of 16-bit floats to float32, on this machine with AVX-512.

B lies packed, 4 of its rows side by side: B[k // 4, j, k % 4]. "model" is the schedule that
`auto_schedule` takes without a search; "14 x 32" is one written by hand. The limit is the peak of
vpdpbusd that a probe measures in the same run. A product of float32 of the same size takes turns
with them, and oneDNN's product of bytes on one thread where its library is installed, which packs
its operands in each call.

Products of float16 and bfloat16 with B in rows are those of float32 after both are converted: their
limit is the peak of multiply-adds. With `fast_math=True` and 2 rows of B side by side, those of
bfloat16 are vdpbf16ps, whose limit is its own peak: by hand, as the model takes it where it is
faster.

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

from measuring import PROBE_FLOPS, Candidate, Limit, measure, of_kernel
from measuring import probe as fma_probe

import numpy as np  # isort: skip (after measuring, which sets the number of its threads)
import solway as sw
from solway._bfloat16 import bfloat16_bits

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
# The same of pairs: not denormals, nor numbers that grow.
PAIRS_PROBE = r"""
#include <immintrin.h>
#define CHAINS 16
float dot_probe(long steps) {
  __m512 sum[CHAINS];
  __m512bh x = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.5f), _mm512_set1_ps(-0.5f));
  __m512bh y = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.25f), _mm512_set1_ps(0.25f));
  for (int c = 0; c < CHAINS; ++c) sum[c] = _mm512_set1_ps(c);
  for (long n = 0; n < steps; ++n) {
#pragma GCC unroll 16
    for (int c = 0; c < CHAINS; ++c) sum[c] = _mm512_dpbf16_ps(sum[c], x, y);
  }
  for (int c = 1; c < CHAINS; ++c) sum[0] = _mm512_add_ps(sum[0], sum[c]);
  return _mm512_reduce_add_ps(sum[0]);
}
"""
PROBE_STEPS = 20_000
PROBE_OPERATIONS = PROBE_STEPS * 16 * 64 * 2
PAIRS_OPERATIONS = PROBE_OPERATIONS // 2


def probe(text: str = PROBE, feature: str = "vnni") -> Candidate:
    """Seconds for the operations of PROBE_STEPS steps, compiled by this machine's C compiler."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "probe.c"), Path(folder, "probe.so")
        source.write_text(text)
        flags = ["-O3", "-mavx512f", f"-mavx512{feature}", "-shared", "-fPIC"]
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


def by_hand(tensors: tuple[sw.Tensor, ...], terms: int = 4) -> sw.Kernel:
    """ROWS x COLUMNS sums in registers; of pairs of bfloat16 with fast_math."""
    C = tensors[-1]
    s = sw.create_schedule(C, fast_math=terms == 2)
    ko, ki = s[C].split(C.reduce_axis[0], factor=terms)
    io, ii = s[C].split(C.axis[0], factor=ROWS)
    jo, ji = s[C].split(C.axis[1], factor=COLUMNS)
    s[C].reorder(jo, io, ko, ii, ji, ki)
    s[C].unroll(ii)
    s[C].unroll(ki)
    s[C].vectorize(ji)
    s.buffer_write(C, at=io, scope="register")
    return sw.build(s, tensors)


def product_of_floats(shape: tuple[int, int, int], dtype: str) -> tuple[sw.Tensor, ...]:
    """A, B and C = A B in float32, B in rows."""
    m, n, depth = shape
    A = sw.placeholder((m, depth), dtype, name="A")
    B = sw.placeholder((depth, n), dtype, name="B")
    k = sw.reduce_axis(depth, name="k")

    def value(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        a, b = (x if dtype == "float32" else sw.cast(x, "float32") for x in (A[i, k], B[k, j]))
        return sw.sum(a * b, axis=k)

    return A, B, sw.compute((m, n), value, name="C")


def product_of_pairs(shape: tuple[int, int, int]) -> tuple[sw.Tensor, ...]:
    """The same of bfloat16, 2 rows of B side by side."""
    m, n, depth = shape
    A = sw.placeholder((m, depth), "bfloat16", name="A")
    B = sw.placeholder((-(-depth // 2), n, 2), "bfloat16", name="B")
    k = sw.reduce_axis(depth, name="k")

    def value(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        b = sw.cast(B[k // 2, j, k % 2], "float32")
        return sw.sum(sw.cast(A[i, k], "float32") * b, axis=k)

    return A, B, sw.compute((m, n), value, name="C")


def stored(numbers: np.ndarray, dtype: str) -> np.ndarray:
    """Numbers as the argument of a kernel."""
    if dtype == "bfloat16":
        return aligned(bfloat16_bits(numbers.astype(np.float32)))
    return aligned(numbers.astype(dtype))


def of_floats(shape: tuple[int, int, int]) -> tuple[dict[str, Candidate], dict[str, list[Limit]]]:
    """Seconds of products of floats, and their limits: multiply-adds, or vdpbf16ps."""
    m, n, depth = shape
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 10, (m, depth)), rng.integers(-9, 10, (depth, n))
    c = aligned((a @ b).astype(np.float32))
    candidates: dict[str, Candidate] = {"multiply-add probe": fma_probe()}
    limits: dict[str, list[Limit]] = {}

    def add(name: str, kernel: sw.Kernel, args: list[np.ndarray], limit: Limit) -> None:
        if not np.array_equal(kernel.run(*args), c):
            raise SystemExit(f"{shape} {name}: wrong result")
        candidates[name] = of_kernel(kernel, *args, c)
        limits[name] = [limit]

    operations = 2.0 * m * n * depth
    for dtype in ("float32", "float16", "bfloat16"):
        tensors = product_of_floats(shape, dtype)
        args = [stored(a, dtype), stored(b, dtype)]
        limit = Limit("multiply-add probe", operations / PROBE_FLOPS)
        add(f"{dtype}, model", sw.build(tensors[-1], tensors, search=False), args, limit)
    if "avx512_bf16" in Path("/proc/cpuinfo").read_text():
        candidates["vdpbf16ps probe"] = probe(PAIRS_PROBE, "bf16")
        rows = np.zeros((depth + depth % 2, n), b.dtype)
        rows[:depth] = b
        pairs = stored(rows.reshape(-1, 2, n).transpose(0, 2, 1), "bfloat16")
        limit = Limit("vdpbf16ps probe", operations / PAIRS_OPERATIONS)
        kernel = by_hand(product_of_pairs(shape), 2)
        add(f"pairs of bfloat16, {ROWS} x {COLUMNS}", kernel, [stored(a, "bfloat16"), pairs], limit)
    return candidates, limits


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
        floats, limits = of_floats(shape)
        candidates |= floats
        operations = 2.0 * m * n * depth
        print(f"{text} on one core, {operations:.3g} operations")
        limit = [Limit("vpdpbusd probe", operations / PROBE_OPERATIONS)]
        limits |= dict.fromkeys(limited, limit)
        seconds = measure(candidates, limits, args.rounds)
        peak = PROBE_OPERATIONS / min(seconds["vpdpbusd probe"]) / 1e9
        print(f"the peak of vpdpbusd: {peak:.0f} GOP/s")


if __name__ == "__main__":
    main()
