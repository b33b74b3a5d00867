"""The short measured search of `Schedule.auto_schedule`: plans compiled, and run in turns."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from tqdm import tqdm

from solway import _core
from solway._kernel_arguments import arguments_of
from solway.expr import Tensor

if TYPE_CHECKING:
    from solway._arguments import Array
    from solway.auto_schedule import Alternative
    from solway.kernel import Kernel

__all__ = ["Planned", "Search", "Trial", "why_not_measured"]

_ROUNDS = 15  # in which two kernels take turns
_ENOUGH_SECONDS = 0.1  # of such rounds, after the first
_SHARE = 0.05  # of the model's cycles, below which a stage is not searched
_FAR_BEHIND = 1.5  # times the best one's time
_GAIN = 0.98  # of the time: less than that is noise
_ROWS = "rows of "  # how a number of rows is named beside stages
_LINE_BYTES = 64  # of caches
_HOPELESS = 8.0  # times the cycles of the model's choice
_VALUES = 1 << 16  # of an input, after which they come again
_LONGER = 1.3  # than all before a plan may take to be made
_STEADY_SECONDS = 0.1  # a first run that takes longer is little slower than the next one


class Trial(NamedTuple):
    """A plan that was compiled and timed.

    Args:
        stage: whose plan it is.
        text: what the plan is.
        cycles: of the stage, by the model.
        seconds: of the whole kernel, the least of those that were measured.
        spills: instructions that move vectors to or from the stack.
        is_chosen: it is the one that was taken.
    """

    stage: str
    text: str
    cycles: float
    seconds: float
    spills: int
    is_chosen: bool

    def __str__(self) -> str:
        verdict = ", chosen" if self.is_chosen else ""
        spilled = f", {self.spills} vectors spilled" if self.spills else ""
        return (
            f"tried {self.stage}: {self.text}: {self.seconds * 1e6:,.1f} us measured, "
            f"{self.cycles:,.0f} cycles by the model{spilled}{verdict}"
        )


def why_not_measured(state: _core.ScheduleState) -> str:
    """Why a program cannot be run on values that this module makes; "" when it can."""
    if state.sizes():
        return "its sizes are known when it runs"
    if any(_depends_on_data(stage.body) for stage in state.stages()):
        return "it reads at indices that depend on data"
    return ""


def _depends_on_data(expr: _core.Expr | None) -> bool:
    return expr is not None and (
        expr.kind == "bounded" or any(map(_depends_on_data, expr.operands))
    )


def _aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array at the start of a line of the caches, as those of networks and libraries lie.

    NumPy's large arrays start 16 bytes behind one: each load of 64 bytes then takes two lines, and
    tiles that load more vectors look worse than they are.
    """
    size_bytes = math.prod(shape) * dtype.itemsize
    room = np.empty(size_bytes + _LINE_BYTES, np.uint8)
    start = -room.ctypes.data % _LINE_BYTES
    out: Array = room[start : start + size_bytes].view(dtype).reshape(shape)
    return out


def _values(tensor: Tensor) -> Array:
    """Small whole numbers; those of a large array come again, as to draw them all takes long."""
    out = _aligned(tensor.shape, np.dtype(tensor.dtype))
    flat = out.reshape(-1)
    drawn = np.random.default_rng(0).integers(-3, 4, min(_VALUES, flat.size)).astype(out.dtype)
    for start in range(0, flat.size, _VALUES):
        part = flat[start : start + _VALUES]
        part[...] = drawn[: part.size]
    return out


class _Timed:
    """A kernel and the arrays that all plans share.

    Args:
        kernel: the one that is measured.
        arrays: its arguments.
    """

    def __init__(self, kernel: Kernel, arrays: list[Array]) -> None:
        self.kernel = kernel
        self.arrays = arrays
        code = "\n".join(text for name, text in kernel.source.items() if name.endswith(".s"))
        self.spills = sum("mm" in line and "(%rsp" in line for line in code.splitlines())
        self.first = self._run()
        self.is_steady = self.first > _STEADY_SECONDS
        self.least = self.first if self.is_steady else float("inf")  # a short one does not count

    def _run(self) -> float:
        self.kernel(*self.arrays, threads=1)  # plans are of a core, and others may have the rest
        assert self.kernel.last_run is not None
        return self.kernel.last_run.seconds

    def measure(self) -> None:
        """One more run."""
        self.least = min(self.least, self._run())


