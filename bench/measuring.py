"""What the benchmarks of the host share: a probe of the peak, taking turns, and whether it is idle.

Candidates and probe take turns in one process, so that what else happens on the machine meets all
of them; rates are given beside the probe's.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is loaded
os.environ.setdefault("SOLWAY_THREADS", "1")  # rates are of one core; bench/threads.py has several

import numpy as np
import solway as sw

__all__ = [
    "PROBE_FLOPS",
    "Candidate",
    "Limit",
    "aligned",
    "compare_two",
    "measure",
    "of_kernel",
    "parser_of_cases",
    "probe",
    "read_probe",
    "run_in_turns",
    "stack_accesses",
]

# The machine's vectors; wider ones would be made of several, which registers do not hold.
VECTORS = r"""
#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX__)
#define LANES 8
#else
#define LANES 4
#endif
typedef float vec __attribute__((vector_size(4 * LANES)));
"""
# Independent chains hide the latency; the count of operations is what `probe` says below.
PROBE = r"""
#define CHAINS 12
float fma_probe(long steps) {
  vec a[CHAINS], x, y;
  for (int l = 0; l < LANES; ++l) x[l] = 0.999f, y[l] = 1e-3f;
  for (int c = 0; c < CHAINS; ++c) a[c] = x * (float)c;
  for (long n = 0; n < steps * (16 / LANES); ++n) {
#pragma GCC unroll 12
    for (int c = 0; c < CHAINS; ++c) a[c] = a[c] * x + y;
  }
  float sum = 0;
  for (int c = 0; c < CHAINS; ++c) sum += a[c][0];
  return sum;
}
"""
# Whole blocks of 8 vectors in 8 sums; the last few numbers one by one.
READ_PROBE = r"""
#define SUMS 8
float read_probe(const float* from, long count) {
  vec sums[SUMS] = {0};
  long n = 0;
  for (; n + SUMS * LANES <= count; n += SUMS * LANES) {
#pragma GCC unroll 8
    for (int s = 0; s < SUMS; ++s) sums[s] += *(const vec*)(from + n + s * LANES);
  }
  float sum = 0;
  for (; n < count; ++n) sum += from[n];
  for (int s = 0; s < SUMS; ++s) sum += sums[s][0];
  return sum;
}
"""
PROBE_STEPS = 200_000
PROBE_FLOPS = PROBE_STEPS * 12 * 16 * 2

Candidate = Callable[[], float]
CaseType = TypeVar("CaseType", bound="Measurable")


class Limit(NamedTuple):
    """What a candidate's time is held against: seconds of `candidate` times `factor`.

    Of several limits the longest time counts, as in a roofline.
    """

    candidate: str
    factor: float


def probe() -> Candidate:
    """Seconds for PROBE_FLOPS operations, compiled by this machine's C compiler."""
    function = _compiled(PROBE).fma_probe
    function.argtypes, function.restype = [ctypes.c_long], ctypes.c_float

    def run() -> float:
        start = time.perf_counter()
        function(PROBE_STEPS)
        return time.perf_counter() - start

    return run


def read_probe(count: int) -> Candidate:
    """Seconds for reading an array of `count` numbers from its start to its end."""
    function = _compiled(READ_PROBE).read_probe
    function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_long], ctypes.c_float
    array = aligned(np.ones(max(count, 1)))

    def run() -> float:
        start = time.perf_counter()
        function(array.ctypes.data, array.size)
        return time.perf_counter() - start

    return run


def of_call(call: Callable[[], object]) -> Candidate:
    """Seconds of a call, by the wall clock."""

    def run() -> float:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    return run


