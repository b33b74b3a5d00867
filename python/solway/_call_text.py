"""Calls of primitives as text: what a fix tells the user to write."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping

from solway.expr import Axis, Tensor
from solway.stage_base import Loop, StageBase

__all__ = ["call_text"]

#: What reads better by its name.
_NAMED = frozenset(
    {"at", "by", "depth", "distance", "factor", "layout", "readers", "references", "scope"}
)

#: What is said also when it is as by default.
_SHOWN = frozenset({"distance", "factor"})


def call_text(
    primitive: str,
    stage: str | None,
    args: Iterable[object],
    kwargs: Mapping[str, object],
    signature: inspect.Signature,
) -> str:
    """A call of a primitive.

    Args:
        primitive: its name.
        stage: of its stage; None for a primitive of the schedule.
        args: what stands before the named arguments.
        kwargs: arguments by their names; those that are as by default are left out.
        signature: which has the defaults.

    Returns:
        Text such as ``s.buffer_read(A, ['ki'], at='ko')``.
    """
    pieces = [value_text(value) for value in args]
    for name, value in kwargs.items():
        if value is None or _is_default(value, signature.parameters.get(name)):
            continue
        text = value_text(value)
        pieces.append(f"{name}={text}" if name in _NAMED else text)
    return f"{'s' if stage is None else f's[{stage}]'}.{primitive}({', '.join(pieces)})"


def _is_default(value: object, parameter: inspect.Parameter | None) -> bool:
    if parameter is None or parameter.name in _SHOWN:
        return False
    return isinstance(value, str | int) and value == parameter.default


def value_text(value: object) -> str:
    """One argument: loops by their names, tensors, stages and buffers as variables."""
    if isinstance(value, Axis | Loop):
        return repr(value.name)
    if isinstance(value, Tensor):
        return value.name
    if isinstance(value, StageBase):
        return f"s[{value._tensor.name}]"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, str | int | float):
        return repr(value)
    return str(getattr(value, "name", value))
