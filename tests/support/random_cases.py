"""A case of the random tests: a program under a schedule, its inputs, and what is right.

A case follows from its seed, and from the primitives that solway has.
"""

from __future__ import annotations

import random
import time
import traceback
from collections import Counter

import numpy as np
import solway as sw
from solway.expr import root_of
from solway.failure import Failure, input_values, signature
from support.guarded import SIDES, guarded
from support.oracle import evaluate
from support.random_primitives import apply_random, random_primitive
from support.random_programs import random_program, stages_of

UNWRITTEN = 77  # what an output holds before the call


class Broken(Exception):
    """A case that is wrong before anything is built."""


class Case:
    """A program under a random schedule.

    Args:
        seed: of everything.

    Raises:
        Broken: a primitive raised what it must not, or changed a schedule that it refused.
    """

    def __init__(self, seed):
        self.seed = seed
        self.counts = Counter()  # of primitives: "split legal", "reorder IllegalScheduleError"
        self.slowest = (0.0, "")
        rng = random.Random(seed)
        self.outputs = random_program(rng)
        self.stages, self.inputs = stages_of(self.outputs)
        # What changes a caller's array has that array's place among the arguments.
        own = [t for t in self.outputs if root_of(t) not in self.inputs]
        self.arguments = [*self.inputs, *own]
        self.schedule = sw.create_schedule(self.outputs)
        self._pad(random.Random(f"pad {seed}"))
        self._apply(rng)
        self.arrays = [input_values(t, seed) for t in self.inputs]
        self._expected = None

    @property
    def expected(self):
        """The right values of the outputs."""
        if self._expected is None:
            given = dict(zip(self.inputs, self.arrays, strict=True))
            self._expected = [
                evaluate(t, given, outside=UNWRITTEN).astype(t.dtype) for t in self.outputs
            ]
        return self._expected

    @property
    def poisons(self):
        """Whether destinations of transfers are poisoned on this machine."""
        return self.seed // 2 % 2 == 0

    def _pad(self, rng):
        """Now and then, more elements of a stage; `pad` takes one that nothing has changed."""
        if rng.random() < 0.8:
            return
        at = rng.randrange(len(self.stages))
        tensor = self.stages[at]
        try:
            shape = [n + rng.choice((0, 0, 1, 2, 5)) for n in tensor.shape]
            padded = self.schedule.pad(tensor, shape)
        except sw.Error as error:
            self.counts[f"pad {type(error).__name__}"] += 1
            if isinstance(error, sw.InternalError) or not error.why:
                raise Broken(self.report(f"{type(error).__name__}: {error}")) from error
            return
        self.counts["pad legal"] += 1
        if tensor not in self.outputs or rng.random() < 0.7:
            self.stages[at] = padded

    def _apply(self, rng):
        s, buffers = self.schedule, []
        for _ in range(rng.randint(0, 6)):
            before, error, start = (s._state, s.log), None, time.process_time()
            primitive = random_primitive(rng)
            name = primitive.__name__
            try:
                apply_random(rng, primitive, s, self.stages, buffers)
            except sw.Error as caught:
                error = caught
            except Exception as caught:
                raise Broken(self.report(f"{name}: {traceback.format_exc()}")) from caught
            self.slowest = max(self.slowest, (time.process_time() - start, name))
            if error is None:
                self.counts[f"{name} legal"] += 1
                continue
            self.counts[f"{name} {type(error).__name__}"] += 1
            if isinstance(error, sw.InternalError) or not error.why:
                raise Broken(self.report(f"{type(error).__name__}: {error}"))
            if s._state is not before[0] or s.log != before[1]:
                raise Broken(self.report(f"changed by what was refused: {error}"))
        str(s)

    def build(self, target):
        """The kernel of a target."""
        return sw.build(
            self.schedule,
            self.arguments,
            target=target,
            name=f"case{self.seed}",
            poison_transfers=self.poisons and target in ("host", "c"),
            options=sw.Options(pipelines=("auto", "peeled")[self.seed // 2 % 2]),
        )

    @property
    def side(self):
        """On which side of the arrays of emulated processors the unreadable page is."""
        return SIDES[self.seed // 4 % 2]

    def call_arrays(self):
        """New arrays for the arguments: inputs, then outputs, each against an unreadable page."""
        own = self.arguments[len(self.inputs) :]
        new = [np.full(t.shape, UNWRITTEN, t.dtype) for t in own]
        rng = random.Random(self.seed)
        return [guarded(array, rng.choice(SIDES)) for array in [*self.arrays, *new]]

    def wrong(self, target, arrays):
        """What is wrong with the outputs in `arrays`; None when nothing is."""
        held = {root_of(t): array for t, array in zip(self.arguments, arrays, strict=True)}
        for tensor, expected in zip(self.outputs, self.expected, strict=True):
            values = held[root_of(tensor)]
            if not np.array_equal(values, expected):
                return self.report(f"'{tensor.name}' on {target} is\n{values}\nbut\n{expected}")
        return None

    def run_alone(self, target):
        """What is wrong with this case on a target; None when nothing is."""
        arrays = self.call_arrays()
        try:
            with sw.emulator("hazard"):
                self.build(target)(*arrays)
        except sw.Error as error:
            return self.report(f"{target}: {type(error).__name__}: {error}")
        return self.wrong(target, arrays)

    def failure(self, target, found):
        """A finding as data, for ``solway replay``; `found` is an error, or None: wrong results."""
        return Failure(
            found="wrong result" if found is None else signature(found),
            program=sw.to_python(self.outputs),
            schedule=self.schedule.to_python(),
            target=target,
            poison_transfers=self.poisons,
            seed=self.seed,
            detail=str(found or ""),
        )

    def report(self, what):
        """A finding, with the script of the case."""
        script = sw.to_python(self.outputs) + self.schedule.to_python()
        return f"SOLWAY_SEED={self.seed}\n{script}\n{what}"


def draw(seed):
    """Outputs, inputs, schedule and counts of a case."""
    case = Case(seed)
    return case.outputs, case.inputs, case.schedule, case.counts


def report(seed, s, what):
    """A finding about the schedule of a seed."""
    return f"SOLWAY_SEED={seed}\n{s.to_python()}\n{what}"