def _compiled(source: str) -> ctypes.CDLL:
    """A library of C, for this machine."""
    with tempfile.TemporaryDirectory() as folder:
        file, library = Path(folder, "probe.c"), Path(folder, "probe.so")
        file.write_text(VECTORS + source)
        flags = ["-O3", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC"]
        subprocess.run(["cc", *flags, str(file), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))


def parser_of_cases(page: str) -> argparse.ArgumentParser:
    """What benchmarks of many cases take.

    Args:
        page: what `--help` says, as it stands.
    """
    parser = argparse.ArgumentParser(
        description=page, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--only", nargs="+", default=[""], help="cases whose name holds one of these"
    )
    parser.add_argument("--rounds", type=int, default=20, help="times of each candidate")
    return parser


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy in float32 that begins at a cache line; NumPy's own arrays may begin anywhere."""
    room = np.empty(array.size + 16, np.float32)
    begin = -room.ctypes.data // 4 % 16
    out = room[begin : begin + array.size].reshape(array.shape)
    out[...] = array
    return out


def of_kernel(kernel: sw.Kernel, *arrays: np.ndarray) -> Candidate:
    """Seconds of one call with all its arrays, as the kernel itself takes them."""

    def run() -> float:
        kernel(*arrays)
        assert kernel.last_run is not None
        return kernel.last_run.seconds

    return run


def stack_accesses(kernel: sw.Kernel) -> int:
    """Instructions of the kernel that move a vector register to or from the stack."""
    lines = "".join(text for name, text in kernel.source.items() if name.endswith(".s")).split("\n")
    return sum("mm" in line and "(%rsp" in line for line in lines)


def measure(
    candidates: dict[str, Candidate], limits: dict[str, list[Limit]], rounds: int, warm: int = 1
) -> dict[str, list[float]]:
    """Runs all candidates `rounds` times in turns and prints a table.

    Args:
        candidates: by name.
        limits: of those candidates that have some; the columns say how near they come, and to
            which where there are several.
        rounds: how often each is timed.
        warm: how often it runs before, in each round, so that its caches are as in a loop.

    Returns:
        The seconds of each candidate.
    """
    seconds, share = run_in_turns(candidates, rounds, warm)
    verdict = "idle" if share < 0.1 else "NOT idle: take the ratios, not the rates"
    print(f"other processes: {share:.2f} cores of {os.cpu_count()} ({verdict})")
    print(f"{'':24} {'min us':>10} {'median us':>10} {'of limit':>9} {'median':>7}")
    for name, times in seconds.items():
        low, middle = min(times), float(np.median(times))
        text = f"{name:24} {low * 1e6:10.1f} {middle * 1e6:10.1f}"
        if name in limits:
            least, which = max((min(seconds[n]) * factor, n) for n, factor in limits[name])
            usual = max(float(np.median(seconds[n])) * factor for n, factor in limits[name])
            text += f" {least / low:9.1%} {usual / middle:7.1%}"
            text += f"  {which}" if len(limits[name]) > 1 else ""
        print(text)
    return seconds


def run_in_turns(
    candidates: dict[str, Candidate], rounds: int, warm: int = 1
) -> tuple[dict[str, list[float]], float]:
    """Runs all candidates `rounds` times in turns.

    Args:
        candidates: by name.
        rounds: how often each is timed.
        warm: how often it runs before, in each round.

    Returns:
        The seconds of each candidate, and how many cores other processes had meanwhile.
    """
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    total, own = _busy_ticks()
    start = time.perf_counter()
    for _ in range(rounds):
        for name, run in candidates.items():
            for _ in range(warm):
                run()
            seconds[name].append(run())
    elapsed = (time.perf_counter() - start) * os.sysconf("SC_CLK_TCK")
    others = (_busy_ticks()[0] - total) - (_busy_ticks()[1] - own)
    return seconds, max(0.0, others / elapsed)


class Measurable(Protocol):
    """A case of a benchmark, with its multiplications and additions."""

    @property
    def flops(self) -> float: ...


def compare_two(
    given: argparse.Namespace,
    cases: Mapping[str, CaseType],
    candidates_of: Callable[[CaseType], dict[str, Candidate]],
    names: tuple[str, str],
    warm: int = 1,
) -> None:
    """Prints a line for each case: its limit, two candidates, and the second's time by the first's.

    Args:
        given: what `parser_of_cases` parsed.
        cases: by name.
        candidates_of: a case's, beside those of `names` the probes "fma" and "read".
        names: the two.
        warm: as of `run_in_turns`.
    """
    first, second = names
    print(f"{'least and median us':40} {'limit':>9} {first:>19} {second:>19}  {second} / {first}")
    most_of_others = 0.0
    for name, case in cases.items():
        if not any(text in name for text in given.only):
            continue
        seconds, others = run_in_turns(candidates_of(case), given.rounds, warm)
        most_of_others = max(most_of_others, others)
        limit = max(min(seconds["fma"]) * case.flops / PROBE_FLOPS, min(seconds["read"]))
        line = f"{name:40} {limit * 1e6:9,.1f}"
        for who in names:
            low, middle = min(seconds[who]), float(np.median(seconds[who]))
            line += f" {low * 1e6:9,.1f} {middle * 1e6:9,.1f}"
        least = min(seconds[second]) / min(seconds[first])
        usual = float(np.median(seconds[second]) / np.median(seconds[first]))
        print(f"{line}  {least:.2f} ({usual:.2f})", flush=True)
    print(f"other processes: at most {most_of_others:.2f} cores")


def _busy_ticks() -> tuple[int, int]:
    """Ticks that this machine's cores, and this process with its children, have spent running."""
    user, nice, system = map(int, Path("/proc/stat").read_text().split()[1:4])
    spent = os.times()
    own = sum(spent[:4]) * os.sysconf("SC_CLK_TCK")
    return user + nice + system, round(own)
