"""`Schedule.auto_schedule`: all of a schedule chosen for a target, and what was chosen."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from solway import _core, _plan_cache
from solway._cpu import runs
from solway._measured_search import Planned, Search, Trial, why_not_measured
from solway.auto_buffer import AutoBuffer, StageChoice
from solway.errors import UnsupportedError
from solway.expr import Tensor, here
from solway.options import limited
from solway.target import Target, loaded, machine_of

if TYPE_CHECKING:
    from solway.options import Options
    from solway.schedule import Schedule

__all__ = ["Alternative", "AutoSchedule", "AutoScheduling", "Trial"]


class Alternative(NamedTuple):
    """A plan that the model finds good for a stage.

    Args:
        text: what it is.
        cycles: of the stage, by the model, on one core.
        of: the number of the plan whose tile it has, in another way; -1: a tile of its own.
    """

    text: str
    cycles: float
    of: int = -1

    def __str__(self) -> str:
        return f"{self.text}: {self.cycles:,.0f} cycles by the model"


def plans_by_stage(
    alternatives: list[tuple[str, list[tuple[str, float, int]]]],
) -> dict[str, tuple[Alternative, ...]]:
    """The plans of each stage as they come from C++."""
    return {stage: tuple(Alternative(*plan) for plan in plans) for stage, plans in alternatives}


class AutoSchedule(AutoBuffer):
    """What `Schedule.auto_schedule` chose; the primitives themselves stand in the schedule's log.

    Args:
        stages: the choice for each stage.
        remarks: (step, verdict, why) of what was left as it is.
        alternatives: per stage that has several plans, these, the model's choice first; as
            "rows of Y" how many rows of a stage are computed together with those it reads.
        trials: the plans that were compiled and timed, in this call or in one whose result was
            cached.
    """

    def __init__(
        self,
        stages: list[dict[str, Any]],
        remarks: list[tuple[str, str, str]],
        alternatives: list[tuple[str, list[tuple[str, float, int]]]],
        trials: Sequence[Trial] = (),
    ) -> None:
        super().__init__(stages, remarks)
        self.alternatives = plans_by_stage(alternatives)
        self.trials = tuple(trials)

    def __str__(self) -> str:
        lines = []
        for choice in self.stages:
            tiles = ", ".join(f"{name}={tile}" for name, (tile, _) in choice.tiles.items())
            lines.append(f"{choice.stage}: tile {tiles}" if tiles else f"{choice.stage}:")
            lines += [f"  {decision}" for decision in choice.decisions]
        lines += [str(trial) for trial in self.trials]
        lines += [f"{step}: {verdict} ({why})" for step, verdict, why in self.remarks]
        return "\n".join(lines)


class AutoScheduling:
    """The part of `Schedule` that chooses all of it."""

    _options: Options | None
    _plans: tuple[StageChoice, ...]
    _trials: tuple[Trial, ...]

    def auto_schedule(
        self,
        target: str | Target | os.PathLike[str] = "host",
        search: bool = True,
        seconds: float = 1.5,
    ) -> AutoSchedule:
        """Chooses tiles, vectors, registers, panels, and where stages are computed.

        For CPUs with vectors, by a model of their pipes, registers and caches, from what each
        stage reads and writes and nothing else; for a machine with a scratchpad it is
        `auto_buffer`. The choice is applied as ordinary primitives, which stand in the log:
        ``s.to_python()`` prints them, to be edited. A stage to which a primitive was applied
        before keeps what it has.

        With `search`, the best plans by the model are compiled and run in turns, on small whole
        numbers, and the fastest is taken. What was found is kept on disk in ``SOLWAY_CACHE``
        (``~/.cache/solway``; "off": nowhere), for this program, target, processor and build of
        solway. It says only which plans to take: they are made and proved anew. A search that left
        plans untried is repeated when it is given more time.

        Args:
            target: its name, the path of a ``.toml`` file, or a `Target`.
            search: False: the model alone, the same on every machine.
            seconds: of this call, the model's planning with them, before which the search ends:
                it begins no plan that would take longer, as those before it tell.

        Returns:
            What was chosen for each stage with the model's cycles of both sides, the other plans
            of each, what was tried and how long it took, and what was left as it is, and why.

        Raises:
            UnsupportedError: a target with neither vectors nor a scratchpad.

        Example:
            >>> A = sw.placeholder((96, 128), name="A")
            >>> B = sw.placeholder((128, 64), name="B")
            >>> k = sw.reduce_axis(128, name="k")
            >>> C = sw.compute((96, 64), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
            >>> s = sw.create_schedule(C)
            >>> s.auto_schedule("x86-64-v4", search=False)["C"].tiles
            {'i': (14, 96), 'j': (32, 64), 'k': (1, 128)}

        Source: the loops around the tile are those of Goto and van de Geijn, Anatomy of
        high-performance matrix multiplication, 2008.
        """
        schedule = cast("Schedule", self)
        where = here()
        with limited(self._options):
            state, chosen = _planned(schedule, target, where, seconds if search else 0.0)
        schedule._state = state
        self._plans = (*self._plans, *chosen.stages)
        self._trials = (*self._trials, *chosen.trials)
        return chosen


def _planned(
    schedule: Schedule,
    target: str | Target | os.PathLike[str],
    where: _core.SourceLoc,
    seconds: float,
) -> tuple[_core.ScheduleState, AutoSchedule]:
    """The schedule with the plans that the model, the cache or a search of `seconds` chooses."""
    began = time.monotonic()
    machine, before = machine_of(target), schedule._state
    fast_math = schedule._algorithms is not None
    state, stages, remarks, alternatives = _core.auto_schedule(
        before, machine, {}, where, fast_math=fast_math
    )
    planned = Planned(state, stages, remarks)
    chosen = AutoSchedule(stages, remarks, alternatives)
    if not seconds or not chosen.alternatives:
        return state, chosen
    name = loaded(target).name
    why = why_not_measured(before) if runs(name) else f"this machine does not run {name}"
    if why:
        row = ("auto_schedule", "chosen by the model alone", why)
        return state, AutoSchedule(stages, [*remarks, row], alternatives)
    key = _key(schedule, target)
    entry = None if key is None else _entry(_plan_cache.load(key), chosen, seconds)
    more: list[tuple[str, str, str]] = []
    if entry is None:
        search = Search(before, machine, where, seconds, began=began, fast_math=fast_math)
        search.run(planned, chosen.alternatives)
        assert search.found is not None
        planned = search.found
        entry = _Entry(search.picks, search.trials, None if search.is_complete else seconds)
        if key is not None and (failed := _plan_cache.store(key, entry.as_data())):
            more.append(("auto_schedule", "what the search found was not kept", failed))
    elif any(entry.picks.values()):
        made = _core.auto_schedule(before, machine, entry.picks, where, fast_math=fast_math)
        planned = Planned(*made[:3])
    if entry.ended is not None:
        more.append(("auto_schedule", "other plans were not tried", _why_ended(entry)))
    remarks = [*planned.remarks, *more]
    return planned.state, AutoSchedule(planned.stages, remarks, alternatives, entry.trials)


class _Entry(NamedTuple):
    """What a search found.

    Args:
        picks: the number of the plan of each stage that has another than the model's choice.
        trials: what was tried.
        ended: the seconds that it was given, where these were too few for all plans.
    """

    picks: dict[str, int]
    trials: list[Trial]
    ended: float | None

    def as_data(self) -> dict[str, Any]:
        return {**self._asdict(), "trials": [list(trial) for trial in self.trials]}


def _why_ended(entry: _Entry) -> str:
    count = sum(trial.seconds > 0 for trial in entry.trials)
    done = f"{count} were measured" if count else "the model's planning took most of them"
    return f"seconds={entry.ended:g} were too few: {done}"


def _key(schedule: Schedule, target: str | Target | os.PathLike[str]) -> str | None:
    """The key of what a search finds; None for a program that has no text."""
    from solway.program_writer import to_python

    try:
        program = to_python([Tensor(node) for node in schedule._state.outputs()])
        machine = loaded(target)
        figures = (machine.name, machine.llvm_cpu, machine.memories, machine.vector)
        return _plan_cache.key_of(program, schedule.to_python(), repr(figures))
    except UnsupportedError:
        return None


def _entry(found: dict[str, Any] | None, chosen: AutoSchedule, seconds: float) -> _Entry | None:
    """An entry of the cache; None where it does not fit these plans, or had less time."""
    if found is None:
        return None
    picks, rows, ended = found.get("picks"), found.get("trials"), found.get("ended")
    if not isinstance(picks, dict) or not isinstance(rows, list):
        return None
    for stage, pick in picks.items():
        plans = chosen.alternatives.get(stage, ())
        if type(pick) is not int or not 0 <= pick < len(plans):
            return None
    if any(not isinstance(row, list) or len(row) != len(Trial._fields) for row in rows):
        return None
    if ended is not None and not (isinstance(ended, int | float) and seconds <= ended):
        return None
    return _Entry(picks, [Trial(*row) for row in rows], ended)
