"""What repeats an internal error: found on the stack when one is made, saved as a failure."""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import tempfile
from pathlib import Path
from types import FrameType

from solway import _core
from solway._schedule_history import states_of
from solway._schedule_writer import ScheduleWriter
from solway.buffer import Buffer
from solway.errors import InternalError
from solway.expr import Axis, Expr, Tensor
from solway.failure import Failure, runs_again, signature
from solway.kernel import Kernel
from solway.program_writer import to_python
from solway.schedule import Schedule
from solway.stage_base import Loop, StageBase
from solway.target import Target

__all__ = ["saved"]

_PACKAGE = str(Path(__file__).parent)


def saved(error: InternalError) -> str:
    """The file that repeats an error, or "" when no schedule is on the stack.

    Args:
        error: just made, by a call of the user's on a schedule, or by `build`.

    Returns:
        The path of a file that ``solway replay`` takes.
    """
    if runs_again.get():
        return ""
    try:
        failure = _failure(error)
        if failure is None:
            return ""
        folder = Path(os.environ.get("SOLWAY_FAILURES") or Path(tempfile.gettempdir()) / "solway")
        folder.mkdir(parents=True, exist_ok=True)
        key = failure.program + failure.schedule + failure.call + failure.target + failure.found
        name = hashlib.sha256(key.encode()).hexdigest()[:12]
        path = folder / f"failure-{name}.json"
        failure.save(path)
        return str(path)
    except Exception:
        return ""  # the error itself matters more than what would repeat it


def _failure(error: InternalError) -> Failure | None:
    from solway.doctor import versions

    found = _request()
    if found is None:
        return None
    frame, schedule = found
    values = frame.f_locals
    outputs = [Tensor(node) for node in schedule._state.outputs()]
    text = _Writer(schedule)
    of_build = frame.f_code.co_name == "build"
    ran = values["self"] if isinstance(values.get("self"), Kernel) else None
    target = ""
    if of_build:
        given = values["target"]
        target = given.name if isinstance(given, Target) else str(given)
    elif ran is not None:
        target = ran.target
    call = "" if of_build or ran is not None else text.call(frame)
    return Failure(
        found=signature(error),
        program=to_python(outputs),
        schedule=text.script(),
        call=call,
        target=target,
        poison_transfers=bool(values.get("poison_transfers", False)),
        detail=f"{error.what}\n{error.why}\nat {error.where}",
        versions=tuple(versions().items()),
    )


def _request() -> tuple[FrameType, Schedule] | None:
    """The innermost public call on a schedule."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        name, own = frame.f_code.co_name, frame.f_locals.get("self")
        if frame.f_code.co_filename.startswith(_PACKAGE) and not name.startswith("_"):
            if isinstance(own, Schedule):
                return frame, own
            if isinstance(own, StageBase):
                return frame, own._schedule
            if name == "build" and isinstance(frame.f_locals.get("schedule"), Schedule):
                return frame, frame.f_locals["schedule"]
        if isinstance(own, Kernel) and own._schedule is not None:
            return frame, own._schedule
        frame = frame.f_back
    return None


class _Writer:
    """The text of a schedule, with a line more: the call that failed."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._state: _core.ScheduleState = schedule._state
        self._writer = ScheduleWriter(schedule)
        rows = zip(self._state.log(), states_of(schedule), strict=False)
        self._lines = [self._writer.line(row, before) for row, before in rows]

    def call(self, frame: FrameType) -> str:
        own, name = frame.f_locals["self"], frame.f_code.co_name
        stage = own._name if isinstance(own, StageBase) else ""
        receiver = f"s[{self._writer._tensor(stage)}]" if stage else "s"
        if isinstance(inspect.getattr_static(type(own), name, None), property):
            return f"{receiver}.{name}"
        words = []
        function = getattr(type(own), name)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        for parameter in parameters:
            value = frame.f_locals[parameter.name]
            if parameter.name == "factor" and frame.f_locals.get("parts") is not None:
                continue  # it was made of the number of parts
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                words += [self._text(one, stage) for one in value]
            elif parameter.default is inspect.Parameter.empty:
                words.append(self._text(value, stage))
            elif value is not parameter.default:
                words.append(f"{parameter.name}={self._text(value, stage)}")
        return f"{receiver}.{name}({', '.join(words)})"

    def script(self) -> str:
        head = ["s = sw.create_schedule(outputs)", *self._writer.fetched.values()]
        return "\n".join([*head, *self._lines]) + "\n"

    def _text(self, value: object, stage: str) -> str:
        if isinstance(value, Loop):
            return self._writer._loop(value._id, value._stage, self._state)
        if isinstance(value, Axis):
            for tensor in map(Tensor, self._state.stages()):
                id = self._state.loop_of_axis(tensor.name, value._axis)
                if id >= 0:
                    return self._writer._loop(id, tensor.name, self._state)
            return repr(value.name)
        if isinstance(value, Tensor):
            return self._writer._tensor(value.name)
        if isinstance(value, StageBase):
            return f"s[{self._writer._tensor(value._name)}]"
        if isinstance(value, Buffer):
            return self._writer._name(value.name)
        if isinstance(value, list | tuple):
            words = ", ".join(self._text(one, stage) for one in value)
            return f"[{words}]"
        if isinstance(value, Target):
            return repr(value.name)
        if value is None or isinstance(value, bool | int | float | str):
            return repr(value)
        if isinstance(value, Expr):
            raise TypeError("an index expression")
        raise TypeError(type(value).__name__)
