#!/usr/bin/env python3
"""Writes docs/operators.md: runs each operator of each type on each target.

    tools/generate_operators.py                    all of it, two processes
    tools/generate_operators.py --dtype int8       the columns of a type, and no others
    tools/generate_operators.py --family Rows      the rows of a family, and no others
    tools/generate_operators.py --resume           goes on where a run of the same build was ended
    tools/generate_operators.py --timings          what each target took, on standard error

A wrong result, or a target whose emulator is not installed, ends it and leaves the page as it was.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python")]

import operator_store  # noqa: E402
import solway as sw  # noqa: E402
from solway._cpu import runs  # noqa: E402
from support.operator_families import FAMILIES  # noqa: E402
from support.operator_matrix import TARGETS, Verdict, verdicts_of  # noqa: E402
from support.operator_page import PAGE, Refusal, cell_of, cells_on, page_of  # noqa: E402
from support.operator_values import DTYPES  # noqa: E402

# Those whose kernels take longest are begun first, so that no process waits for the other's last.
FIRST = ("Functions", "Arithmetic", "Windows", "Moved elements")
Unit = tuple[str, str]  # a family and a type: what one process runs on all targets


class Found(NamedTuple):
    """What became of the operators of a unit, and the seconds that each target took."""

    unit: Unit
    verdicts: dict[str, dict[str, Verdict]]
    seconds: dict[str, float]


def run(unit: Unit) -> Found:
    """Runs a unit on each target; the schedules are made once for all."""
    found = Found(unit, {}, {})
    for target in TARGETS:
        begin = time.perf_counter()
        with sw.emulator("hazard"):
            found.verdicts[target] = verdicts_of(*unit, target)
        found.seconds[target] = time.perf_counter() - begin
    return found


def run_all(units: list[Unit], jobs: int, *, resume: bool) -> Iterator[Found]:
    """Runs units in processes, but for those whose results are kept; in the order of their ends."""
    mark = operator_store.fingerprint()
    rest = []
    for unit in units:
        verdicts = operator_store.kept_or_none(mark, *unit) if resume else None
        if verdicts is None:
            rest.append(unit)
        else:
            yield Found(unit, verdicts, {})
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        running = [pool.submit(run, unit) for unit in rest]
        bar = tqdm(as_completed(running), total=len(units), initial=len(units) - len(rest))
        for ended in bar:
            found = ended.result()
            operator_store.keep(mark, *found.unit, found.verdicts)
            bar.set_postfix_str(", ".join(found.unit))
            yield found


def units_of(dtypes: list[str], families: list[str]) -> list[Unit]:
    """The longest first."""
    order = [*FIRST, *(family for family in FAMILIES if family not in FIRST)]
    return [
        (family, dtype)
        for family in order
        if family in families
        for dtype in DTYPES
        if dtype in dtypes
    ]


def add(found: Found, cells: dict, refusals: list[Refusal], wrong: list[str]) -> None:
    """Enters what a unit found."""
    family, dtype = found.unit
    for name in FAMILIES[family].operators:
        verdicts = {target: found.verdicts[target][name] for target in TARGETS}
        cells[family, name, dtype] = cell_of(verdicts)
        for target, verdict in verdicts.items():
            if verdict.word == "wrong":
                wrong.append(f"{family}, {name} of {dtype} on {target}: {verdict.why}")
            if verdict.word == "refused":
                refusals.append(Refusal(family, name, dtype, target, verdict.why))


def main() -> None:
    """Runs what was asked for, and writes the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--dtype", action="append", choices=DTYPES)
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--timings", action="store_true")
    asked = parser.parse_args()
    if not runs("x86-64-v4"):
        sys.exit("x86-64-v4 does not run on this machine")
    units = units_of(asked.dtype or list(DTYPES), asked.family or list(FAMILIES))
    cells, refusals = (
        ({}, []) if len(units) == len(FAMILIES) * len(DTYPES) else cells_on(PAGE.read_text())
    )
    refusals = [r for r in refusals if (r.family, r.dtype) not in units]
    wrong: list[str] = []
    seconds: Counter[str] = Counter()
    for found in run_all(units, asked.jobs, resume=asked.resume):
        add(found, cells, refusals, wrong)
        seconds += found.seconds
        if asked.timings:
            tqdm.write(f"{found.unit}: {dict(found.seconds)}", file=sys.stderr)
    if asked.timings:
        print({target: round(took, 1) for target, took in seconds.most_common()}, file=sys.stderr)
    if wrong:
        sys.exit("\n".join(wrong))
    PAGE.write_text(page_of(cells, refusals))


if __name__ == "__main__":
    main()
