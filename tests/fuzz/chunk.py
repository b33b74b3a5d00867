"""Runs a range of seeds on all targets in one process, and prints what it found as JSON.

    python tests/fuzz/chunk.py FIRST COUNT [--targets host c sw26010 example-cluster]

It says on standard error which seed it is at, so that whoever started it knows the one that ended
or held the process.
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
from functools import partial
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "python")]

import solway as sw  # noqa: E402
from support.c_pack import CPack  # noqa: E402
from support.chunks import say  # noqa: E402
from support.guarded import guard_of_emulated  # noqa: E402
from support.kernel_pack import pack, packs_of, run_pack  # noqa: E402
from support.random_cases import Broken, Case  # noqa: E402
from support.register_lengths import (  # noqa: E402
    LENGTHS,
    file_with_length,
    file_without_length,
    lengths_of_case,
    registers,
)

TARGETS = ("host", "c", "sw26010", "example-cluster")
FOREIGN = ("aarch64-neon", "aarch64-sve", "riscv64-v")  # under an emulator, one process a call
#: Seeds whose loops take isl minutes to write. 20191234: tiles of skewed loops, fused and divided
#: again, with a buffer of two slots inside.
TOO_LONG = {20191234}
FAILURES = Path(os.environ.get("SOLWAY_FAILURES") or Path(tempfile.gettempdir()) / "solway")


class Chunk:
    """What became of a range of seeds."""

    def __init__(self, folder):
        self._folder = Path(folder)
        self._cases = []
        self.pairs = Counter()  # by target, and by length of registers
        self.counts = Counter()  # of primitives, and of refused builds
        self.seconds = Counter()  # of processor time, by phase
        self.failures = []  # (seed, target, report)
        self.slowest = (0.0, 0, "")

    def draw(self, seeds):
        """Makes the cases."""
        for seed in seeds:
            if seed in TOO_LONG:
                self.counts["left out"] += 1
                continue
            say(seed, "draw")
            try:
                case = self._timed("draw", Case, seed)
            except Broken as broken:
                self.failures.append((seed, "schedule", str(broken)))
                continue
            except Exception:
                text = f"SOLWAY_SEED={seed}\n{traceback.format_exc()}"
                self.failures.append((seed, "program", text))
                continue
            self.counts.update(case.counts)
            self.slowest = max(self.slowest, (case.slowest[0], seed, case.slowest[1]))
            self._timed("oracle", lambda case=case: case.expected)
            self._cases.append(case)

    def run(self, target):
        """Runs all cases on a target."""
        built = []
        file = file_without_length(target, self._folder) if target in LENGTHS else target
        for case in self._cases:
            say(case.seed, target)
            try:
                built.append((case, self._timed(f"build {target}", case.build, file)))
            except sw.InternalError as error:
                self._fail(case, target, error)
            except (sw.UnsupportedError, sw.CapacityError, sw.AnalysisBudgetError) as error:
                self.counts[f"{target} {type(error).__name__}"] += 1
                self.counts[f"{target}: {error.why}"[:120]] += 1
            except sw.Error as error:
                self._fail(case, target, error)
        self.pairs[target] += len(built)
        if built:
            runs = {"c": self._run_c} | {
                name: partial(self._run_calls, name) for name in ("host", *FOREIGN)
            }
            emulated = partial(self._run_emulated, target)
            self._timed(f"run {target}", runs.get(target, emulated), built)

    def _run_calls(self, target, built):
        for case, kernel in built:
            for bits in lengths_of_case(target, case.seed):
                self._run_call(case, kernel, target, bits)

    def _run_call(self, case, kernel, target, bits):
        """Runs a kernel once; with `bits`, in registers of this length."""
        machine = target if bits is None else f"{target}-{bits}"
        say(case.seed, f"{machine} run")
        if bits is not None:
            self.pairs[machine] += 1
        arrays = case.call_arrays()
        try:
            with guard_of_emulated(case.side), registers(target, bits):
                kernel(*arrays)
        except sw.Error as error:
            self._fail(case, machine, error)
        else:
            self._judge(case, machine, arrays)

    def _run_c(self, built):
        try:
            library = CPack(self._folder / "c", [kernel for _, kernel in built])
        except RuntimeError as error:
            alone = [case for case, _ in built if not self._runs_alone(case, "c")]
            if not alone:
                self._fail(built[0][0], "c", error)
            return
        for case, kernel in built:
            say(case.seed, "c run")
            arrays = case.call_arrays()
            status = library.run(kernel, arrays)
            if status != 0:
                self._fail(case, "c", RuntimeError(f"status {status}"))
            else:
                self._judge(case, "c", arrays)

    def _run_emulated(self, target, built):
        begin = 0
        for number, members in enumerate(packs_of([kernel for _, kernel in built])):
            cases = [case for case, _ in built[begin : begin + len(members)]]
            begin += len(members)
            say(cases[0].seed, f"{target} run of {len(cases)}")
            name = f"{target.replace('-', '_')}_{number}"
            self._run_pack(target, self._folder / name, cases, members)

    def _run_pack(self, target, folder, cases, kernels):
        packed = pack(folder, kernels)
        hazard = {"mode": "hazard", "landing": "random", "seed": cases[0].seed}
        turn = cases[0].seed // 64
        is_timed = sw.Target.load(target).timing is not None and turn % 2 == 1
        landing = "at_issue" if turn // 2 % 2 == 1 else "at_wait"
        other = {"mode": "timed"} if is_timed else {"mode": "functional", "landing": landing}
        for options in (other, hazard):
            arrays = [case.call_arrays() for case in cases]
            try:
                with sw.emulator(**options):
                    run_pack(packed, arrays)
            except sw.Error as error:
                if all(self._runs_alone(case, target) for case in cases):
                    self._fail(cases[0], target, error)
                return
            for case, given in zip(cases, arrays, strict=True):
                self._judge(case, target, given)

    def _runs_alone(self, case, target):
        wrong = case.run_alone(target)
        if wrong is not None:
            self._found(case, target, wrong)
        return wrong is None

    def _judge(self, case, target, arrays):
        wrong = case.wrong(target, arrays)
        if wrong is not None:
            self._found(case, target, wrong)

    def _fail(self, case, target, error):
        report = case.report(f"{target}: {type(error).__name__}: {error}")
        self._found(case, target, report, error)

    def _found(self, case, target, report, error=None):
        """Keeps a finding, and saves it for ``solway replay``."""
        path = FAILURES / f"fuzz-{case.seed}-{target}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        name, _, bits = target.rpartition("-")
        machine = file_with_length(name, int(bits), FAILURES) if name in LENGTHS else target
        case.failure(str(machine), error).save(path)
        self.failures.append((case.seed, target, f"{report}\nsolway replay {path}"))

    def _timed(self, phase, function, *given):
        start = time.process_time()
        try:
            return function(*given)
        finally:
            self.seconds[phase] += time.process_time() - start

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
    parser.add_argument("--targets", nargs="+", default=TARGETS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chunk = Chunk(folder)
        chunk.draw(range(options.first, options.first + options.count))
        for target in options.targets:
            chunk.run(target)
    print(json.dumps(chunk.to_json()))


if __name__ == "__main__":
    main()
