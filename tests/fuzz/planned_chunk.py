"""Runs a range of seeds of planned programs in one process, and prints what it found as JSON.

python tests/fuzz/planned_chunk.py FIRST COUNT
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "python")]

import solway as sw  # noqa: E402
from support.chunks import say  # noqa: E402
from support.planned_cases import PlannedCase  # noqa: E402

FAILURES = Path(os.environ.get("SOLWAY_FAILURES") or Path(tempfile.gettempdir()) / "solway")
# A proof that takes longer leaves its tensor in main memory, which is right as well.
PROOF_SECONDS = "2"


class PlannedChunk:
    """What became of a range of seeds."""

    def __init__(self, folder):
        self._folder = Path(folder)
        self.pairs = Counter()  # kernels that ran, by planner
        self.counts = Counter()
        self.seconds = Counter()  # of processor time, by phase
        self.failures = []  # (seed, phase, report)
        self.slowest = (0.0, 0, "")

    def run(self, seed):
        """Draws a case, plans, builds and runs it."""
        say(seed, "draw")
        try:
            case = self._timed(seed, "draw", PlannedCase, seed, self._folder)
        except Exception:
            self.failures.append((seed, "draw", f"SOLWAY_SEED={seed}\n{traceback.format_exc()}"))
            return
        say(seed, f"{case.kind}, plan")
        try:
            wrong, error = self._judge(case), None
        except sw.Error as caught:
            wrong, error = case.report(f"{type(caught).__name__}: {caught}"), caught
        except Exception:
            wrong, error = case.report(traceback.format_exc()), None
        if wrong is not None:
            self._found(case, wrong, error)

    def _judge(self, case):
        """What is wrong with a case; None when nothing is."""
        try:
            self._timed(case.seed, f"plan, {case.planner}", case.plan)
        except sw.CapacityError as error:
            self.counts["no room"] += 1
            why = self._timed(case.seed, "room", case.room_left, error)
            return None if why is None else case.report(f"{why}\nbut {error}")
        except sw.AnalysisBudgetError:
            self.counts["not decided in time"] += 1
            return None
        say(case.seed, f"{case.kind}, build")
        kernel = self._timed(case.seed, "build", case.build)
        say(case.seed, f"{case.kind}, run")
        wrong = self._timed(case.seed, "run", case.run, kernel)
        self.pairs[case.planner] += 1
        for name, count in case.facts().items():
            self.counts[name] += count
        return None if wrong is None else case.report(wrong)

    def _found(self, case, report, error):
        """Keeps a finding, and saves it and its machine for ``solway replay``."""
        FAILURES.mkdir(parents=True, exist_ok=True)
        path = FAILURES / f"planned-{case.seed}.json"
        machine = path.with_suffix(".toml")
        machine.write_text(case.target.read_text())
        case.failure(machine, error).save(path)
        self.failures.append((case.seed, case.kind, f"{report}\nsolway replay {path}"))

    def _timed(self, seed, phase, function, *given):
        start = time.process_time()
        try:
            return function(*given)
        finally:
            took = time.process_time() - start
            self.seconds[phase] += took
            self.slowest = max(self.slowest, (took, seed, phase))

    def to_json(self):
        """Everything, as data."""
        return {
            "pairs": self.pairs,
            "counts": self.counts,
            "seconds": self.seconds,
            "failures": self.failures,
            "slowest": self.slowest,
        }


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    os.environ.setdefault("SOLWAY_ANALYSIS_SECONDS", PROOF_SECONDS)  # of this process alone
    with tempfile.TemporaryDirectory() as folder:
        chunk = PlannedChunk(folder)
        for seed in range(options.first, options.first + options.count):
            chunk.run(seed)
    print(json.dumps(chunk.to_json()))


if __name__ == "__main__":
    main()
