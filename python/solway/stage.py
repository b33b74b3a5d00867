"""A stage of a schedule: its loops and all the primitives on them."""

from __future__ import annotations

from solway.loop_primitives import LoopPrimitives
from solway.stage_base import AxisLike, Loop
from solway.stage_primitives import StagePrimitives

__all__ = ["AxisLike", "Loop", "Stage"]


class Stage(LoopPrimitives, StagePrimitives):
    """The loops of one computed tensor within a schedule: ``s[C]``.

    Example:
        >>> A = sw.placeholder((8, 4), name="A")
        >>> k = sw.reduce_axis(4, name="k")
        >>> B = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k), name="B")
        >>> s = sw.create_schedule(B)
        >>> outer, inner = s[B].split("i", factor=2)
        >>> s[B].axis, s[B].reduce_axis
        ((<loop i.o of B>, <loop i.i of B>), (<loop k of B>,))
    """
