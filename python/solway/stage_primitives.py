"""The primitives on a stage as a whole: where it is computed, and with what."""

from __future__ import annotations

from solway import _core
from solway.expr import Tensor, here
from solway.stage_base import AxisLike, StageBase, stage_of

__all__ = ["StagePrimitives"]


class StagePrimitives(StageBase):
    """Primitives that place a stage: inside another one's loops, or in its expressions."""

    def fuse_with(self, other: Tensor | StageBase, axis: AxisLike) -> None:
        """Runs this stage in the loops of another one: each then runs both, the producer first.

        The outermost loops of this stage pair with those of `other` down to `axis`, value for
        value; a loop runs the union of both ranges. The paired loops of this stage are replaced by
        those of `other`, whose names and marks stay. A stage that must run ahead is shifted before.

        Args:
            other: the stage whose loops stay.
            axis: the innermost loop of `other` that is to run both.

        Raises:
            IllegalScheduleError: a dependence would run backwards.
            ScheduleArgumentError: too few loops, or one that is marked or runs a third stage.

        Example:
            >>> A = sw.placeholder((8,), name="A")
            >>> P = sw.compute((8,), lambda i: A[i] * 2, name="P")
            >>> C = sw.compute((8,), lambda x: P[x] + 1, name="C")
            >>> s = sw.create_schedule(C)
            >>> s[P].fuse_with(C, "x")
            >>> print(s, end="")
            For x in range(8)
              P[x] = A[x]*2.0
              C[x] = P[x] + 1.0
        """
        target = stage_of(self._schedule, other, "fuse_with")
        self._schedule._state = _core.fuse_with(
            self._schedule._state,
            self._name,
            target._name,
            target._id(axis, "fuse_with"),
            here(),
        )
