"""The primitives on a stage as a whole: where it is computed, and with what."""

from __future__ import annotations

from solway.stage_base import StageBase

__all__ = ["StagePrimitives"]


class StagePrimitives(StageBase):
    """Primitives that place a stage: inside another one's loops, or in its expressions."""
