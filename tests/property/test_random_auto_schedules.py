"""Random programs that `auto_schedule` plans for CPUs are right, exactly, on every plan.

Environment:

SOLWAY_AUTO_CASES   how many programs; 80
SOLWAY_AUTO_FIRST   the first seed
SOLWAY_SEED         one seed by itself
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import numpy as np
import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "python")]

import solway as sw  # noqa: E402
from solway import _core  # noqa: E402
from solway.expr import here, root_of  # noqa: E402
from solway.failure import input_values  # noqa: E402
from solway.target import machine_of  # noqa: E402
from support.guarded import SIDES, guarded  # noqa: E402
from support.oracle import evaluate  # noqa: E402
from support.random_layers import random_layer  # noqa: E402
from support.random_programs import random_program, stages_of  # noqa: E402

CASES = int(os.environ.get("SOLWAY_AUTO_CASES", "80"))
FIRST = int(os.environ.get("SOLWAY_AUTO_FIRST", "20261125"))
GIVEN = os.environ.get("SOLWAY_SEED")
SEEDS = [int(GIVEN)] if GIVEN else range(FIRST, FIRST + CASES)
UNWRITTEN = 77  # what an output holds before the call


def fix_something(rng, schedule, stages):
    """Splits a loop, as a user may have done before."""
    stage = schedule[rng.choice(stages)]
    loops = [*stage.axis, *stage.reduce_axis]
    if not loops:
        return
    try:
        _, inner = stage.split(rng.choice(loops), rng.choice((2, 3, 8)))
        if rng.random() < 0.5:
            stage.vectorize(inner)
    except (sw.IllegalScheduleError, sw.ScheduleArgumentError, sw.UnsupportedError):
        pass


def planned(rng, outputs, target):
    """The schedule by the model, or with plans that a search might pick."""
    stages, _ = stages_of(outputs)
    schedule = sw.create_schedule(outputs)
    if rng.random() < 0.15:
        fix_something(rng, schedule, stages)
    trial = sw.create_schedule(outputs)
    chosen = trial.auto_schedule(target)
    if schedule.log or rng.random() < 0.5:
        schedule.auto_schedule(target)
        return schedule
    picks = {name: rng.randrange(len(plans)) for name, plans in chosen.alternatives.items()}
    state, *_ = _core.auto_schedule(schedule._state, machine_of(target), picks, here())
    schedule._state = state
    return schedule


def wrong(kernel, outputs, inputs, own, seed):
    """What a kernel computes wrongly on arrays with an unreadable page on a side; or None."""
    arrays = [input_values(t, seed) for t in inputs]
    given = dict(zip(inputs, arrays, strict=True))
    expected = [evaluate(t, given, outside=UNWRITTEN).astype(t.dtype) for t in outputs]
    new = [np.full(t.shape, UNWRITTEN, t.dtype) for t in own]
    for side in SIDES:
        called = [guarded(array, side) for array in (*arrays, *new)]
        kernel(*called)
        held = {root_of(t): array for t, array in zip((*inputs, *own), called, strict=True)}
        for tensor, right in zip(outputs, expected, strict=True):
            values = held[root_of(tensor)]
            if not np.array_equal(values, right):
                return f"a page {side}: '{tensor.name}' is\n{values}\nbut\n{right}"
    return None


@pytest.mark.parametrize("seed", SEEDS)
def test_planned_programs_are_right(seed):
    rng = random.Random(seed)
    outputs = random_layer(rng)[0] if rng.random() < 0.6 else random_program(rng)
    if not isinstance(outputs, list):
        outputs = list(outputs) if isinstance(outputs, tuple) else [outputs]
    target = rng.choice(("host", "host", "x86-64-v3"))
    schedule = planned(rng, outputs, target)
    _, inputs = stages_of(outputs)
    own = [t for t in outputs if root_of(t) not in inputs]
    kernel = sw.build(schedule, [*inputs, *own], target=target, name=f"case{seed}")
    why = wrong(kernel, outputs, inputs, own, seed)
    assert why is None, f"SOLWAY_SEED={seed}\n{schedule}\n{why}"
    scope = {"sw": sw, "outputs": outputs}
    exec(schedule.to_python(), scope)
    assert str(scope["s"]) == str(schedule), f"SOLWAY_SEED={seed}"
