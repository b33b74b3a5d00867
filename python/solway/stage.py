"""The loops of one stage of a schedule, and the primitives on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from solway import _core
from solway._location import caller
from solway.errors import Error, ScheduleArgumentError, UnsupportedError
from solway.expr import Axis, Tensor, here

if TYPE_CHECKING:
    from solway.schedule import Schedule

__all__ = ["AxisLike", "Loop", "Stage", "integer"]


class Loop(Axis):
    """A loop of a schedule, as primitives return it.

    It may stand in the index expressions of a buffer's region. Two loops are equal iff they are the
    same loop of the same schedule.
    """

    __slots__ = ("_id", "_schedule", "_stage")

    def __init__(self, schedule: Schedule, stage: str, id: int) -> None:
        super().__init__(schedule._axis_of_loop(id))
        self._schedule, self._stage, self._id = schedule, stage, id

    def __repr__(self) -> str:
        return f"<loop {self.name} of {self._stage}>"


AxisLike: TypeAlias = "Axis | Loop | str"


class Stage:
    """The loops of one computed tensor within a schedule: ``s[C]``."""

    def __init__(self, schedule: Schedule, tensor: Tensor) -> None:
        self._schedule, self._tensor = schedule, tensor

    @property
    def axis(self) -> tuple[Loop, ...]:
        """The present spatial loops, outermost first."""
        return self._loops(reduce=False)

    @property
    def reduce_axis(self) -> tuple[Loop, ...]:
        """The present reduction loops, outermost first."""
        return self._loops(reduce=True)

    def split(
        self,
        axis: AxisLike,
        factor: int | None = None,
        *,
        parts: int | None = None,
        tail: str = "guard",
    ) -> tuple[Loop, Loop]:
        """Strip-mines a loop into blocks of `factor` iterations.

        Args:
            axis: the loop, or its name.
            factor: iterations of the inner loop, 1 or more.
            parts: iterations of the outer loop instead; factor is then ceil(extent / parts).
            tail: "guard": iterations past the extent are skipped.

        Returns:
            The outer and the inner loop, named ``<axis>.o`` and ``<axis>.i``.

        Raises:
            ScheduleArgumentError: no such loop, a factor below 1, neither or both of factor, parts.
            UnsupportedError: another tail.

        Example:
            >>> A = sw.placeholder((1024,), name="A")
            >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].split("i", factor=128)
            (<loop i.o of B>, <loop i.i of B>)

        Source: swTVM, Figure 2(a).
        """
        if tail != "guard":
            raise UnsupportedError(
                f"split with tail={tail!r}",
                "the tail that is there is 'guard': iterations past the extent are skipped",
                "leave tail out",
                caller(),
            )
        if (factor is None) == (parts is None):
            raise ScheduleArgumentError(
                "split needs a factor or a number of parts",
                "got neither" if factor is None else f"got factor={factor} and parts={parts}",
                "pass one of factor=, parts=",
                caller(),
            )
        id = self._id(axis, "split")
        if factor is None and parts is not None:
            factor = self._factor_of_parts(id, parts)
        state, outer, inner = _core.split(
            self._schedule._state, self._name, id, integer(factor, "factor"), here()
        )
        self._schedule._state = state
        return self._loop(outer), self._loop(inner)

    def tile(self, i: AxisLike, j: AxisLike, ti: int, tj: int) -> tuple[Loop, Loop, Loop, Loop]:
        """Splits two loops and brings the outer halves outside: io, jo, ii, ji.

        Args:
            i: the outer loop.
            j: the inner loop.
            ti: factor of i.
            tj: factor of j.

        Returns:
            io, jo, ii, ji.

        Raises:
            ScheduleArgumentError: as `split` and `reorder`.
            IllegalScheduleError: as `reorder`; the schedule stays as it was.

        Example:
            >>> A = sw.placeholder((64, 64), name="A")
            >>> B = sw.compute((64, 64), lambda i, j: A[j, i], name="B")
            >>> s = sw.create_schedule(B)
            >>> [loop.name for loop in s[B].tile("i", "j", 8, 16)]
            ['i.o', 'j.o', 'i.i', 'j.i']
        """
        before = self._schedule._state
        try:
            io, ii = self.split(i, ti)
            jo, ji = self.split(j, tj)
            self.reorder(io, jo, ii, ji)
        except Error:
            self._schedule._state = before
            raise
        return io, jo, ii, ji

    def fuse(self, *axes: AxisLike) -> Loop:
        """Merges neighbouring loops, given outermost first, into one.

        Args:
            axes: two or more loops, each directly inside the one before.

        Returns:
            The merged loop, named after them.

        Raises:
            ScheduleArgumentError: the loops are not neighbours, or of different kinds.

        Example:
            >>> A = sw.placeholder((8, 4), name="A")
            >>> B = sw.compute((8, 4), lambda i, j: A[i, j] * 2, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].fuse("i", "j")
            <loop i.j of B>
        """
        ids = [self._id(axis, "fuse") for axis in axes]
        state, fused = _core.fuse(self._schedule._state, self._name, ids, here())
        self._schedule._state = state
        return self._loop(fused)

    def reorder(self, *axes: AxisLike) -> None:
        """Permutes loops: the named ones take the places that they hold, in the order given.

        Args:
            axes: loops of this stage; the others keep their place.

        Raises:
            IllegalScheduleError: a dependence would run backwards; the schedule stays as it was.
            ScheduleArgumentError: a loop is named twice, or is not of this stage.

        Example:
            >>> A = sw.placeholder((8, 4), name="A")
            >>> B = sw.compute((8, 4), lambda i, j: A[i, j] * 2, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].reorder("j", "i")
            >>> print(s, end="")
            For j in range(4)
              For i in range(8)
                B[i, j] = A[i, j]*2.0
        """
        ids = [self._id(axis, "reorder") for axis in axes]
        self._schedule._state = _core.reorder(self._schedule._state, self._name, ids, here())

    def parallel(self, axis: AxisLike) -> None:
        """Runs the iterations of a loop on different cores; it stays one loop.

        Args:
            axis: the loop. Core ``id`` runs ``begin <= axis < end`` with
                ``chunk = ceil(extent / cores)`` and ``begin = min(id * chunk, extent)``.

        Raises:
            IllegalScheduleError: two iterations conflict.
            UnsupportedError: a reduction axis.

        Example:
            >>> A = sw.placeholder((1024,), name="A")
            >>> B = sw.compute((1024,), lambda i: A[i] * A[i], name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].parallel("i")

        Source: swTVM, Figure 4.
        """
        self._mark(_core.parallel, axis, "parallel")

    def athread_parallel(self, axis: AxisLike) -> None:
        """`parallel` under its Sunway name."""
        self._mark(_core.parallel, axis, "athread_parallel")

    def vectorize(self, axis: AxisLike) -> None:
        """Runs the iterations of a loop in the lanes of vectors.

        Args:
            axis: the loop, of any extent.

        Raises:
            IllegalScheduleError: two iterations conflict.
        """
        self._mark(_core.vectorize, axis, "vectorize")

    def unroll(self, axis: AxisLike) -> None:
        """Writes out the iterations of a loop one after the other.

        Args:
            axis: the loop.
        """
        self._mark(_core.unroll, axis, "unroll")

    @property
    def _name(self) -> str:
        return self._tensor.name

    def _loops(self, *, reduce: bool) -> tuple[Loop, ...]:
        rows = self._schedule._state.loops(self._name)
        return tuple(
            Loop(self._schedule, self._name, id)
            for id, _, is_reduce, _, _ in rows
            if is_reduce == reduce
        )

    def _loop(self, id: int) -> Loop:
        return Loop(self._schedule, self._name, id)

    def _factor_of_parts(self, id: int, parts: int) -> int:
        if integer(parts, "parts") < 1:
            raise ScheduleArgumentError(
                f"split into {parts} parts",
                "the number of parts is not positive",
                "pass parts of at least 1",
                caller(),
            )
        for row, _, _, begin, end in self._schedule._state.loops(self._name):
            if row == id:
                return max(1, -(-(end - begin) // parts))
        return 1  # a replaced axis: split says so

    def _mark(
        self,
        primitive: Callable[[_core.ScheduleState, str, int, _core.SourceLoc], _core.ScheduleState],
        axis: AxisLike,
        name: str,
    ) -> None:
        id = self._id(axis, name)
        self._schedule._state = primitive(self._schedule._state, self._name, id, here())

    def _id(self, axis: AxisLike, request: str) -> int:
        if isinstance(axis, Loop):
            if axis._schedule is not self._schedule:
                raise self._unknown(request, axis.name, "it is a loop of another schedule")
            return axis._id
        if isinstance(axis, Axis):
            return self._axis_id(axis, request)
        if isinstance(axis, str):
            return self._named_id(axis, request)
        raise self._unknown(request, repr(axis), f"got {type(axis).__name__}, not an axis")

    def _axis_id(self, axis: Axis, request: str) -> int:
        state = self._schedule._state
        for stage in (self._tensor, *map(Tensor, state.stages())):
            id: int = state.loop_of_axis(stage.name, axis._axis)
            if id >= 0:
                return id
        raise self._unknown(request, axis.name, "it is no axis of this schedule's tensors")

    def _named_id(self, name: str, request: str) -> int:
        rows = self._schedule._state.loops(self._name)
        found = [id for id, own, _, _, _ in rows if own == name]
        if len(found) == 1:
            return int(found[0])
        names = ", ".join(repr(own) for _, own, _, _, _ in rows)
        if not found:
            raise self._unknown(request, name, f"its loops are {names}")
        raise self._unknown(request, name, "several loops have this name; pass the axis itself")

    def _unknown(self, request: str, name: str, why: str) -> ScheduleArgumentError:
        return ScheduleArgumentError(
            f"{request}: '{name}' is not a loop of '{self._name}'",
            why,
            f"use an axis of s[{self._name}]",
            caller(),
        )


def integer(value: object, name: str) -> int:
    """`value` as an int; ScheduleArgumentError when it is none or does not fit in 64 bits."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ScheduleArgumentError(
            f"{name} is no integer", f"got {value!r}", "pass a constant integer", caller()
        )
    if not -(2**63) <= int(value) < 2**63:
        raise ScheduleArgumentError(
            f"{name} does not fit in 64 bits", f"got {value}", "pass a smaller integer", caller()
        )
    return int(value)
