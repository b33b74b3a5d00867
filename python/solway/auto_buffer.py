"""What `Schedule.auto_buffer` chose."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["AutoBuffer", "PlanDecision", "StageChoice"]


class PlanDecision(NamedTuple):
    """A choice of the planner, with what the cost model says of both sides.

    Args:
        what: what was decided.
        chosen: what was taken.
        cycles: of the stage with it.
        instead: the other side.
        instead_cycles: of the stage with that; None when it cannot be.
        why_not: why it cannot be.
    """

    what: str
    chosen: str
    cycles: float
    instead: str
    instead_cycles: float | None
    why_not: str

    def __str__(self) -> str:
        other = self.why_not if self.instead_cycles is None else f"{self.instead_cycles:,.0f}"
        return f"{self.what}: {self.chosen}, {self.cycles:,.0f} cycles ({self.instead}: {other})"


class StageChoice(NamedTuple):
    """What was chosen for one stage.

    Args:
        stage: its name.
        tiles: for each loop that the stage had, (iterations that a tile holds, extent).
        order: the stage's loops now, outermost first.
        parallel: the loop that runs on different cores, or None.
        buffers: names of the buffers.
        buffer_bytes: what they take, aligned.
        room_bytes: what they could take.
        planner: which one planned it: "optimal" or "greedy", or "in order" for a stage whose
            iterations depend on each other, or whose plan was not decided.
        cycles: by the cost model, without the start and the end of the cores; None: not counted.
        decisions: with the cycles of both sides.
    """

    stage: str
    tiles: dict[str, tuple[int, int]]
    order: tuple[str, ...]
    parallel: str | None
    buffers: tuple[str, ...]
    buffer_bytes: int
    room_bytes: int
    planner: str = "greedy"
    cycles: float | None = None
    decisions: tuple[PlanDecision, ...] = ()

    def __str__(self) -> str:
        tiles = ", ".join(f"{name}={tile}" for name, (tile, _) in self.tiles.items())
        core = f", parallel {self.parallel}" if self.parallel else ""
        return (
            f"{self.stage}: tile {tiles}; loops {', '.join(self.order)}{core}; "
            f"{', '.join(self.buffers) or 'no buffer'}: "
            f"{self.buffer_bytes} of {self.room_bytes} bytes"
            + ("" if self.cycles is None else f"; {self.cycles:,.0f} cycles by the model")
        )


class AutoBuffer:
    """What `Schedule.auto_buffer` chose; the primitives themselves stand in the schedule's log.

    Args:
        stages: the choice for each stage that was planned.
        remarks: (step, verdict, why) of what was left as it is.

    Example:
        >>> A = sw.placeholder((1024,), name="A")
        >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
        >>> s = sw.create_schedule(B)
        >>> s.auto_buffer("sw26010", planner="greedy")
        B: tile i=16; loops i.o, i.i, parallel i.o; AA, BB: 128 of 63488 bytes
    """

    def __init__(self, stages: list[dict[str, Any]], remarks: list[tuple[str, str, str]]) -> None:
        self.stages = tuple(
            StageChoice(**stage)._replace(
                decisions=tuple(PlanDecision(*row) for row in stage["decisions"])
            )
            for stage in stages
        )
        self.remarks = tuple(remarks)

    def __getitem__(self, stage: str) -> StageChoice:
        return {choice.stage: choice for choice in self.stages}[stage]

    def __str__(self) -> str:
        lines = [str(stage) for stage in self.stages]
        lines += [f"{step}: {verdict} ({why})" for step, verdict, why in self.remarks]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)
