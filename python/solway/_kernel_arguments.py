"""The arguments of a kernel that nobody has named."""

from __future__ import annotations

from solway import _core
from solway.expr import Tensor, root_of

__all__ = ["arguments_of"]


def arguments_of(state: _core.ScheduleState) -> list[Tensor]:
    """What a schedule reads, in the order in which it is read first, then its outputs.

    Args:
        state: the schedule; an output that changes an input in place is that input.
    """
    out = [Tensor(node) for node in state.inputs()]
    roots = {root_of(tensor).name for tensor in out}
    for node in state.outputs():
        tensor = Tensor(node)
        if root_of(tensor).name not in roots:
            out.append(tensor)
    return out
