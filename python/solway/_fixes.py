"""What makes a refused primitive legal: looked for when the error is asked for it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from solway import _core
from solway._call_text import call_text
from solway._location import caller, pretending
from solway.errors import Error, IllegalScheduleError, ScheduleArgumentError
from solway.expr import Axis, Expr, Tensor, here
from solway.options import limited
from solway.stage_base import Loop, StageBase

if TYPE_CHECKING:
    from solway.schedule import Schedule

__all__ = ["Request", "rebound", "with_fixes"]

#: How a call changes: its loops, another primitive or "", a number, whether it loses its region.
_Change: TypeAlias = tuple[list[int], str, int | None, bool]

#: What may be made smaller in a call.
_NUMBERS = {
    "buffer_read": "depth",
    "buffer_write": "depth",
    "prefetch": "distance",
    "shift": "distance",
    "skew": "factor",
}


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
        self._method = method
        self._given = inspect.signature(method).bind(receiver, *args, **kwargs)
        self._given.apply_defaults()
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
        if stage is None or not self._can_be_repeated():
            return None
        name = self._method.__name__
        tensor = self._argument("tensor")
        number = self._argument(_NUMBERS.get(name, ""))
        return _core.suggest_fix(
            self._state,
            name,
            stage,
            self._loops_of_call(stage),
            number if isinstance(number, int) else None,
            self._argument("region") is not None,
            tensor._node.storage_name if isinstance(tensor, Tensor) else "",
            self._again,
            self._text_of,
            where,
            first,
        )

    def _argument(self, name: str) -> object:
        return self._given.arguments.get(name)

    def _can_be_repeated(self) -> bool:
        """Whether each argument is there for another call: an iterator was used up by the first."""
        return not any(hasattr(value, "__next__") for value in self._given.arguments.values())

    def _changed(
        self, schedule: Schedule, state: _core.ScheduleState, change: _Change
    ) -> tuple[str, list[object], dict[str, object]]:
        """The primitive and the arguments of a changed call on `schedule`, which is in `state`."""
        axes, primitive, number, without_region = change
        loops = iter(axes)

        def moved(value: object) -> object:
            id = next(loops, -1) if self._stage is not None and self._is_axis(value) else -1
            if id >= 0:
                return Loop(schedule, self._stage_of(state, id), id)
            return rebound(value, self.schedule, schedule)

        name = primitive or self._method.__name__
        _, *args = (moved(value) for value in self._given.args)
        kwargs = {one: moved(value) for one, value in self._given.kwargs.items()}
        parameters = list(self._given.signature.parameters.values())[1:]
        if not any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters):
            named = zip((one.name for one in parameters), args, strict=False)
            kwargs, args = {**dict(named), **kwargs}, []
        if self._stage is None and axes:
            kwargs["at"] = Loop(schedule, self._stage_of(state, axes[0]), axes[0])
        if number is not None:
            kwargs[_NUMBERS[name]] = number
        if without_region:
            kwargs["region"] = None
        if name == "buffer_write":
            kwargs.pop("readers", None)
            kwargs.pop("fill_padding", None)
            kwargs.pop("slide", None)
            kwargs.pop("references", None)
            kwargs.pop("align", None)
        return name, args, kwargs

    def _again(self, state: _core.ScheduleState, change: _Change) -> _core.ScheduleState | None:
        """The state after the changed call; None when that is refused."""
        trial = self.schedule._trial(state)
        name, args, kwargs = self._changed(trial, state, change)
        try:
            if self._stage is not None:
                self._method(trial[self._stage_to_mark(state, change[0])], *args, **kwargs)
            else:
                getattr(type(trial), name).__wrapped__(trial, *args, **kwargs)
        except Error:
            return None
        return trial._state

    def _text_of(self, change: _Change) -> str:
        name, args, kwargs = self._changed(self.schedule, self._state, change)
        stage = None if self._stage is None else self._stage.name
        return call_text(name, stage, args, kwargs, self._given.signature)

    def _stage_name(self) -> str | None:
        """The stage whose loops the primitive takes; "" when it takes none."""
        if self._stage is not None:
            return self._stage.name
        if self._method.__name__ in ("broadcast", "double_buffer", "prefetch", "single_buffer"):
            return ""
        tensor = self._argument("tensor")
        if not isinstance(tensor, Tensor):
            return None
        readers = self._argument("readers")
        if isinstance(readers, list | tuple) and len(readers) == 1:
            return str(getattr(readers[0], "name", "") or readers[0]._name)
        users = _core.users_of(self._state, tensor.name, self._method.__name__ == "buffer_read")
        return users[0] if len(users) == 1 else None

    def _loops_of_call(self, stage: str) -> list[int]:
        """The loops that the call names; of a primitive of the schedule, its position."""
        if self._stage is None:
            at = self._argument("at")
            names = [row[1] for row in self._state.loops(stage)] if stage else []
            return [self._id(at, stage)] if isinstance(at, Axis) or at in names else []
        values = (*self._given.args[1:], *self._given.kwargs.values())
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
            other = self._argument("consumer") or self._argument("other")
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
        rows = self._state.loops(stage if self._stage is None else self._named_stage())
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
