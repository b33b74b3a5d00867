#!/usr/bin/env python3
"""Compares isl with enumeration on many small random schedules, and counts what is refused.

    tools/legality_at_scale.py                      50,000 cases, build/dev
    tools/legality_at_scale.py --cases 200000 --first-seed 7

The unit tests of schedule draw random orders, races, programs with buffers and placed stages, and
faults in all of these, and hold every verdict against the instances themselves. This runs them
again and again with other seeds. A case where they disagree in the wrong direction, an illegal
schedule that is accepted, ends the run with its seed. Right schedules that are refused are counted
by class, primitives that are not supported in a line of their own. 1,000 cases take 10 s of a
core; .ci/run has the sample that the unit tests draw by themselves.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PATTERN = "*AgreesWithEnumeration*:*AgreesWithExecution*:ComputeAt.*AgreeWithExecution*"
CASES_PER_RUN = 1100  # of each test of orders
COUNTS = {
    "legal orders accepted": r"^(\d+) legal, ",
    "illegal orders refused": r"^\d+ legal, (\d+) illegal",
    "loops without a race accepted": r"^(\d+) without a race",
    "loops with a race refused": r"without a race, (\d+) with one",
    "right programs accepted": r"(\d+) right accepted",
    "right placements accepted": r"^(\d+) steps accepted and right",
    "wrong programs refused": r"(\d+) wrong refused",
    "right programs refused": r"(\d+) right refused",
    "wrong programs accepted": r"(\d+) wrong accepted",
    "not decided": r"(\d+) undecided",
}
UNSUPPORTED = re.compile(r"^  of steps .* (\d+) unsupported", re.M)  # of random placements
REFUSED = re.compile(r"^  (\d+) (.+)$", re.M)


class Failed(Exception):
    """A run in which a test failed."""


class Run(NamedTuple):
    """Counts by verdict, what was refused without need by class, and what is not supported."""

    counts: Counter[str]
    refused: Counter[str]
    unsupported: int


def run(program: Path, seed: int) -> Run:
    """One run of the tests."""
    environment = {**os.environ, "SOLWAY_SEED": str(seed), "SOLWAY_CASES": str(CASES_PER_RUN)}
    done = subprocess.run(
        [str(program), f"--gtest_filter={PATTERN}"],
        cwd=program.parent,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        raise Failed(f"SOLWAY_SEED={seed} fails:\n{done.stdout[-6000:]}{done.stderr[-2000:]}")
    counts: Counter[str] = Counter()
    for name, pattern in COUNTS.items():
        found = re.findall(pattern, done.stdout, re.M)
        counts[name] += sum(map(int, found))
    refused: Counter[str] = Counter()
    for count, what in REFUSED.findall(done.stdout):
        refused[": ".join(what.split(": ")[:2])] += int(count)  # what follows has values
    return Run(counts, refused, sum(map(int, UNSUPPORTED.findall(done.stdout))))


def total_of(counts: Counter[str]) -> int:
    """All cases that were compared."""
    return sum(counts.values())


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=50_000)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "dev")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    options = parser.parse_args()
    found = sorted(options.build.rglob("solway_schedule_test"))
    if not found:
        parser.error(f"no solway_schedule_test under {options.build}: build it first")
    counts: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    unsupported = 0
    begin, seed = time.monotonic(), options.first_seed
    with ThreadPoolExecutor(options.jobs) as pool:
        while total_of(counts) < options.cases:
            seeds = range(seed, seed + options.jobs)
            seed += options.jobs
            try:
                for done in pool.map(lambda s: run(found[0], s), seeds):
                    counts += done.counts
                    refused += done.refused
                    unsupported += done.unsupported
            except Failed as failed:
                print(failed, file=sys.stderr)
                return 1
            took = time.monotonic() - begin
            print(f"{total_of(counts):>8} cases, {took:6.0f} s, to seed {seed - 1}", flush=True)
    print()
    for name in COUNTS:
        print(f"{counts[name]:>8} {name}")
    illegal = sum(
        n for name, n in counts.items() if name.endswith("refused") and "right" not in name
    )
    right = sum(n for name, n in counts.items() if "accepted" in name and "wrong" not in name)
    needless = counts["right programs refused"]
    print(f"{illegal} illegal, of which {counts['wrong programs accepted']} accepted")
    share = needless / max(1, right + needless)
    print(f"{right + needless} right, of which {needless} refused: {share:.2%}")
    for what, n in refused.most_common():
        print(f"{n:>8} {what}")
    print(f"placements that are not supported, beside these: {unsupported}")
    return 1 if counts["wrong programs accepted"] else 0


if __name__ == "__main__":
    sys.exit(main())
