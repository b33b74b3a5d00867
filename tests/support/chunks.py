"""Chunks of seeds in processes of their own, two at a time: a crash ends no more than one.

A chunk is a script that takes the first seed and how many, prints what it found as JSON (`EMPTY`
has the fields), and says on standard error which seed it is at.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

SECONDS = 600  # of wall time, for a chunk: then it hangs
WORKERS = 2
EMPTY = {"pairs": {}, "counts": {}, "seconds": {}, "failures": [], "slowest": (0.0, 0, "")}


class Total:
    """What all chunks found."""

    def __init__(self):
        self.pairs, self.counts, self.seconds = Counter(), Counter(), Counter()
        self.failures, self.slowest = [], (0.0, 0, "")
        self.cases = self.asked = 0
        self.wall_seconds = 0.0

    def add(self, found, cases):
        self.cases += cases
        for field in ("pairs", "counts", "seconds"):
            getattr(self, field).update(found[field])
        self.failures += [(seed, target, text) for seed, target, text in found["failures"]]
        self.slowest = max(self.slowest, tuple(found["slowest"]))

    def require(self, least):
        """Fails when cases were left out, or when too few of them ran.

        Args:
            least: how many have to run, by target.
        """
        within = f"in {self.wall_seconds:.0f} s"
        assert self.cases == self.asked, (
            f"only {self.cases} of {self.asked} cases ran {within}; "
            "SOLWAY_FUZZ_SECONDS and SOLWAY_PLANNED_SECONDS give them more time"
        )
        for target, count in least.items():
            assert self.pairs[target] >= count, (
                f"only {self.pairs[target]} of {self.cases} cases ran on {target} {within}, "
                f"and {count} have to"
            )

    def cost(self):
        """Processor seconds by phase, and the slowest step, as lines."""
        cpu = ", ".join(f"{phase} {seconds:.0f}" for phase, seconds in self.seconds.items())
        slow, seed, name = self.slowest
        return [f"processor seconds: {cpu}", f"slowest: {name}, {slow:.1f} s (seed {seed})"]


def run_chunk(script, first, count):
    """What the chunk of `count` seeds from `first` found."""
    command = [sys.executable, str(script), str(first), str(count)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired as expired:
        at = (expired.stderr or b"").decode(errors="replace").strip().splitlines()[-1:]
        return _lost(f"no end within {SECONDS} s", at)
    if done.returncode != 0:
        return _lost(f"ended with {done.returncode}", done.stderr.strip().splitlines()[-8:])
    return json.loads(done.stdout)


def _lost(what, last_words):
    words = last_words[0].split() if last_words else ["0", "?"]
    seed = int(words[0]) if words[0].isdigit() else 0
    text = "\n".join([f"SOLWAY_SEED={seed}: {what}", *last_words])
    return {**EMPTY, "failures": [(seed, "process", text)]}


def run_all(script, total, first, cases, seconds, chunk):
    """Adds all chunks to `total`, two at a time, none started after `seconds`."""
    begin = time.monotonic()
    total.asked += cases

    def run(start):
        if time.monotonic() - begin > seconds:
            return None
        return run_chunk(script, start, min(chunk, first + cases - start))

    starts = range(first, first + cases, chunk)
    with ThreadPoolExecutor(WORKERS) as pool:
        for start, found in zip(starts, pool.map(run, starts), strict=True):
            if found is not None:
                total.add(found, min(chunk, first + cases - start))
    total.wall_seconds += time.monotonic() - begin
    return total


def say(seed, phase):
    """Of a chunk: what it is at."""
    print(f"{seed} {phase}", file=sys.stderr, flush=True)