class Planned(NamedTuple):
    """A schedule with plans for its stages.

    Args:
        state: the schedule.
        stages: the choice for each stage, as `AutoSchedule` takes it.
        remarks: (step, verdict, why) of what was left as it is.
    """

    state: _core.ScheduleState
    stages: list[dict[str, Any]]
    remarks: list[tuple[str, str, str]]


class Search:
    """Tries the plans of the stages that take the most time, one stage after the other.

    Args:
        state: the schedule before it is planned.
        machine: the target.
        where: the user's line.
        seconds: from `began`, before which it ends: a plan of which the others tell that it would
            take longer is not begun.
        began: when the schedule by the model alone was begun, as `time.monotonic` tells; None: now.
        fast_math: what the schedule allows.
    """

    def __init__(
        self,
        state: _core.ScheduleState,
        machine: str | _core.Target,
        where: _core.SourceLoc,
        seconds: float,
        *,
        began: float | None = None,
        fast_math: bool = False,
    ) -> None:
        self._state = state
        self._fast_math = fast_math
        self._machine = machine
        self._where = where
        self._began = time.monotonic() if began is None else began
        self._end = self._began + seconds
        self._preparing = time.monotonic() - self._began  # the longest: planned and compiled
        self._arrays: list[Array] = []
        self.picks: dict[str, int] = {}
        self.trials: list[Trial] = []
        self.is_complete = True
        self.found: Planned | None = None

    def run(self, planned: Planned, alternatives: dict[str, Any]) -> None:
        """Fills `picks`, `trials`, `found`; and `is_complete`: no plan was left for want of time.

        Args:
            planned: the schedule by the model alone.
            alternatives: the plans of each stage, the model's choice first.
        """
        self.found = planned
        self.is_complete = self._has_room(0.0)
        if not self.is_complete:
            return
        alternatives = dict(alternatives)
        stages = self._stages(alternatives)
        best = first = self._timed(planned.state, self._began)
        tried: list[tuple[str, int, Alternative, float, int]] = []
        with tqdm(
            total=sum(len(self._near(alternatives[stage])) for stage in stages),
            desc="auto_schedule",
            leave=False,
            disable=not sys.stderr.isatty(),
        ) as progress:
            for stage, pick in self._work(stages, alternatives):
                plans = alternatives[stage]
                slower = plans[pick].cycles / max(plans[self.picks.get(stage, 0)].cycles, 1.0)
                self.is_complete = self._has_room(self._runs_of(first, best, slower))
                if not self.is_complete:
                    break
                made, other, others = self._candidate(stage, pick)
                self._compare(best, other)
                if not any(row[0] == stage for row in tried):
                    tried.append((stage, 0, plans[0], best.least, best.spills))
                tried.append((stage, pick, plans[pick], other.least, other.spills))
                if self._is_better(other, best):
                    self.picks[stage], best, self.found = pick, other, made
                    if stage.startswith(_ROWS):  # whose loops have other plans
                        alternatives.update(others)
                progress.update()
                progress.set_postfix_str(f"{best.least * 1e6:,.0f} us")
        self._confirm(first, best)
        if not self.picks:
            self.found = planned
        for stage, pick, plan, seconds, spills in tried:
            is_chosen = self.picks.get(stage, 0) == pick
            self.trials.append(Trial(stage, plan.text, plan.cycles, seconds, spills, is_chosen))

    def _has_room(self, runs: float) -> bool:
        """Whether another plan can be made, and be run for so many seconds, before the end."""
        return time.monotonic() + _LONGER * self._preparing + runs < self._end

    def _runs_of(self, first: _Timed, best: _Timed, slower: float) -> float:
        """Seconds of runs of a plan that takes `slower` times the best one's cycles by the model.

        They are its first run, the turns of both, and those in which the model's choice and what
        was found are compared once more.
        """
        one = min(best.first, best.least)
        other = one * max(slower, 1.0)
        turns = min(_ENOUGH_SECONDS, _ROUNDS * (one + other)) + one + other
        again = 0.0 if best is first else min(_ENOUGH_SECONDS, 2 * _ROUNDS * one) + 2 * one
        return other + turns + again

    @staticmethod
    def _stages(alternatives: dict[str, Any]) -> list[str]:
        """How many rows are together, then the stages, the most costly by the model first."""
        rows = [name for name in alternatives if name.startswith(_ROWS)]
        costs = {n: plans[0].cycles for n, plans in alternatives.items() if n not in rows}
        least = _SHARE * sum(costs.values())
        return rows + sorted((n for n in costs if costs[n] >= least), key=lambda n: -costs[n])

    @staticmethod
    def _near(plans: Sequence[Alternative]) -> list[int]:
        """The numbers of those that are worth a try, without the model's choice."""
        return [
            pick
            for pick in range(1, len(plans))
            if plans[pick].cycles < _HOPELESS * plans[0].cycles
        ]

    def _work(self, stages: list[str], alternatives: dict[str, Any]) -> Iterator[tuple[str, int]]:
        """(stage, number of its plan): kinds of tiles, the best of them in other ways, the rest."""
        for stage in stages:
            plans = alternatives[stage]
            near = self._near(plans)
            kinds = {plans[pick].of for pick in near}
            yield from ((stage, pick) for pick in near if pick in kinds)
            tile = self.picks.get(stage, 0)
            yield from ((stage, pick) for pick in near if plans[pick].of == tile)
            rest = [pick for pick in near if plans[pick].of < 0 and pick not in kinds]
            yield from ((stage, pick) for pick in rest)

    def _candidate(self, stage: str, pick: int) -> tuple[Planned, _Timed, dict[str, Any]]:
        from solway.auto_schedule import plans_by_stage

        began = time.monotonic()
        picks = {**self.picks, stage: pick}
        state, stages, remarks, alternatives = _core.auto_schedule(
            self._state, self._machine, picks, self._where, fast_math=self._fast_math
        )
        others = plans_by_stage(alternatives)
        return Planned(state, stages, remarks), self._timed(state, began), others

    def _timed(self, state: _core.ScheduleState, began: float) -> _Timed:
        from solway.kernel import Kernel
        from solway.schedule import Schedule

        tensors = arguments_of(state)
        nodes = [tensor._node for tensor in tensors]
        made = _core.build(
            state, nodes, self._machine, "candidate", False, self._where, ([], "", False, None),
            fast_math=self._fast_math,
        )  # fmt: skip
        self._preparing = max(self._preparing, time.monotonic() - began)
        if not self._arrays:
            self._arrays = [_values(tensor) for tensor in tensors]
        return _Timed(Kernel(made, tensors, Schedule(state)), self._arrays)

    def _confirm(self, first: _Timed, best: _Timed) -> None:
        """Once more what was found and the model's choice, which stays if that was by chance."""
        if best is first:
            return
        first.least = best.least = float("inf")
        self._compare(first, best)
        if not self._is_better(best, first):
            self.picks.clear()

    @staticmethod
    def _compare(best: _Timed, other: _Timed) -> None:
        """Runs both in turns; one that is far behind after the first of them no more."""
        end = time.monotonic() + _ENOUGH_SECONDS
        for turn in range(_ROUNDS):
            # One run may have been interrupted.
            has_run = other.is_steady or turn > 1
            if has_run and other.least > _FAR_BEHIND * best.least:
                break
            best.measure()
            other.measure()
            if time.monotonic() > end:
                break

    @staticmethod
    def _is_better(other: _Timed, best: _Timed) -> bool:
        if other.least < _GAIN * best.least:
            return True
        return other.least < best.least / _GAIN and other.spills == 0 < best.spills
