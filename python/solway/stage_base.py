"""What all primitives on a stage share: its loops, and how they are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from solway import _core
from solway._location import caller
from solway.errors import ScheduleArgumentError
from solway.expr import Axis, Tensor

if TYPE_CHECKING:
    from solway.schedule import Schedule

__all__ = ["AxisLike", "Loop", "StageBase", "axis_loops", "integer", "stage_of"]


class Loop(Axis):
    """A loop of a schedule, as primitives return it.

    It may stand in the index expressions of a buffer's region. Two loops are equal iff they are the
    same loop of the same schedule.
    """

    __slots__ = ("_id", "_schedule", "_stage")

    def __init__(self, schedule: Schedule, stage: str, id: int) -> None:
        super().__init__(schedule._axis_of_loop(id))
        self._schedule, self._stage, self._id = schedule, stage, id

    def __repr__(self) -> str:
        return f"<loop {self.name} of {self._stage}>"


AxisLike: TypeAlias = "Axis | Loop | str"


class StageBase:
    """The loops of one computed tensor within a schedule.

    Example:
        >>> A = sw.placeholder((8, 4), name="A")
        >>> B = sw.compute((8, 4), lambda i, j: A[i, j] * 2, name="B")
        >>> sw.create_schedule(B)[B].axis
        (<loop i of B>, <loop j of B>)
    """

    def __init__(self, schedule: Schedule, tensor: Tensor) -> None:
        self._schedule, self._tensor = schedule, tensor

    @property
    def axis(self) -> tuple[Loop, ...]:
        """The present spatial loops, outermost first."""
        return self._loops(reduce=False)

    @property
    def reduce_axis(self) -> tuple[Loop, ...]:
        """The present reduction loops, outermost first."""
        return self._loops(reduce=True)

    def references(self, tensor: Tensor) -> list[str]:
        """The reads of a tensor in the stage's expression, as they are written.

        Their positions are the numbers by which `Schedule.buffer_read` takes them. Those of a
        nested reduction stand before those around it, and what is written once and used at several
        places is one.

        Args:
            tensor: what is read.

        Returns:
            Their texts; none where the stage does not read the tensor.

        Example:
            >>> X = sw.placeholder((8, 8), name="X")
            >>> Y = sw.compute((8, 8), lambda i, j: X[i, j] + X[j, i], name="Y")
            >>> sw.create_schedule(Y)[Y].references(X)
            ['X[i, j]', 'X[j, i]']
        """
        state, storage = self._schedule._state, tensor._node.storage_name
        return _core.references_of(state, self._name, storage)

    @property
    def _name(self) -> str:
        return self._tensor.name

    def _loops(self, *, reduce: bool) -> tuple[Loop, ...]:
        rows = self._schedule._state.loops(self._name)
        return tuple(
            Loop(self._schedule, self._name, id)
            for id, _, is_reduce, _, _ in rows
            if is_reduce == reduce
        )

    def _loop(self, id: int) -> Loop:
        return Loop(self._schedule, self._name, id)

    def _id(self, axis: AxisLike, request: str) -> int:
        if isinstance(axis, Loop):
            if axis._schedule is not self._schedule:
                raise self._unknown(request, axis.name, "it is a loop of another schedule")
            return axis._id
        if isinstance(axis, Axis):
            return self._axis_id(axis, request)
        if isinstance(axis, str):
            return self._named_id(axis, request)
        raise self._unknown(request, repr(axis), f"got {type(axis).__name__}, not an axis")

    def _axis_id(self, axis: Axis, request: str) -> int:
        state = self._schedule._state
        for stage in (self._tensor, *map(Tensor, state.stages())):
            id: int = state.loop_of_axis(stage.name, axis._axis)
            if id >= 0:
                return id
        if axis in (*self._tensor.axis, *self._tensor.reduce_axis):
            loops = ", ".join(map(str, (*self.axis, *self.reduce_axis)))
            why = f"a primitive gave the stage new loops: {loops}"
            raise self._unknown(request, axis.name, why)
        raise self._unknown(request, axis.name, "it is no axis of this schedule's tensors")

    def _named_id(self, name: str, request: str) -> int:
        found = self._schedule._state.loops_named(self._name, name)
        if len(found) == 1:
            return int(found[0])
        rows = self._schedule._state.loops(self._name)
        names = ", ".join(repr(own) for _, own, _, _, _ in rows)
        if not found:
            if not names:
                fix = "leave this out, or its compute_inline()"
                raise self._unknown(request, name, "it has no loops", fix)
            raise self._unknown(request, name, f"its loops are {names}")
        raise self._unknown(request, name, "several loops have this name; pass the axis itself")

    def _unknown(
        self, request: str, name: str, why: str, fix: str | None = None
    ) -> ScheduleArgumentError:
        return ScheduleArgumentError(
            f"{request}: '{name}' is not a loop of '{self._name}'",
            why,
            fix or f"use an axis of s[{self._name}]",
            caller(),
        )


def stage_of(schedule: Schedule, value: object, request: str) -> StageBase:
    """The stage that a tensor or a stage of `schedule` names.

    Raises:
        ScheduleArgumentError: `value` is neither, or is a stage of another schedule.
    """
    if isinstance(value, StageBase) and value._schedule is schedule:
        return value
    if isinstance(value, Tensor):
        return schedule[value]
    raise ScheduleArgumentError(
        f"{request} takes a stage of this schedule",
        "got a stage of another schedule" if isinstance(value, StageBase) else f"got {value!r}",
        "pass a computed tensor",
        caller(),
    )


def axis_loops(schedule: Schedule, stage: StageBase) -> list[tuple[_core.Axis, int]]:
    """Every axis that an expression may hold, with the loop that it stands for."""
    axes = [(axis, id) for id, axis in schedule._loop_axes.items()]
    own = (*stage._tensor.axis, *stage._tensor.reduce_axis)
    loops = ((a._axis, schedule._state.loop_of_axis(stage._tensor.name, a._axis)) for a in own)
    return axes + [(axis, id) for axis, id in loops if id >= 0]


def integer(value: object, name: str) -> int:
    """`value` as an int; ScheduleArgumentError when it is none or does not fit in 64 bits."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ScheduleArgumentError(
            f"{name} is no integer", f"got {value!r}", "pass a constant integer", caller()
        )
    if not -(2**63) <= int(value) < 2**63:
        raise ScheduleArgumentError(
            f"{name} does not fit in 64 bits", f"got {value}", "pass a smaller integer", caller()
        )
    return int(value)
