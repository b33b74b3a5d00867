"""The short measured search of `Schedule.auto_schedule`: plans compiled, and run in turns."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from tqdm import tqdm

from solway import _core
from solway._kernel_arguments import arguments_of
from solway.expr import Tensor

if TYPE_CHECKING:
    from solway._arguments import Array
    from solway.kernel import Kernel

__all__ = ["Search", "Trial", "why_not_measured"]

_ROUNDS = 15  # in which two kernels take turns
_ENOUGH_SECONDS = 0.1  # of such rounds, after the first
_SHARE = 0.05  # of the model's cycles, below which a stage is not searched
_GAIN = 0.98  # of the time: less than that is noise
_LINE_BYTES = 64  # of caches
_HOPELESS = 8.0  # times the cycles of the model's choice


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


def _aligned(values: Array) -> Array:
    """A copy at the start of a line of the caches, as arrays of networks and libraries lie.

    NumPy's large arrays start 16 bytes behind one: each load of 64 bytes then takes two lines, and
    tiles that load more vectors look worse than they are.
    """
    room = np.empty(values.nbytes + _LINE_BYTES, np.uint8)
    start = -room.ctypes.data % _LINE_BYTES
    out = room[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    out[...] = values
    return out


class _Timed:
    """A kernel with arrays of its own."""

    def __init__(self, kernel: Kernel, tensors: list[Tensor]) -> None:
        from solway.failure import input_values

        self.kernel = kernel
        self.arrays = [_aligned(input_values(tensor, 0)) for tensor in tensors]
        self.least = float("inf")
        code = "\n".join(text for name, text in kernel.source.items() if name.endswith(".s"))
        self.spills = sum("mm" in line and "(%rsp" in line for line in code.splitlines())
        self._run()  # once before it counts

    def _run(self) -> float:
        self.kernel(*self.arrays, threads=1)  # plans are of a core, and others may have the rest
        assert self.kernel.last_run is not None
        return self.kernel.last_run.seconds

    def measure(self) -> None:
        """One more run."""
        self.least = min(self.least, self._run())


class Search:
    """Tries the plans of the stages that take the most time, one stage after the other.

    Args:
        state: the schedule before it is planned.
        machine: the target.
        where: the user's line.
        seconds: after which no other plan is tried.
        fast_math: what the schedule allows.
    """

    def __init__(
        self,
        state: _core.ScheduleState,
        machine: str | _core.Target,
        where: _core.SourceLoc,
        seconds: float,
        *,
        fast_math: bool = False,
    ) -> None:
        self._state = state
        self._fast_math = fast_math
        self._machine = machine
        self._where = where
        self._end = time.monotonic() + seconds
        self.picks: dict[str, int] = {}
        self.trials: list[Trial] = []

    def run(self, planned: _core.ScheduleState, alternatives: dict[str, Any]) -> None:
        """Fills `picks` and `trials`.

        Args:
            planned: the schedule by the model alone.
            alternatives: the plans of each stage, the model's choice first.
        """
        stages = self._stages(alternatives)
        best = first = self._timed(planned)
        tried: list[tuple[str, int, float, int]] = []
        with tqdm(
            total=sum(len(alternatives[stage]) - 1 for stage in stages),
            desc="auto_schedule",
            leave=False,
            disable=not sys.stderr.isatty(),
        ) as progress:
            for stage, pick in self._work(stages, alternatives):
                if time.monotonic() > self._end:
                    break
                other = self._candidate(stage, pick)
                self._compare(best, other)
                if not any(row[0] == stage for row in tried):
                    tried.append((stage, 0, best.least, best.spills))
                tried.append((stage, pick, other.least, other.spills))
                if self._is_better(other, best):
                    self.picks[stage], best = pick, other
                progress.update()
                progress.set_postfix_str(f"{best.least * 1e6:,.0f} us")
        self._confirm(first, best)
        for stage, pick, seconds, spills in tried:
            plan = alternatives[stage][pick]
            is_chosen = self.picks.get(stage, 0) == pick
            self.trials.append(Trial(stage, plan.text, plan.cycles, seconds, spills, is_chosen))

    @staticmethod
    def _stages(alternatives: dict[str, Any]) -> list[str]:
        """Those that are searched, what the model finds the most costly first."""
        total = sum(plans[0].cycles for plans in alternatives.values())
        return [
            stage
            for stage, plans in sorted(alternatives.items(), key=lambda item: -item[1][0].cycles)
            if plans[0].cycles >= _SHARE * total
        ]

    def _work(self, stages: list[str], alternatives: dict[str, Any]) -> Iterator[tuple[str, int]]:
        """(stage, number of its plan): kinds of tiles, the best of them in other ways, the rest."""
        for stage in stages:
            plans = alternatives[stage]
            near = [
                pick
                for pick in range(1, len(plans))
                if plans[pick].cycles < _HOPELESS * plans[0].cycles
            ]
            kinds = {plans[pick].of for pick in near}
            yield from ((stage, pick) for pick in near if pick in kinds)
            tile = self.picks.get(stage, 0)
            yield from ((stage, pick) for pick in near if plans[pick].of == tile)
            rest = [pick for pick in near if plans[pick].of < 0 and pick not in kinds]
            yield from ((stage, pick) for pick in rest)

    def _candidate(self, stage: str, pick: int) -> _Timed:
        picks = {**self.picks, stage: pick}
        state, *_ = _core.auto_schedule(
            self._state, self._machine, picks, self._where, fast_math=self._fast_math
        )
        return self._timed(state)

    def _timed(self, state: _core.ScheduleState) -> _Timed:
        from solway.kernel import Kernel
        from solway.schedule import Schedule

        tensors = arguments_of(state)
        nodes = [tensor._node for tensor in tensors]
        made = _core.build(
            state, nodes, self._machine, "candidate", False, self._where, ([], "", False, None),
            fast_math=self._fast_math,
        )  # fmt: skip
        return _Timed(Kernel(made, tensors, Schedule(state)), tensors)

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
            best.measure()
            other.measure()
            # One run may have been interrupted.
            is_behind = turn > 0 and other.least > 1.5 * best.least
            if time.monotonic() > end or is_behind:
                break

    @staticmethod
    def _is_better(other: _Timed, best: _Timed) -> bool:
        if other.least < _GAIN * best.least:
            return True
        return other.least < best.least / _GAIN and other.spills == 0 < best.spills
