"""What makes a refused primitive legal: looked for when the error is asked for it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from solway import _core
from solway._location import caller, pretending
from solway.errors import Error, IllegalScheduleError, ScheduleArgumentError
from solway.expr import Axis, Expr, Tensor, here
from solway.options import limited
from solway.stage_base import Loop, StageBase

if TYPE_CHECKING:
    from solway.schedule import Schedule

__all__ = ["Request", "rebound", "with_fixes"]

_Apply: TypeAlias = Callable[[_core.ScheduleState, list[int]], _core.ScheduleState | None]


class Request:
    """One call of a primitive on a schedule, which was refused.

    Args:
        schedule: as it is, unchanged by the call.
        method: the primitive, a function of the stage or the schedule.
        receiver: what it was called on.
        args: its positional arguments.
        kwargs: its keyword arguments.
    """

    def __init__(
        self,
        schedule: Schedule,
        method: Callable[..., object],
        receiver: object,
        args: tuple[object, ...],
        kwargs: Mapping[str, object],
    ) -> None:
        self.schedule = schedule
        self._state = schedule._state
        self._method, self._args, self._kwargs = method, args, dict(kwargs)
        self._stage = receiver._tensor if isinstance(receiver, StageBase) else None
        self._where = here()
        self._axes: list[int] = []
        self._found: tuple[int, str, _core.ScheduleState] | None = None
        self._is_found = False

    @property
    def text(self) -> str | None:
        """The fix as text, or None."""
        found = self._search()
        return None if found is None else found[1]

    @property
    def apply(self) -> Callable[[], None] | None:
        """Makes the fix on the schedule, or None."""
        return None if self._search() is None else self._apply

    def _apply(self) -> None:
        """Makes the fix on the schedule, which must be as it was when the primitive was refused."""
        if self.schedule._state is not self._state:
            raise ScheduleArgumentError(
                "the fix is for the schedule as it was",
                "primitives were applied to it since",
                "try the primitive again, and apply the fix of that error",
                caller(),
            )
        assert self._found is not None
        where = here()
        with pretending((where.file, where.line, where.text)):
            made = self._suggested(where, self._found[0])
        if made is not None:
            self.schedule._state = made[2]

    def _search(self) -> tuple[int, str, _core.ScheduleState] | None:
        if not self._is_found:
            where = self._where
            with pretending((where.file, where.line, where.text)):
                self._found = self._suggested(where, 0)
            self._is_found = True
        return self._found

    def _suggested(
        self, where: _core.SourceLoc, first: int
    ) -> tuple[int, str, _core.ScheduleState] | None:
        stage = self._stage_name()
        if stage is None:
            return None
        axes = self._loops_of_call(stage)
        name = self._method.__name__
        return _core.suggest_fix(self._state, name, stage, axes, self._again, where, first)

    def _again(self, state: _core.ScheduleState, axes: list[int]) -> _core.ScheduleState | None:
        """The state after the primitive on other loops; None when it is refused."""
        trial = self.schedule._trial(state)
        loops = iter(axes)

        def moved(value: object) -> object:
            id = next(loops, -1) if self._is_axis(value) else -1
            if id >= 0:
                return Loop(trial, self._stage_of(state, id), id)
            return rebound(value, self.schedule, trial)

        try:
            if self._stage is not None:
                args = [moved(value) for value in self._args]
                kwargs = {name: moved(value) for name, value in self._kwargs.items()}
                self._method(trial[self._stage_to_mark(state, axes)], *args, **kwargs)
            else:
                args = [rebound(value, self.schedule, trial) for value in self._args]
                kwargs = {n: rebound(v, self.schedule, trial) for n, v in self._kwargs.items()}
                if axes:
                    kwargs["at"] = Loop(trial, self._stage_of(state, axes[0]), axes[0])
                self._method(trial, *args, **kwargs)
        except Error:
            return None
        return trial._state

    def _stage_name(self) -> str | None:
        """The stage whose loops the primitive takes."""
        if self._stage is not None:
            return self._stage.name
        tensor = self._args[0] if self._args else self._kwargs.get("tensor")
        if not isinstance(tensor, Tensor):
            return None
        readers = self._kwargs.get("readers")
        if isinstance(readers, list | tuple) and len(readers) == 1:
            return str(getattr(readers[0], "name", "") or readers[0]._name)
        users = _core.users_of(self._state, tensor.name, self._method.__name__ == "buffer_read")
        return users[0] if len(users) == 1 else None

    def _loops_of_call(self, stage: str) -> list[int]:
        """The loops that the call names; of a primitive of the schedule, its position."""
        if self._stage is None:
            at = self._kwargs.get("at")
            values: tuple[object, ...] = () if at is None else (at,)
        else:
            values = (*self._args, *self._kwargs.values())
        return [self._id(value, stage) for value in values if self._is_axis(value)]

    def _is_axis(self, value: object) -> bool:
        if isinstance(value, Axis):
            return True
        if not isinstance(value, str) or self._stage is None:
            return False
        return any(row[1] == value for row in self._state.loops(self._named_stage()))

    def _named_stage(self) -> str:
        """The stage whose loops a call gives by name: of a placement, the other one."""
        assert self._stage is not None
        if self._method.__name__ in ("compute_at", "fuse_with"):
            given = self._args[0] if self._args else None
            other = given or self._kwargs.get("consumer") or self._kwargs.get("other")
            if isinstance(other, StageBase):
                return other._tensor.name
            if isinstance(other, Tensor):
                return other.name
        return self._stage.name

    def _id(self, value: object, stage: str) -> int:
        if isinstance(value, Loop):
            return value._id
        if isinstance(value, Axis):
            for name in (stage, *(Tensor(node).name for node in self._state.stages())):
                id = self._state.loop_of_axis(name, value._axis)
                if id >= 0:
                    return int(id)
            return -1
        rows = self._state.loops(self._named_stage())
        return next(int(row[0]) for row in rows if row[1] == value)

    def _stage_to_mark(self, state: _core.ScheduleState, axes: list[int]) -> Tensor:
        """The stage of the loop that is marked, which rfactor gives to the partial results."""
        assert self._stage is not None
        if not axes or self._method.__name__ not in ("athread_parallel", "bind", "parallel"):
            return self._stage
        name = self._stage_of(state, axes[0])
        return next(t for t in map(Tensor, state.stages()) if t.name == name)

    def _stage_of(self, state: _core.ScheduleState, id: int) -> str:
        for node in state.stages():
            name = Tensor(node).name
            if any(row[0] == id for row in state.loops(name)):
                return name
        return "" if self._stage is None else self._stage.name


def rebound(value: object, old: Schedule, new: Schedule) -> object:
    """`value` with the loops and stages of one schedule as those of another.

    Args:
        value: an argument of a primitive.
        old: the schedule that its loops belong to.
        new: the schedule that it is for; its state has the same loops.
    """
    if isinstance(value, Loop) and value._schedule is old:
        return Loop(new, value._stage, value._id)
    if isinstance(value, StageBase) and value._schedule is old:
        return new[value._tensor]
    if isinstance(value, Expr | str):
        return value
    if isinstance(value, list | tuple):
        return [rebound(one, old, new) for one in value]
    return value


def with_fixes(cls: type, names: Iterable[str]) -> None:
    """Lets the errors of primitives know their call, so that they can look for what is legal.

    Args:
        cls: `Schedule`, or `Stage`.
        names: its primitives.
    """
    for name in names:
        setattr(cls, name, _with_fix(getattr(cls, name)))


def _with_fix(method: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(method)
    def primitive(receiver: Schedule | StageBase, *args: object, **kwargs: object) -> object:
        schedule = receiver._schedule if isinstance(receiver, StageBase) else receiver
        if schedule._is_busy:  # inside another primitive, whose call counts
            return method(receiver, *args, **kwargs)
        schedule._is_busy = True
        try:
            with limited(schedule._options):
                return method(receiver, *args, **kwargs)
        except IllegalScheduleError as error:
            schedule._is_busy = False
            error._request = Request(schedule, method, receiver, args, kwargs)
            schedule._refused = error
            raise
        finally:
            schedule._is_busy = False

    return primitive
