"""The log of a schedule: one step for each primitive."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from solway import _core
from solway.errors import Where

__all__ = ["Step", "StepRow", "steps_of"]

#: primitive, stage, (name, kind, value) of each argument, loops made, the user's line, buffer made.
StepRow: TypeAlias = tuple[
    str, str, list[tuple[str, str, int | str]], list[int], tuple[str, int, str], str
]
_REFERENCE = re.compile(r"\{(?:sizes\.)?(\w+)\}")


class Step(NamedTuple):
    """One primitive that was applied.

    Args:
        primitive: its name.
        stage: the tensor whose loops it took.
        arguments: (name, value) pairs; loops by name, positional ones under an empty name.
        results: names of the loops, or of the buffer, that it made.
        where: the user's line: ``.file``, ``.line`` (1-based), ``.text``.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
        >>> s = sw.create_schedule(B)
        >>> io, ii = s[B].split("i", factor=4)
        >>> print(s.log[0], s.log[0].results)
        i.o, i.i = s[B].split(i, factor=4) ('i.o', 'i.i')
    """

    primitive: str
    stage: str
    arguments: tuple[tuple[str, str | int], ...]
    results: tuple[str, ...]
    where: Where

    def __str__(self) -> str:
        words = [f"{name}={value}" if name else str(value) for name, value in self.arguments]
        made = ", ".join(self.results) + " = " if self.results else ""
        from solway._primitives import SCHEDULE_PRIMITIVES

        of = "s" if self.primitive in SCHEDULE_PRIMITIVES else f"s[{self.stage}]"
        return f"{made}{of}.{self.primitive}({', '.join(words)})"


def steps_of(state: _core.ScheduleState) -> tuple[Step, ...]:
    """The primitives that made a schedule, in order.

    Args:
        state: the schedule.
    """
    return tuple(_step(state, row) for row in state.log())


def _step(state: _core.ScheduleState, row: StepRow) -> Step:
    primitive, stage, arguments, results, where, buffer = row
    return Step(
        primitive,
        stage,
        tuple((name, _shown(state, kind, value)) for name, kind, value in arguments),
        (buffer,) if buffer else tuple(state.loop_name(id) for id in results),
        Where(*where),
    )


def _shown(state: _core.ScheduleState, kind: str, value: int | str) -> int | str:
    """An argument as people read it: loops and tensors by their names."""
    if kind == "loop":
        return str(state.loop_name(int(value)))
    if kind != "text":
        return value

    def name(match: re.Match[str]) -> str:
        word = match.group(1)
        return str(state.loop_name(int(word))) if word.isdigit() else word

    return _REFERENCE.sub(name, str(value))
