"""A stage of a schedule: its loops and all the primitives on them."""

from __future__ import annotations

from solway.loop_primitives import LoopPrimitives
from solway.stage_base import AxisLike, Loop

__all__ = ["AxisLike", "Loop", "Stage"]


class Stage(LoopPrimitives):
    """The loops of one computed tensor within a schedule: ``s[C]``."""
