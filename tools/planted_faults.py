#!/usr/bin/env python3
"""Plants faults in a copy of the sources, one at a time, and checks that tests find each.

    tools/planted_faults.py                 all of them
    tools/planted_faults.py --only war poison-c
    tools/planted_faults.py --list
    tools/planted_faults.py --work DIR      keeps the copy and its build there, for the next time

A fault is an exact text that occurs once in a file, what replaces it, and the tests of which at
least one must fail. Only the test programs that a fault names are built again. This rebuilds parts
of the compiler for each fault: minutes, so it is no part of .ci/run.
"""

from __future__ import annotations

import argparse
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
FOLDERS = (
    "cmake codegen dma driver dsl emulator examples lowering memory_planner schedule support "
    "targets tests"
).split()
LIMIT_SECONDS = 600  # of one test program; one that does not end has found the fault


class Result(NamedTuple):
    """What became of one fault."""

    fault: Fault
    verdict: str  # killed, SURVIVED, NO BUILD
    by: str  # the first test that failed
    seconds: float


class Copy:
    """A copy of the sources with a build of its own."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self._tree = folder / "tree"
        self._build = folder / "build"
        self._jobs = jobs
        self._environment = {
            **os.environ,
            # So that objects of an earlier copy in another folder are found.
            "CCACHE_BASEDIR": str(folder),
            "CCACHE_NOHASHDIR": "1",
        }

    def update(self) -> None:
        """Copies what differs from the sources, and sets the build up."""
        names = subprocess.run(
            ["git", "ls-files", "-z", "CMakeLists.txt", *FOLDERS],
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
            if path.is_file() and path.relative_to(self._tree).as_posix() not in wanted:
                path.unlink()
        command = ["cmake", "-G", "Ninja", "-S", str(self._tree), "-B", str(self._build)]
        command += ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
        command += ["-DSOLWAY_BUILD_PYTHON=OFF"]
        if shutil.which("ccache"):
            command += [
                "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache",
                "-DCMAKE_C_COMPILER_LAUNCHER=ccache",
            ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=self._environment)

    def build(self, layers: Iterable[str]) -> bool:
        """Builds test programs; says whether that worked."""
        targets = [f"solway_{layer}_test" for layer in layers]
        done = subprocess.run(
            ["ninja", "-C", str(self._build), "-j", str(self._jobs), *targets],
            env=self._environment,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            print(done.stdout[-3000:], file=sys.stderr)
        return done.returncode == 0

    def failing_test(self, layer: str, pattern: str) -> str | None:
        """The first test that fails, or None."""
        (program,) = self._build.rglob(f"solway_{layer}_test")
        command = [
            str(program),
            f"--gtest_filter={pattern}",
            "--gtest_fail_fast",
            "--gtest_brief=1",
        ]
        try:
            done = subprocess.run(
                command,
                cwd=program.parent,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=LIMIT_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return f"{layer}: no end within {LIMIT_SECONDS} s"
        if done.returncode == 0:
            return None
        failed = [line for line in done.stdout.splitlines() if line.startswith("[  FAILED  ] ")]
        name = failed[0].split()[3].rstrip(",") if failed else f"status {done.returncode}"
        return f"{layer}.{name}"

    def try_fault(self, fault: Fault) -> Result:
        """Plants one fault, builds, runs its tests, takes it out again."""
        start = time.monotonic()
        path = self._tree / fault.file
        text = path.read_text()
        path.write_text(text.replace(fault.old, fault.new))
        verdict, by = "SURVIVED", ""
        try:
            if self.build(layer for layer, _ in fault.tests):
                for layer, pattern in fault.tests:
                    found = self.failing_test(layer, pattern)
                    if found is not None:
                        verdict, by = "killed", found
                        break
            else:
                verdict = "NO BUILD"
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


def run(faults: list[Fault], folder: Path, jobs: int) -> int:
    """Tries each fault and prints the table; the status says whether all were killed."""
    copy = Copy(folder, jobs)
    copy.update()
    layers = sorted({layer for fault in faults for layer, _ in fault.tests})
    print(f"building the tests of {', '.join(layers)}", flush=True)
    if not copy.build(layers):
        return 1
    for layer, pattern in sorted({test for fault in faults for test in fault.tests}):
        found = copy.failing_test(layer, pattern)
        if found is not None:
            print(f"without any fault {found} fails: mend that first", file=sys.stderr)
            return 1
    results = []
    for fault in faults:
        result = copy.try_fault(fault)
        results.append(result)
        print(
            f"{result.verdict:<9} {fault.name:<34} {result.seconds:5.0f} s  {result.by}", flush=True
        )
    killed = sum(result.verdict == "killed" for result in results)
    print(f"{killed} of {len(results)} faults killed")
    return 0 if killed == len(results) else 1


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="of these faults")
    parser.add_argument(
        "--list", action="store_true", help="print the faults and check their places"
    )
    parser.add_argument("--work", type=Path, help="where the copy is kept; a temporary folder else")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    options = parser.parse_args()
    faults = [f for f in FAULTS if not options.only or f.name in options.only]
    unknown = set(options.only or ()) - {f.name for f in FAULTS}
    if unknown:
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    errors = misplaced(faults)
    if options.list:
        print("\n".join(f"{f.name:<34} {f.file}" for f in faults))
    if errors:
        print("\n".join(errors), file=sys.stderr)
        return 1
    if options.list:
        return 0
    if options.work is not None:
        options.work.mkdir(parents=True, exist_ok=True)
        return run(faults, options.work.resolve(), options.jobs)
    with tempfile.TemporaryDirectory() as folder:
        return run(faults, Path(folder), options.jobs)


if __name__ == "__main__":
    sys.exit(main())
