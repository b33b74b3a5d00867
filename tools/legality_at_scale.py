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
PATTERN = "*AgreesWithEnumeration*:*Agree*WithExecution*"
CASES_PER_RUN = 1100  # of each test of orders
VERDICTS = ("right", "needless", "caught", "missed")
COLUMNS = (*VERDICTS, "unsupported")
PROGRAMS = (
    r"(?P<right>\d+) right accepted, (?P<caught>\d+) wrong refused, "
    r"(?P<needless>\d+) right refused, (?P<missed>\d+) wrong accepted"
)
KINDS = (  # what the tests print, in the order of the table
    ("orders", r"^(?P<right>\d+) legal, (?P<caught>\d+) illegal"),
    ("races", r"^(?P<right>\d+) without a race, (?P<caught>\d+) with one"),
    ("placed stages", r"^(?P<right>\d+) steps accepted and right"),
    ("placed stages", r"^  of steps .* (?P<unsupported>\d+) unsupported"),
    ("faults in placed stages", "; of faults " + PROGRAMS),
    ("buffers, and faults in them", "^" + PROGRAMS),
)
REFUSED = re.compile(r"^  (\d+) ((?:order|program): .+)$", re.M)


class Failed(Exception):
    """A run in which a test failed."""


class Run(NamedTuple):
    """Counts by kind and column, and what was refused without need by class."""

    counts: Counter[tuple[str, str]]
    refused: Counter[str]


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
    counts: Counter[tuple[str, str]] = Counter()
    for kind, pattern in KINDS:
        for found in re.finditer(pattern, done.stdout, re.M):
            for column, count in found.groupdict().items():
                counts[kind, column] += int(count)
    refused: Counter[str] = Counter()
    for count, what in REFUSED.findall(done.stdout):
        refused[": ".join(what.split(": ")[:2])] += int(count)  # what follows has values
    return Run(counts, refused)


def total_of(counts: Counter[tuple[str, str]], *columns: str) -> int:
    """All cases of some columns."""
    return sum(n for (_, column), n in counts.items() if column in columns)


def table(counts: Counter[tuple[str, str]]) -> str:
    """The counts as a table of Markdown."""
    lines = [
        "| | right: accepted | refused | illegal: refused | accepted | unsupported |",
        "|---|---|---|---|---|---|",
    ]
    for kind in dict.fromkeys(kind for kind, _ in KINDS):
        cells = " | ".join(f"{counts[kind, column]:,}" for column in COLUMNS)
        lines.append(f"| {kind} | {cells} |")
    sums = " | ".join(f"{total_of(counts, column):,}" for column in COLUMNS)
    return "\n".join([*lines, f"| together | {sums} |"])


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
    counts: Counter[tuple[str, str]] = Counter()
    refused: Counter[str] = Counter()
    begin, seed = time.monotonic(), options.first_seed
    with ThreadPoolExecutor(options.jobs) as pool:
        while total_of(counts, *VERDICTS) < options.cases:
            seeds = range(seed, seed + options.jobs)
            seed += options.jobs
            try:
                for done in pool.map(lambda s: run(found[0], s), seeds):
                    counts += done.counts
                    refused += done.refused
            except Failed as failed:
                print(failed, file=sys.stderr)
                return 1
            took = time.monotonic() - begin
            print(
                f"{total_of(counts, *VERDICTS):>8} cases, {took:6.0f} s, to seed {seed - 1}",
                flush=True,
            )
    print()
    print(table(counts))
    print()
    for what, n in refused.most_common():
        print(f"{n:>8} refused without need: {what}")
    return 1 if total_of(counts, "missed") else 0


if __name__ == "__main__":
    sys.exit(main())
