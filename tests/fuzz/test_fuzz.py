"""Random programs under random schedules are right on every target, exactly.

Chunks of seeds run in processes of their own, two at a time, so that a crash or a hang ends no
more than a chunk and is a finding with its seed. Environment:

SOLWAY_FUZZ_CASES    how many cases, each on all targets; 256
SOLWAY_FUZZ_SECONDS  no chunk starts after this time; 600
SOLWAY_FUZZ_FIRST    the first seed
SOLWAY_SEED          one seed by itself, in this process
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "python")]  # when it runs as a script

from support.random_cases import Case  # noqa: E402
from support.random_primitives import PRESENT  # noqa: E402

CHUNK = Path(__file__).parent / "chunk.py"
TARGETS = ("host", "c", "sw26010", "example-cluster")
CASES = int(os.environ.get("SOLWAY_FUZZ_CASES", "256"))
SECONDS = float(os.environ.get("SOLWAY_FUZZ_SECONDS", "600"))
FIRST = int(os.environ.get("SOLWAY_FUZZ_FIRST", "20190416"))
CHUNK_CASES = 64
CHUNK_SECONDS = 600  # of wall time: then it hangs
WORKERS = 2


class Total:
    """What all chunks found."""

    def __init__(self):
        self.pairs, self.counts, self.seconds = Counter(), Counter(), Counter()
        self.failures, self.slowest, self.cases = [], (0.0, 0, ""), 0

    def add(self, found, cases):
        self.cases += cases
        for field in ("pairs", "counts", "seconds"):
            getattr(self, field).update(found[field])
        self.failures += [(seed, target, text) for seed, target, text in found["failures"]]
        self.slowest = max(self.slowest, tuple(found["slowest"]))

    def __str__(self):
        verdicts, primitives, others = Counter(), {}, []
        for key, count in self.counts.items():
            name, _, verdict = key.partition(" ")
            if name in {primitive.__name__ for primitive in PRESENT}:
                verdicts[verdict] += count
                primitives.setdefault(name, Counter())[verdict] += count
            elif ":" not in key:
                others.append(f"{key} {count}")
        lines = [
            f"{self.cases} cases; pairs run: {dict(self.pairs)}; {len(self.failures)} wrong",
            f"primitives: {dict(verdicts.most_common())}",
        ]
        for name, found in sorted(primitives.items()):
            refused = ", ".join(f"{v} {n}" for v, n in found.most_common() if v != "legal")
            lines.append(f"  {name:<18}{found['legal']:>6} legal  {refused}")
        lines += [f"refused builds: {', '.join(sorted(others)) or 'none'}"]
        cpu = ", ".join(f"{phase} {seconds:.0f}" for phase, seconds in self.seconds.items())
        lines += [f"processor seconds: {cpu}"]
        slow, seed, name = self.slowest
        return "\n".join([*lines, f"slowest primitive: {name}, {slow:.1f} s (seed {seed})"])


def run_chunk(first, count):
    """What the chunk of `count` seeds from `first` found."""
    command = [sys.executable, str(CHUNK), str(first), str(count)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=CHUNK_SECONDS)
    except subprocess.TimeoutExpired as expired:
        at = (expired.stderr or b"").decode(errors="replace").strip().splitlines()[-1:]
        return _lost(f"no end within {CHUNK_SECONDS} s", at)
    if done.returncode != 0:
        return _lost(f"ended with {done.returncode}", done.stderr.strip().splitlines()[-8:])
    return json.loads(done.stdout)


def _lost(what, last_words):
    words = last_words[0].split() if last_words else ["0", "?"]
    seed = int(words[0]) if words[0].isdigit() else 0
    text = "\n".join([f"SOLWAY_SEED={seed}: {what}", *last_words])
    empty = {"pairs": {}, "counts": {}, "seconds": {}, "slowest": (0.0, 0, "")}
    return {**empty, "failures": [(seed, "process", text)]}


def run_all(first, cases, seconds):
    """All chunks, two at a time, none started after `seconds`."""
    total, begin = Total(), time.monotonic()

    def run(start):
        if time.monotonic() - begin > seconds:
            return None
        return run_chunk(start, min(CHUNK_CASES, first + cases - start))

    starts = range(first, first + cases, CHUNK_CASES)
    with ThreadPoolExecutor(WORKERS) as pool:
        for start, found in zip(starts, pool.map(run, starts), strict=True):
            if found is not None:
                total.add(found, min(CHUNK_CASES, first + cases - start))
    return total


def test_random_programs_under_random_schedules(capsys):
    given = os.environ.get("SOLWAY_SEED")
    if given:
        case = Case(int(given))
        found = [wrong for target in TARGETS if (wrong := case.run_alone(target))]
        assert not found, found[0]
        return
    total = run_all(FIRST, CASES, SECONDS)
    with capsys.disabled():
        print(f"\nfrom seed {FIRST}: {total}")
    if total.failures:
        reports = "\n\n".join(text for _, _, text in total.failures[:3])
        pytest.fail(f"{len(total.failures)} are wrong; the first:\n{reports}")
    assert total.pairs["host"] > total.cases * 0.8
    assert sum(n for key, n in total.counts.items() if key.endswith(" legal")) > total.cases


if __name__ == "__main__":
    result = run_all(FIRST, CASES, SECONDS)
    print(f"from seed {FIRST}: {result}")
    for _, target, report in result.failures:
        print(f"\n== {target}: {report}")
    sys.exit(1 if result.failures else 0)
