"""Random schedules on the emulated machine: what the program means, and what host and c give.

Many kernels are compiled and run at once. SOLWAY_SEED=<seed> replays one case by itself.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest
import solway as sw
from support.kernel_pack import pack, packs_of, run_pack
from support.oracle import evaluate
from test_random_schedules import draw

CASES = 110
FIRST_SEED = 20190417


class Case:
    """A program under a schedule, its inputs, and what its outputs should be."""

    def __init__(self, seed):
        self.seed = seed
        self.outputs, self.inputs, self.schedule, self.counts = draw(seed)
        self.arguments = [*self.inputs, *self.outputs]
        rng = np.random.default_rng(seed)
        self.arrays = [rng.integers(-3, 4, t.shape).astype(t.dtype) for t in self.inputs]
        given = dict(zip(self.inputs, self.arrays, strict=True))
        self.expected = [evaluate(t, given).astype(t.dtype) for t in self.outputs]

    def build(self, target):
        return sw.build(self.schedule, self.arguments, target=target, name=f"case{self.seed}")

    def call_arrays(self):
        """Inputs, and new arrays for the outputs."""
        return [*self.arrays, *(np.full(t.shape, 77, t.dtype) for t in self.outputs)]

    def wrong(self, target, arrays):
        """What is wrong with the outputs in `arrays`; None when nothing is."""
        for tensor, got, expected in zip(
            self.outputs, arrays[len(self.inputs) :], self.expected, strict=True
        ):
            if got.tobytes() != expected.tobytes():
                return self.report(f"'{tensor.name}' on {target} is\n{got}\nbut\n{expected}")
        return None

    def report(self, what):
        script = "\n".join(map(str, self.schedule.log))
        return f"SOLWAY_SEED={self.seed}\n{script}\n{self.schedule}\n{what}"


def run_alone(case, target):
    """What is wrong with a case on a target; None when nothing is."""
    arrays = case.call_arrays()
    try:
        case.build(target)(*arrays)
    except sw.Error as error:
        return case.report(f"{target}: {error}")
    return case.wrong(target, arrays)


def run_together(folder, cases, kernels):
    """Failures of the cases on sw26010, all run at once; one by one when that ends in an error."""
    packed, failures = pack(folder, kernels), []
    for landing in ("at_wait", "random"):
        arrays = [case.call_arrays() for case in cases]
        try:
            with sw.emulator(landing=landing, seed=FIRST_SEED if landing == "random" else 0):
                run_pack(packed, arrays)
        except sw.Error as error:
            alone = [wrong for case in cases if (wrong := run_alone(case, "sw26010"))]
            return alone or [f"{len(cases)} kernels together: {error}"]
        pairs = zip(cases, arrays, strict=True)
        failures += [wrong for case, given in pairs if (wrong := case.wrong("sw26010", given))]
    return failures


def draw_cases(count):
    """Cases that sw26010 takes, with their kernels, and how many it refuses."""
    cases, kernels, refused, seed = [], [], Counter(), FIRST_SEED
    while len(cases) < count:
        case = Case(seed)
        seed += 1
        try:
            kernels.append(case.build("sw26010"))
        except sw.UnsupportedError as error:
            refused[error.why] += 1
            continue
        cases.append(case)
    return cases, kernels, refused


def codes(kernels):
    return [k.source[f"{k.name}_cpe.c"] for k in kernels]


def test_random_schedules_on_sw26010(capsys, tmp_path):
    """At least 100 programs, each under a random schedule."""
    given = os.environ.get("SOLWAY_SEED")
    if given:
        case = Case(int(given))
        failures = [wrong for t in ("sw26010", "host", "c") if (wrong := run_alone(case, t))]
        assert not failures, failures[0]
        return
    cases, kernels, refused = draw_cases(CASES)
    failures, begin = [], 0
    packs = packs_of(kernels)
    for number, members in enumerate(packs):
        part = cases[begin : begin + len(members)]
        begin += len(members)
        failures += run_together(tmp_path / f"pack{number}", part, members)
    for case in cases:
        targets = ("host", "c") if case.seed % 3 == 0 else ("host",)
        failures += [wrong for t in targets if (wrong := run_alone(case, t))]
    with capsys.disabled():
        transfers = sum("_get_reply" in text or "_put_reply" in text for text in codes(kernels))
        print(f"\n{len(cases)} schedules on sw26010 from seed {FIRST_SEED}, in {len(packs)} packs;")
        print(f"{sum(refused.values())} refused: {dict(refused)}; {transfers} with transfers")
    if failures:
        pytest.fail(f"{len(failures)} of {len(cases)} fail; the first:\n{failures[0]}")
