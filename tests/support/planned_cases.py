"""A case of the random tests of `auto_buffer`: a program, a machine and a planner, by a seed."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import numpy as np
import solway as sw
from solway.expr import root_of
from solway.failure import Failure, input_values, signature
from support.oracle import evaluate
from support.random_layers import random_layer
from support.random_machines import random_machine
from support.random_programs import stages_of

UNWRITTEN = 77  # what an output holds before the call
FACTORS = (1, 2, 3, 4, 8, 16)
MODES = (
    {"mode": "functional"},
    {"mode": "hazard", "landing": "at_issue"},
    {"mode": "hazard", "landing": "at_wait"},
    {"mode": "hazard", "landing": "random"},
)


def _is_nested(tensor):
    """Whether a reduction stands inside of a larger expression."""
    return bool(tensor.reduce_axis) and tensor._node.body.kind not in ("reduce", "reducer")


class PlannedCase:
    """A program on a machine of its own.

    Args:
        seed: of everything.
        folder: where the machine's file is written.
    """

    def __init__(self, seed, folder):
        self.seed = seed
        rng = random.Random(seed)
        self.target = Path(folder) / f"machine{seed}.toml"
        self.target.write_text(random_machine(rng, f"machine{seed}"))
        self.outputs, self.kind = random_layer(rng)
        self.stages, self.inputs = stages_of(self.outputs)
        own = [t for t in self.outputs if root_of(t) not in self.inputs]
        self.arguments = [*self.inputs, *own]
        machine = sw.Target.load(self.target)
        self.size_bytes = machine.memory(machine.default_scope).size_bytes
        may_count = machine.timing is not None
        self.planner = rng.choice(("optimal", "optimal", "greedy")) if may_count else "greedy"
        self.schedule = sw.create_schedule(self.outputs)
        self.fixed = []  # what a user fixed before
        if rng.random() < 0.2:
            self._fix(rng)
        self.planned = None

    def _fix(self, rng):
        """Splits a loop, and makes it one of several cores, vectors or of another place."""
        stage = self.schedule[rng.choice(self.stages)]
        loops = [*stage.axis, *stage.reduce_axis]
        if not loops:
            return
        try:
            outer, inner = stage.split(rng.choice(loops), rng.choice(FACTORS))
            kind = rng.choice(("split", "parallel", "vectorize", "unroll", "reorder"))
            if kind == "reorder":
                loops = [*stage.axis, *stage.reduce_axis]
                stage.reorder(*rng.sample(loops, len(loops)))
            elif kind != "split":
                getattr(stage, kind)(outer if kind == "parallel" else inner)
        except (sw.IllegalScheduleError, sw.ScheduleArgumentError, sw.UnsupportedError):
            pass
        self.fixed = [step.primitive for step in self.schedule.log]

    def plan(self):
        """Runs the planner."""
        self.planned = self.schedule.auto_buffer(self.target, planner=self.planner)

    def room_left(self, error):
        """Why it is wrong that there is no room; None when it is right.

        The oracle is a schedule by hand: buffers around the innermost loops, of one iteration each,
        of all tensors of all stages together. Planners count every buffer in whole alignments.
        """
        if self.fixed and "fixes" in error.why:
            return None
        if self.planner == "optimal" and self._fits_by_greedy():
            return "the greedy planner finds room"
        s = sw.create_schedule(self.outputs)
        for tensor in self.stages:
            spatial, terms = s[tensor].axis, s[tensor].reduce_axis
            # Each nested reduction has loops of its own: what several read is outside of them.
            inside = spatial if _is_nested(tensor) else [*spatial, *terms]
            is_first = tensor._node.members[0].name == tensor.name  # of a stage of several
            for read in tensor.inputs if inside and is_first else ():
                if not read._node.is_constant:
                    with contextlib.suppress(sw.UnsupportedError):  # what depends on data
                        s.buffer_read(read, at=inside[-1], readers=[tensor])
            if spatial or terms:
                s.buffer_write(tensor, at=(spatial or terms)[-1])
        report = s.ldm_report(self.target)
        memory = report.to_dict()["memories"][0]
        unit = memory["alignment_bytes"]
        fits = -(-memory["total_bytes"] // unit) * unit <= memory["available_bytes"]
        return f"one iteration of each loop fits:\n{report}" if fits else None

    def _fits_by_greedy(self):
        s = sw.create_schedule(self.outputs)
        try:
            s.auto_buffer(self.target, planner="greedy")
        except sw.CapacityError:
            return False
        return True

    def facts(self):
        """What the plan has, to be counted."""
        primitives = [step.primitive for step in self.schedule.log]
        return {
            "buffers": primitives.count("buffer_read") + primitives.count("buffer_write"),
            "of two regions": sum("depth=2" in str(step) for step in self.schedule.log),
            "of some references": sum("references=" in str(step) for step in self.schedule.log),
            "sliding": sum("slide=" in str(step) for step in self.schedule.log),
            "in whole units": sum("align=" in str(step) for step in self.schedule.log),
            "on several cores": primitives.count("parallel"),
            "vectors": primitives.count("vectorize"),
            "reductions inside expressions": sum(map(_is_nested, self.stages)),
            "stages in order": sum(stage.planner == "in order" for stage in self.planned.stages),
            "left in main memory": sum(
                "main memory" in verdict for _, verdict, _ in self.planned.remarks
            ),
        }

    def build(self):
        """The kernel."""
        form = ("auto", "peeled")[self.seed // 2 % 2]
        return sw.build(
            self.schedule,
            self.arguments,
            target=self.target,
            name=f"case{self.seed}",
            options=sw.Options(pipelines=form),
        )

    def run(self, kernel):
        """What is wrong in any mode; None when nothing is."""
        arrays = [input_values(t, self.seed) for t in self.inputs]
        given = dict(zip(self.inputs, arrays, strict=True))
        expected = [evaluate(t, given, outside=UNWRITTEN).astype(t.dtype) for t in self.outputs]
        own = self.arguments[len(self.inputs) :]
        for mode in MODES:
            options = {**mode, "seed": self.seed} if mode.get("landing") == "random" else mode
            new = [np.full(t.shape, UNWRITTEN, t.dtype) for t in own]
            called = [*(array.copy() for array in arrays), *new]
            try:
                with sw.emulator(**options):
                    kernel(*called)
            except sw.Error as error:
                return f"{options}: {type(error).__name__}: {error}"
            held = {root_of(t): array for t, array in zip(self.arguments, called, strict=True)}
            for tensor, right in zip(self.outputs, expected, strict=True):
                values = held[root_of(tensor)]
                if not np.array_equal(values, right):
                    return f"{options}: '{tensor.name}' is\n{values}\nbut\n{right}"
            if kernel.last_run.ldm_peak_bytes > self.size_bytes:
                return f"{options}: {kernel.last_run.ldm_peak_bytes} of {self.size_bytes} bytes"
        return None

    def failure(self, machine, error):
        """A finding as data, for ``solway replay``; `error` is None when results are wrong."""
        return Failure(
            found="wrong result" if error is None else signature(error),
            program=sw.to_python(self.outputs),
            schedule=self.schedule.to_python(),
            target=str(machine),
            seed=self.seed,
            detail=str(error or ""),
        )

    def report(self, what):
        """A finding, with the script and the machine of the case."""
        script = sw.to_python(self.outputs) + self.schedule.to_python()
        head = f"SOLWAY_SEED={self.seed} planner={self.planner!r}"
        return f"{head}\n{self.target.read_text()}\n{script}\n{what}"
