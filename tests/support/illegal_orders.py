"""Cases of orders that are illegal: what a user does, and the order that it asks for.

A case gives a program twice: as a user writes it, and as its instances with what they access. The
order that the primitives ask for is a sort key of instances, worked out by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import solway as sw
from support.violations import Instance, broken_order, conflicts, race

__all__ = ["Case", "Program", "check", "lanes", "order", "parallel"]


class Program(NamedTuple):
    """Outputs as a user writes them, and all instances in program order."""

    outputs: Callable[[], list[sw.Tensor]]
    listed: list[Instance]


class Case(NamedTuple):
    """What a user does, and the order that it asks for."""

    name: str
    program: Program
    apply: Callable[[sw.Schedule, Any], None]
    key: Callable[[Instance], Any] | None = None
    outer: Callable[[Instance], Any] | None = None
    value: Callable[[Instance], Any] | None = None
    lanes: bool = False


def order(name, program, key, *primitives, stage=None):
    """A case in which the last primitive asks for the order `key`."""
    return Case(name, program, script(primitives, stage), key)


def parallel(name, program, outer, value, *primitives, stage=None):
    """A case in which the last primitive runs a loop on several cores."""
    return Case(name, program, script(primitives, stage), None, outer, value)


def lanes(name, program, outer, value, *primitives, stage=None):
    """A case in which the last primitive runs a loop in lanes."""
    return Case(name, program, script(primitives, stage), None, outer, value, True)


def script(primitives, stage):
    """Applies primitives, of which only the last may be refused."""

    def apply(s, tensors):
        target = s[tensors[stage]] if stage else s[s.tensors[list(tensors)[-1]]]
        for number, (primitive, *arguments) in enumerate(primitives, 1):
            words = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
            if primitive == "on":
                target = s[s.tensors[arguments[0]]]
                continue
            given = [
                s.tensors[a[1:]] if isinstance(a, str) and a.startswith("@") else a
                for a in arguments
            ]
            if number == len(primitives):
                s.asked = True
            receiver = s if hasattr(s, primitive) else target
            getattr(receiver, primitive)(*given, **words)

    return apply


def check(case):
    """The last primitive is refused, with the pair that listing the instances finds first."""
    s = sw.create_schedule(case.program.outputs())
    with pytest.raises(sw.IllegalScheduleError) as caught:
        case.apply(s, s.tensors)
    error = caught.value
    assert getattr(s, "asked", False), f"refused before the last primitive: {error}"
    listed = case.program.listed
    if case.key is not None:
        pair = broken_order(listed, case.key)
    else:
        pair = race(listed, case.outer, case.value, reductions=case.lanes)
    assert pair is not None, f"the case is legal: {error}"
    source, sink = pair
    assert (error.source, error.sink) == (source.name, sink.name), str(error)
    assert (error.tensor, tuple(error.element)) in conflicts(source, sink)
