"""The primitives on a stage as a whole: where it is computed, and with what."""

from __future__ import annotations

from solway import _core
from solway._location import caller
from solway._shown import shown
from solway.errors import ScheduleArgumentError
from solway.expr import Expr, Tensor, here
from solway.options import limited
from solway.stage_base import AxisLike, Loop, StageBase, axis_loops, stage_of

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

    def compute_at(
        self,
        consumer: Tensor | StageBase,
        axis: AxisLike,
        region: str = "exact",
        scope: str | None = None,
    ) -> None:
        """Computes, inside a loop of another stage, what one of its iterations needs of this one.

        The tensor becomes a tile in near memory, which each core has for itself; values that
        several tiles need are computed in each. The loops of this stage then run over the tile, and
        primitives on ``s[P]`` apply to them. A stage that was placed elsewhere moves.

        Args:
            consumer: the tensor or stage in whose loops it is computed.
            axis: the loop, which must enclose all that read this stage.
            region: "exact": what is needed, where that is one convex set, else the box around it;
                "box": the box in any case, whose loops have the same extents in every tile but
                those at the end of the tensor, as vectors and unrolled loops want them; "whole":
                that box in every tile, within the tensor, also where the last readers need less of
                it, as those of a padded tensor do.
            scope: the memory of the tile; by default the target's own choice. "register" inside a
                vectorized loop gives each lane a tile of its own.

        Raises:
            ScheduleArgumentError: another region, an output, a loop outside of which something
                reads this stage, a stage that shares its loops or that a buffer depends on.
            IllegalScheduleError: a value would be another; the schedule stays as it was.
            UnsupportedError: a stage that reads itself, or a tile without a constant size.

        Example:
            >>> A = sw.placeholder((66,), name="A")
            >>> P = sw.compute((66,), lambda i: A[i] * 2, name="P")
            >>> C = sw.compute((64,), lambda i: P[i] + P[i + 2], name="C")
            >>> s = sw.create_schedule(C)
            >>> outer, inner = s[C].split("i", 16)
            >>> s[P].compute_at(C, outer)
            >>> print(s, end="")
            For i.o in range(4)
              For i in range(18)
                P[i] = A[i.o*16 + i]*2.0
              For i.i in range(16)
                C[i.o*16 + i.i] = P[i.i] + P[i.i + 2]
        """
        target = stage_of(self._schedule, consumer, "compute_at")
        id = target._id(axis, "compute_at")
        if region not in ("exact", "box", "whole"):
            raise ScheduleArgumentError(
                f"no tile of compute_at is {shown(region)}",
                "it is 'exact', what is needed, 'box', the box around it, or 'whole', as large a "
                "box in every tile",
                "pass one of these words as region=",
                caller(),
            )
        self._schedule._state = _core.compute_at(
            self._schedule._state,
            self._name,
            target._name,
            id,
            here(),
            region,
            scope or "",
        )

    def compute_root(self) -> None:
        """Takes this stage out of the loops in which `compute_at` placed it.

        All of its tensor is computed once again, as it was written, directly before the nest that
        reads it; its loops are new. Without effect on a stage that stands outside of other loops.

        Raises:
            ScheduleArgumentError: the stage is inlined, or others were placed in its loops.
            IllegalScheduleError: a value would be another; the schedule stays as it was.

        Example:
            >>> A = sw.placeholder((8,), name="A")
            >>> P = sw.compute((8,), lambda i: A[i] * 2, name="P")
            >>> C = sw.compute((8,), lambda i: P[i] + 1, name="C")
            >>> s = sw.create_schedule(C)
            >>> s[P].compute_at(C, "i")
            >>> s[P].compute_root()
            >>> print(s, end="")
            For i in range(8)
              P[i] = A[i]*2.0
            For i in range(8)
              C[i] = P[i] + 1.0
        """
        self._schedule._state = _core.compute_root(self._schedule._state, self._name, here())

    def legal_levels(self, consumer: Tensor | StageBase) -> tuple[Loop, ...]:
        """The loops of another stage inside which `compute_at` may place this one.

        Args:
            consumer: the tensor or stage in whose loops it would be computed.

        Returns:
            Its loops at which `compute_at` is legal, outermost first.

        Example:
            >>> A = sw.placeholder((8, 8), name="A")
            >>> P = sw.compute((8, 8), lambda i, j: A[i, j] * 2, name="P")
            >>> C = sw.compute((8, 8), lambda i, j: P[i, j] + 1, name="C")
            >>> s = sw.create_schedule(C)
            >>> s[P].legal_levels(C)
            (<loop i of C>, <loop j of C>)
        """
        stage = stage_of(self._schedule, consumer, "legal_levels")
        where = here()
        with limited(self._schedule._options):
            ids = _core.legal_levels(self._schedule._state, self._name, stage._name, where)
        return tuple(stage._loop(id) for id in ids)

    def compute_inline(self) -> None:
        """Computes this stage inside the expressions of all that read it.

        Its loops and its tensor go; ``s[P]`` has no loops afterwards.

        Raises:
            ScheduleArgumentError: an output, a reduction, a tuple, a stage that reads itself or
                whose tensor is changed in place, or one that a buffer depends on.
            IllegalScheduleError: what it reads has another value where its readers run.

        Example:
            >>> A = sw.placeholder((8,), name="A")
            >>> P = sw.compute((8,), lambda i: A[i] * 2, name="P")
            >>> C = sw.compute((7,), lambda i: P[i] + P[i + 1], name="C")
            >>> s = sw.create_schedule(C)
            >>> s[P].compute_inline()
            >>> print(s, end="")
            For i in range(7)
              C[i] = A[i]*2.0 + A[i + 1]*2.0
        """
        self._schedule._state = _core.compute_inline(self._schedule._state, self._name, here())

    def specialize(self, *conditions: Expr) -> Tensor:
        """Makes two versions of this stage's loops: one where conditions hold, one where not.

        The version where all of them hold keeps the loops of ``s[C]``; the other, directly after
        it, has copies of them under the same names. Later primitives address either:
        ``s[C].vectorize(inner)`` the first, ``s[rest].unroll("i.i")`` the second, and a buffer the
        version whose loops its region or position names. Loops that run other stages as well are
        shared by both.

        Args:
            conditions: affine comparisons of loops of this stage, or of the tensor's axes.

        Returns:
            A tensor that names the second version, ``<name>_else``: its values are elements of
            this stage's tensor.

        Raises:
            ScheduleArgumentError: a condition that is not affine, or always or never holds; a stage
                that has buffers, or others in its loops.
            UnsupportedError: a condition that is no comparison.
            IllegalScheduleError: a value would be another, as when one version needs what the
                other computes later.

        Example:
            >>> A = sw.placeholder((10,), name="A")
            >>> C = sw.compute((10,), lambda i: A[i] * 2, name="C")
            >>> s = sw.create_schedule(C)
            >>> outer, inner = s[C].split("i", 4)
            >>> rest = s[C].specialize(outer < 2)
            >>> s[C].vectorize(inner)
            >>> s[rest].unroll("i.i")
            >>> print(s, end="")
            For i.o in range(2)
              For i.i in range(4)  # vectorized
                C[i.o*4 + i.i] = A[i.o*4 + i.i]*2.0
            For i.o in range(2, 3)
              For i.i in range(2)  # unrolled
                C[i.i + 8] = A[i.i + 8]*2.0

        Source: Halide's specialize, for the iteration space in place of run-time values.
        """
        nodes = []
        for condition in conditions:
            if not isinstance(condition, Expr):
                raise ScheduleArgumentError(
                    "specialize takes conditions on axes",
                    f"got {shown(condition)}",
                    "compare axes of the stage: outer < 7",
                    caller(),
                )
            nodes.append(condition._node_at(here()))
        state, rest = _core.specialize(
            self._schedule._state, self._name, nodes, axis_loops(self._schedule, self), here()
        )
        self._schedule._state = state
        return Tensor(rest)
