"""The primitives that change the order of a stage's iterations."""

from __future__ import annotations

from collections.abc import Callable

from solway import _core
from solway._location import caller
from solway.errors import Error, ScheduleArgumentError, UnsupportedError
from solway.expr import here
from solway.stage_base import AxisLike, Loop, StageBase, integer

__all__ = ["LoopPrimitives"]


class LoopPrimitives(StageBase):
    """Order primitives: they change when iterations run, never what is computed."""

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

    def skew(self, axis: AxisLike, by: AxisLike, factor: int = 1) -> None:
        """Slants a loop along another one: its value becomes ``axis + factor * by``.

        The axis keeps its name. What runs in it but not in `by`, as the initialisation of a
        reduction does, keeps its value. A loop that runs several stages is skewed in all of them.

        Args:
            axis: the loop that is slanted.
            by: the loop along which it is.
            factor: any integer but 0.

        Raises:
            IllegalScheduleError: a dependence would run backwards.
            ScheduleArgumentError: a factor of 0, or `by` is `axis`.

        Example:
            >>> A = sw.placeholder((4, 8), name="A")
            >>> B = sw.compute((4, 8), lambda t, i: A[t, i] * 2, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].skew("i", by="t", factor=1)
            >>> print(s, end="")
            For t in range(4)
              For i in range(t, t + 8)
                B[t, i - t] = A[t, i - t]*2.0
        """
        ids = self._id(axis, "skew"), self._id(by, "skew")
        self._schedule._state = _core.skew(
            self._schedule._state, self._name, *ids, integer(factor, "factor"), here()
        )

    def shift(self, axis: AxisLike, distance: int) -> None:
        """Runs everything in a loop `distance` iterations later. The axis keeps its name.

        A loop that runs several stages is moved as a whole; before `fuse_with`, the stage alone.

        Args:
            axis: the loop.
            distance: any integer.

        Raises:
            ScheduleArgumentError: the loop would leave 64-bit integers.

        Example:
            >>> A = sw.placeholder((8,), name="A")
            >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].shift("i", 3)
            >>> print(s, end="")
            For i in range(3, 11)
              B[i - 3] = A[i - 3]*2.0
        """
        self._schedule._state = _core.shift(
            self._schedule._state,
            self._name,
            self._id(axis, "shift"),
            integer(distance, "distance"),
            here(),
        )

    def reverse(self, axis: AxisLike) -> None:
        """Runs the iterations of a loop from the last to the first. The axis keeps its name.

        Args:
            axis: the loop.

        Raises:
            IllegalScheduleError: a dependence would run backwards.

        Example:
            >>> A = sw.placeholder((8,), name="A")
            >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].reverse("i")
            >>> print(s, end="")
            For i in range(8)
              B[7 - i] = A[7 - i]*2.0
        """
        self._schedule._state = _core.reverse(
            self._schedule._state, self._name, self._id(axis, "reverse"), here()
        )

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
