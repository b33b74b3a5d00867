"""What a schedule was before each of its primitives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solway import _core
from solway._location import pretending

if TYPE_CHECKING:
    from solway.schedule import Schedule

__all__ = ["states_of"]


def states_of(schedule: Schedule) -> list[_core.ScheduleState]:
    """The states that a schedule went through: before its first primitive, after each one.

    A schedule keeps the states that it was in. Those inside one call that applied several
    primitives (`auto_buffer`) are made again from the log, as drafts: this schedule was proved.

    Args:
        schedule: any.

    Returns:
        One state more than the log has steps.
    """
    from solway._schedule_writer import ScheduleWriter
    from solway.schedule import Schedule
    from solway.schedule_reader import Interpreter

    kept = schedule._states
    rows = schedule._state.log()
    if len(kept) == len(rows) + 1:
        return [kept[k] for k in range(len(rows) + 1)]
    state = (
        kept[0]
        if 0 in kept
        else _core.make_state(
            schedule._state.outputs(), _core.SourceLoc("", 0, ""), schedule._state.given()
        )
    )
    writer = ScheduleWriter(schedule)
    scratch = Schedule(state.draft())
    scratch._intrinsics.update(schedule._intrinsics)
    interpreter = Interpreter(scratch)
    out = [state]
    for step, row in enumerate(rows, start=1):
        line = writer.line(row, out[-1])
        with pretending(row[4]):
            for fetch in writer.fetched.values():
                interpreter.run(fetch)
            writer.fetched.clear()
            interpreter.run(line)
        out.append(kept.get(step, scratch._state))
    return out
