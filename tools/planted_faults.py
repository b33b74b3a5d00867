#!/usr/bin/env python3
"""Plants faults in a copy of the sources, one at a time, and checks that tests find each.

    tools/planted_faults.py                 all of them
    tools/planted_faults.py --only dropped-war no-poison-in-c
    tools/planted_faults.py --list
    tools/planted_faults.py --work DIR      keeps the copy and its build there, for the next time
    tools/planted_faults.py --work DIR --results FILE --minutes 30
                                            goes on where FILE ends, for half an hour
    tools/planted_faults.py --results FILE --table

A fault is an exact text that occurs once in a file, what replaces it, and the tests that are likely
to fail. Only what these need is built again. A fault that none of them finds has all tests run
against it, C++ and Python, before it counts as one that survived. This rebuilds parts of the
compiler for each fault, half a minute each, so it is no part of .ci/run.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from fault_table import FAULTS, Fault

ROOT = Path(__file__).resolve().parent.parent
PYTHON = "python"  # in place of a layer: tests are paths of pytest
LAYERS = (
    "support dsl ir schedule memory_planner dma lowering codegen_c codegen_athread codegen_llvm "
    "emulator driver"
).split()
ALL_TESTS = (
    *((layer, "*") for layer in LAYERS),
    (PYTHON, "tests/python"),
    (PYTHON, "tests/property"),
    (PYTHON, "tests/errors"),
    (PYTHON, "tests/fuzz"),
)
LIMIT_SECONDS = 1200  # of one test program without a fault
MARKER = ".planted_faults"  # in a folder whose files are a copy
SLOWER = 10  # a test that takes so many times as long, and a minute, has found the fault
SLOW_SECONDS = 0.5  # a test that takes longer runs after the others


class Result(NamedTuple):
    """What became of one fault."""

    fault: Fault
    verdict: str  # killed, SURVIVED, NO BUILD
    by: str  # the first test that failed
    seconds: float


class Copy:
    """A copy of the sources with a build of its own."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self._tree = folder
        self._build = self._tree / "build" / "dev"  # the places that a checkout has
        self._jobs = jobs
        self._seconds: dict[tuple[str, str], dict[str, float]] = {}  # of tests without a fault
        self._environment = {
            **os.environ,
            # So that ccache finds the objects of a checkout that lies as deep as the copy.
            "CCACHE_BASEDIR": "/",
            "CCACHE_NOHASHDIR": "1",
        }

    def update(self) -> None:
        """Copies what differs from the sources, and sets the build up."""
        names = subprocess.run(
            ["git", "ls-files", "-z"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split("\0")
        wanted = {name for name in names if name and (ROOT / name).is_file()}
        for name in wanted:
            target = self._tree / name
            data = (ROOT / name).read_bytes()
            if not target.exists() or target.read_bytes() != data:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, target)
        for path in sorted(self._tree.rglob("*")):
            name = path.relative_to(self._tree).as_posix()
            is_made = name.startswith(("build/", ".")) or path.suffix == ".so"
            if path.is_file() and not is_made and name not in wanted:
                path.unlink()
        isl = self._tree / ".isl"
        if not isl.exists() and (ROOT / ".isl").is_dir():
            isl.symlink_to(ROOT / ".isl")
        command = ["cmake", "-G", "Ninja", "-S", str(self._tree), "-B", str(self._build)]
        command += ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-g1"]
        command += ["-DSOLWAY_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={ROOT}/.venv/bin/python"]
        if shutil.which("ccache"):
            command += [
                "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache",
                "-DCMAKE_C_COMPILER_LAUNCHER=ccache",
            ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=self._environment)

    def build(self, layers: Iterable[str]) -> bool:
        """Builds what tests need; says whether that worked."""
        targets = ["solway_python" if x == PYTHON else f"solway_{x}_test" for x in layers]
        done = subprocess.run(
            ["ninja", "-C", str(self._build), "-j", str(self._jobs), *targets],
            env=self._environment,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            print(done.stdout[-3000:], file=sys.stderr)
        return done.returncode == 0

    def check(self, layer: str, pattern: str) -> str | None:
        """The first test that fails without a fault, or None; notes how long each takes."""
        if (layer, pattern) in self._seconds:
            return None
        if layer == PYTHON:
            start = time.monotonic()
            found = self._first_python_failure(pattern, 2 * LIMIT_SECONDS)
            self._seconds[layer, pattern] = {pattern: time.monotonic() - start}
            return found
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder, "report.json")
            found = self._first_failure(layer, pattern, LIMIT_SECONDS, report)
            if found is None:
                suites = json.loads(report.read_text())["testsuites"]
                self._seconds[layer, pattern] = {
                    f"{suite['name']}.{test['name']}": float(test["time"].rstrip("s"))
                    for suite in suites
                    for test in suite["testsuite"]
                }
        return found

    def failing_test(self, layer: str, pattern: str) -> str | None:
        """A test that fails, or None. The quick ones go first."""
        seconds = self._seconds[layer, pattern]
        if layer == PYTHON:
            return self._first_python_failure(pattern, 60 + SLOWER * seconds[pattern])
        slow = sorted((s, name) for name, s in seconds.items() if s > SLOW_SECONDS)
        names = [name for _, name in slow]
        joint = ":" if "-" in pattern else "-"
        quick = pattern + (joint + ":".join(names) if names else "")
        usual = sum(seconds.values()) - sum(s for s, _ in slow)
        return self._first_failure(layer, quick, 60 + SLOWER * usual) or next(
            (
                found
                for usual, name in slow
                if (found := self._first_failure(layer, name, 60 + SLOWER * usual))
            ),
            None,
        )

    def _first_failure(
        self, layer: str, pattern: str, limit: float, report: Path | None = None
    ) -> str | None:
        (program,) = self._build.rglob(f"solway_{layer}_test")
        command = [
            str(program),
            f"--gtest_filter={pattern}",
            "--gtest_fail_fast",
            "--gtest_brief=1",
        ]
        command += [f"--gtest_output=json:{report}"] if report is not None else []
        try:
            done = subprocess.run(
                command,
                cwd=program.parent,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            return f"{layer}: no end within {limit:.0f} s"
        if done.returncode == 0:
            return None
        failed = [line for line in done.stdout.splitlines() if line.startswith("[  FAILED  ] ")]
        name = failed[0].split()[3].rstrip(",") if failed else f"status {done.returncode}"
        return f"{layer}.{name}"

    def _first_python_failure(self, pattern: str, limit: float) -> str | None:
        command = [f"{ROOT}/.venv/bin/python", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        try:
            done = subprocess.run(
                [*command, *pattern.split()],
                cwd=self._tree,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=limit,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            return f"{pattern}: no end within {limit:.0f} s"
        if done.returncode == 0:
            return None
        lines = [x for x in done.stdout.splitlines() if x.startswith(("FAILED ", "ERROR "))]
        return lines[0].split()[1] if lines else f"{pattern}: status {done.returncode}"

    def try_fault(self, fault: Fault, tests: Iterable[tuple[str, str]]) -> Result:
        """Plants one fault, builds and runs tests until one fails, takes the fault out again."""
        start = time.monotonic()
        path = self._tree / fault.file
        text = path.read_text()
        path.write_text(text.replace(fault.old, fault.new))
        verdict, by = "SURVIVED", ""
        try:
            for layer, pattern in tests:
                if not self.build([layer]):
                    verdict = "NO BUILD"
                    break
                found = self.failing_test(layer, pattern)
                if found is not None:
                    verdict, by = "killed", found
                    break
        finally:
            path.write_text(text)
        return Result(fault, verdict, by, time.monotonic() - start)


def misplaced(faults: Iterable[Fault]) -> list[str]:
    """Faults whose text does not occur exactly once."""
    out = []
    for fault in faults:
        path = ROOT / fault.file
        count = path.read_text().count(fault.old) if path.exists() else 0
        if count != 1:
            out.append(f"{fault.name}: its text occurs {count} times in {fault.file}")
    return out


class Record:
    """The results so far, one line of JSON each, so that a run goes on where the last one ended."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Result] = {}
        by_name = {fault.name: fault for fault in FAULTS}
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        for entry in map(json.loads, lines):
            fault = by_name.get(entry["name"])
            if fault is not None and entry["new"] == fault.new:  # else it is another fault now
                result = Result(fault, entry["verdict"], entry["by"], entry["seconds"])
                self._known[fault.name] = result

    def __contains__(self, fault: Fault) -> bool:
        return fault.name in self._known

    def add(self, result: Result) -> None:
        """Keeps a result, and prints it."""
        self._known[result.fault.name] = result
        print(
            f"{result.verdict:<9} {result.fault.name:<34} {result.seconds:5.0f} s  {result.by}",
            flush=True,
        )
        if self._path is not None:
            entry = {"name": result.fault.name, "new": result.fault.new}
            entry |= {"verdict": result.verdict, "by": result.by}
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry | {"seconds": round(result.seconds, 1)}) + "\n")

    def results(self, faults: Iterable[Fault]) -> list[Result]:
        """Those of `faults` that are known, in their order."""
        return [self._known[fault.name] for fault in faults if fault in self]


def table(results: list[Result], total: int) -> str:
    """The results as a table of Markdown, and how many were run and killed."""
    lines = ["| fault | file | verdict | first test that fails |", "|---|---|---|---|"]
    for result in results:
        cells = (result.fault.name, f"`{result.fault.file}`", result.verdict, result.by)
        lines.append("| " + " | ".join(cells) + " |")
    killed = sum(result.verdict == "killed" for result in results)
    return "\n".join([*lines, "", f"{len(results)} of {total} run, {killed} killed."])


def run(faults: list[Fault], folder: Path, jobs: int, record: Record, minutes: float) -> int:
    """Tries each fault that has no result yet; the status says whether all were killed."""
    end = time.monotonic() + 60 * minutes
    left = [fault for fault in faults if fault not in record]
    if left and not try_all(left, folder, jobs, record, end):
        return 1
    results = record.results(faults)
    killed = sum(result.verdict == "killed" for result in results)
    print(f"{len(results)} of {len(faults)} faults run, {killed} killed")
    return 0 if killed == len(faults) else 1


def try_all(faults: list[Fault], folder: Path, jobs: int, record: Record, end: float) -> bool:
    """Builds, and tries faults until `end`; false when the tests fail without any fault."""
    copy = Copy(folder, jobs)
    copy.update()
    if not is_right(copy, [test for fault in faults for test in fault.tests]):
        return False
    unfound = []
    for fault in faults:
        if time.monotonic() > end:
            break
        result = copy.try_fault(fault, fault.tests)
        if result.verdict == "SURVIVED":
            unfound.append(fault)
            print(f"its own tests do not find {fault.name}: all others follow", flush=True)
        else:
            record.add(result)
    if unfound and time.monotonic() <= end and not is_right(copy, ALL_TESTS):
        return False
    for fault in unfound:
        if time.monotonic() > end:
            break
        record.add(copy.try_fault(fault, [t for t in ALL_TESTS if t not in fault.tests]))
    return True


def is_right(copy: Copy, tests: Iterable[tuple[str, str]]) -> bool:
    """Builds what tests need and runs them without any fault."""
    tests = sorted(set(tests))
    layers = sorted({layer for layer, _ in tests})
    print(f"building the tests of {', '.join(layers)}", flush=True)
    if not copy.build(layers):
        return False
    for layer, pattern in tests:
        found = copy.check(layer, pattern)
        if found is not None:
            print(f"without any fault {found} fails: mend that first", file=sys.stderr)
            return False
    return True


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these faults, in this order")
    parser.add_argument(
        "--list", action="store_true", help="print the faults and check their places"
    )
    parser.add_argument("--work", type=Path, help="where the copy is kept; a temporary folder else")
    parser.add_argument("--results", type=Path, help="a file that keeps what was found so far")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="no fault is begun after this time"
    )
    parser.add_argument("--table", action="store_true", help="print the results and run nothing")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    options = parser.parse_args()
    by_name = {fault.name: fault for fault in FAULTS}
    unknown = set(options.only or ()) - set(by_name)
    if unknown:
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    faults = [by_name[name] for name in options.only or by_name]
    errors = misplaced(faults)
    if options.list:
        print("\n".join(f"{f.name:<34} {f.file}" for f in faults))
    if errors:
        print("\n".join(errors), file=sys.stderr)
        return 1
    if options.list:
        return 0
    record = Record(options.results)
    if options.table:
        print(table(record.results(faults), len(faults)))
        return 0
    if options.work is not None:
        options.work.mkdir(parents=True, exist_ok=True)
        if any(options.work.iterdir()) and not (options.work / MARKER).exists():
            parser.error(f"{options.work} holds something else: --work takes a folder of its own")
        (options.work / MARKER).touch()
        return run(faults, options.work.resolve(), options.jobs, record, options.minutes)
    with tempfile.TemporaryDirectory() as folder:
        return run(faults, Path(folder), options.jobs, record, options.minutes)


if __name__ == "__main__":
    sys.exit(main())
