"""`Schedule.auto_schedule`: all of a schedule chosen for a target, and what was chosen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from solway import _core
from solway.auto_buffer import AutoBuffer, StageChoice
from solway.expr import here
from solway.options import limited
from solway.target import Target, machine_of

if TYPE_CHECKING:
    from solway.options import Options

__all__ = ["Alternative", "AutoSchedule", "AutoScheduling"]


class Alternative(NamedTuple):
    """A plan that the model finds good for a stage.

    Args:
        text: what it is.
        cycles: of the stage, by the model, on one core.
    """

    text: str
    cycles: float

    def __str__(self) -> str:
        return f"{self.text}: {self.cycles:,.0f} cycles by the model"


class AutoSchedule(AutoBuffer):
    """What `Schedule.auto_schedule` chose; the primitives themselves stand in the schedule's log.

    Args:
        stages: the choice for each stage.
        remarks: (step, verdict, why) of what was left as it is.
        alternatives: per stage that has several plans, these, the model's choice first.
    """

    def __init__(
        self,
        stages: list[dict[str, Any]],
        remarks: list[tuple[str, str, str]],
        alternatives: list[tuple[str, list[tuple[str, float]]]],
    ) -> None:
        super().__init__(stages, remarks)
        self.alternatives = {
            stage: tuple(Alternative(*plan) for plan in plans) for stage, plans in alternatives
        }

    def __str__(self) -> str:
        lines = []
        for choice in self.stages:
            tiles = ", ".join(f"{name}={tile}" for name, (tile, _) in choice.tiles.items())
            lines.append(f"{choice.stage}: tile {tiles}" if tiles else f"{choice.stage}:")
            lines += [f"  {decision}" for decision in choice.decisions]
        lines += [f"{step}: {verdict} ({why})" for step, verdict, why in self.remarks]
        return "\n".join(lines)


class AutoScheduling:
    """The part of `Schedule` that chooses all of it."""

    _state: _core.ScheduleState
    _options: Options | None
    _plans: tuple[StageChoice, ...]

    def auto_schedule(self, target: str | Target | os.PathLike[str] = "host") -> AutoSchedule:
        """Chooses tiles, vectors, registers, panels, and where stages are computed.

        For CPUs with vectors, by a model of their pipes, registers and caches, from what each
        stage reads and writes and nothing else; for a machine with a scratchpad it is
        `auto_buffer`. The choice is applied as ordinary primitives, which stand in the log:
        ``s.to_python()`` prints them, to be edited. A stage to which a primitive was applied
        before keeps what it has.

        Args:
            target: its name, the path of a ``.toml`` file, or a `Target`.

        Returns:
            What was chosen for each stage with the model's cycles of both sides, the other plans
            of each, and what was left as it is, and why.

        Raises:
            UnsupportedError: a target with neither vectors nor a scratchpad.

        Example:
            >>> A = sw.placeholder((96, 128), name="A")
            >>> B = sw.placeholder((128, 64), name="B")
            >>> k = sw.reduce_axis(128, name="k")
            >>> C = sw.compute((96, 64), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
            >>> s = sw.create_schedule(C)
            >>> s.auto_schedule("x86-64-v4")["C"].tiles
            {'i': (6, 96), 'j': (64, 64), 'k': (1, 128)}

        Source: the loops around the tile are those of Goto and van de Geijn, Anatomy of
        high-performance matrix multiplication, 2008.
        """
        where = here()
        with limited(self._options):
            state, stages, remarks, alternatives = _core.auto_schedule(
                self._state, machine_of(target), {}, where
            )
        self._state = state
        chosen = AutoSchedule(stages, remarks, alternatives)
        self._plans = (*self._plans, *chosen.stages)
        return chosen
