"""The primitives that change the order of a stage's iterations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from solway import _core
from solway._location import caller
from solway._shown import shown
from solway.buffer import Buffer
from solway.errors import ScheduleArgumentError
from solway.expr import Tensor, here
from solway.intrinsic import Intrinsic, MicroKernel
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
            tail: what becomes of the last block when the factor does not divide. "guard":
                iterations past the extent are skipped. "cut": whole blocks and the rest become
                separate nests, without a guard in the first. "mask": the vectors of the inner loop
                end with a mask; where no vector runs it, it is guarded, with a remark.

        Returns:
            The outer and the inner loop, named ``<axis>.o`` and ``<axis>.i``.

        Raises:
            ScheduleArgumentError: no such loop, a factor below 1, neither or both of factor, parts,
                another tail.

        Example:
            >>> A = sw.placeholder((1024,), name="A")
            >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].split("i", factor=128)
            (<loop i.o of B>, <loop i.i of B>)
            >>> s = sw.create_schedule(B)
            >>> io, ii = s[B].split("i", factor=200, tail="cut")
            >>> print(s, end="")
            For i.o in range(5)
              For i.i in range(200)
                B[i.o*200 + i.i] = A[i.o*200 + i.i] + 1.0
            For i.i in range(24)
              B[i.i + 1000] = A[i.i + 1000] + 1.0

        Source: swTVM, Figure 2(a).
        """
        if (factor is None) == (parts is None):
            raise ScheduleArgumentError(
                "split needs a factor or a number of parts",
                "got neither" if factor is None else f"got factor={factor} and parts={parts}",
                "pass one of factor=, parts=",
                caller(),
            )
        id = self._id(axis, "split")
        if factor is None and parts is not None:
            state = self._schedule._state
            factor = _core.factor_of_parts(state, id, integer(parts, "parts"), here())
        state, outer, inner = _core.split(
            self._schedule._state, self._name, id, integer(factor, "factor"), here(), str(tail)
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
        state, *loops = _core.tile(
            self._schedule._state,
            self._name,
            self._id(i, "tile"),
            self._id(j, "tile"),
            integer(ti, "factor"),
            integer(tj, "factor"),
            here(),
        )
        self._schedule._state = state
        io, jo, ii, ji = map(self._loop, loops)
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

    def affine(self, map: str, *, names: Sequence[str] | None = None) -> tuple[Loop, ...]:
        """Replaces loops by affine functions of them.

        What lacks some of the loops, as the initialisation of a reduction does, counts them as 0
        and stands in those new loops that depend on the loops that it has.

        Args:
            map: an isl map from present loops, by name, to what runs in their
                places, outermost first.
            names: of the new loops. By default one that is an old loop keeps its name, and the
                others take over the names that are left.

        Returns:
            The new loops.

        Raises:
            ScheduleArgumentError: the text is no map of this stage's loops, has no value or several
                for an iteration, or one value for two iterations.
            IllegalScheduleError: a dependence would run backwards.

        Example:
            >>> A = sw.placeholder((4, 3), name="A")
            >>> B = sw.compute((4, 3), lambda i, j: A[i, j] * 2, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].affine("{ [i, j] -> [i + j, j] }", names=["d", "j"])
            (<loop d of B>, <loop j of B>)
            >>> print(s, end="")
            For d in range(6)
              For j in range(max(d - 3, 0), min(d + 1, 3))
                B[d - j, j] = A[d - j, j]*2.0
        """
        state, loops = _core.affine(
            self._schedule._state, self._name, map, list(names or ()), here()
        )
        self._schedule._state = state
        return tuple(self._loop(id) for id in loops)

    def fission(self, axis: AxisLike) -> tuple[Loop, ...]:
        """Gives each statement inside a loop a loop of its own; the inverse of `fuse_with`.

        The loops returned replace the one taken, which is no longer there. Statements that share a
        buffer, and its transfers, stay in one loop; loops further in stay what they are, and
        primitives on them apply to all their copies until they are fissioned too.

        Args:
            axis: the loop. One that runs a single statement stays as it is.

        Returns:
            One loop per statement in the order of the text, named ``<axis>.0``, ``<axis>.1``, ...

        Raises:
            IllegalScheduleError: a dependence would run backwards.

        Example:
            >>> A = sw.placeholder((8, 4), name="A")
            >>> k = sw.reduce_axis(4, name="k")
            >>> B = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k), name="B")
            >>> s = sw.create_schedule(B)
            >>> first, then = s[B].fission("i")
            >>> print(s, end="")
            For i.0 in range(8)
              B[i.0] = 0.0
            For i.1 in range(8)
              For k in range(4)
                B[i.1] += A[i.1, k]
        """
        state, loops = _core.fission(
            self._schedule._state, self._name, self._id(axis, "fission"), here()
        )
        self._schedule._state = state
        return tuple(self._loop(id) for id in loops)

    def parallel(self, *axes: AxisLike, grid: tuple[int, int] | None = None) -> None:
        """Runs the iterations of a loop on different cores; it stays one loop.

        Args:
            axes: the loop. Core ``id`` runs ``begin <= axis < end`` with
                ``chunk = ceil(extent / cores)`` and ``begin = min(id * chunk, extent)``. With
                `grid` two loops, one directly inside the other: the first is shared out so among
                the rows of the mesh of cores, the second among its columns.
            grid: rows and columns of the mesh.

        Raises:
            IllegalScheduleError: two iterations conflict, as those of a reduction axis do: its
                ``fix`` makes partial results with `rfactor`.

        Example:
            >>> A = sw.placeholder((64, 64), name="A")
            >>> B = sw.compute((64, 64), lambda i, j: A[i, j] * A[j, i], name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].parallel("i", "j", grid=(8, 8))

        Source: swTVM, Figure 4.
        """
        if len(axes) != (1 if grid is None else 2):
            raise ScheduleArgumentError(
                f"parallel of {len(axes)} axes" + ("" if grid is None else " on a grid"),
                "one axis is shared out among all cores, two among rows and columns",
                "pass one axis, or two and grid=(rows, columns)",
                caller(),
            )
        if grid is None:
            self._mark(_core.parallel, axes[0], "parallel")
            return
        if not isinstance(grid, tuple | list) or len(grid) != 2:
            raise ScheduleArgumentError(
                "the grid is no pair", f"got {grid!r}", "pass grid=(rows, columns)", caller()
            )
        rows, columns = (self._id(axis, "parallel") for axis in axes)
        cores = (integer(grid[0], "grid"), integer(grid[1], "grid"))
        self._adopt(
            _core.parallel_grid(self._schedule._state, self._name, rows, columns, cores, here())
        )

    def bind(self, axis: AxisLike, hardware: str) -> None:
        """Runs the iterations of a loop on a dimension of the hardware that the target names.

        Args:
            axis: the loop.
            hardware: "core" is `parallel`; "row" and "column" are those of a mesh of cores, where
                each shares out its loop. A core does nothing that another one does.

        Raises:
            IllegalScheduleError: two iterations conflict, as those of a reduction axis do.
            UnsupportedError: a dimension that no target has, or more than the target has: at
                once with ``create_schedule(target=)``, else by `build`.

        Example:
            >>> A = sw.placeholder((64, 64), name="A")
            >>> B = sw.compute((64, 64), lambda i, j: A[i, j] * A[j, i], name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].bind("i", "row")
            >>> s[B].bind("j", "column")
        """
        state, loop = self._schedule._state, self._id(axis, "bind")
        self._adopt(_core.bind(state, self._name, loop, str(hardware), here()))

    def _adopt(self, state: _core.ScheduleState) -> None:
        """Takes a new state whose loops find their cores on the target, when one is known."""
        if self._schedule._machine is not None:
            _core.require_cores(state, self._schedule._machine)
        self._schedule._state = state

    def athread_parallel(self, axis: AxisLike) -> None:
        """`parallel` under its Sunway name."""
        self._mark(_core.parallel, axis, "athread_parallel")

    def vectorize(self, axis: AxisLike) -> None:
        """Runs the iterations of a loop in the lanes of vectors.

        A statement is read in all lanes before it is stored in one: ``A[i] = A[i] + A[i + 1]`` of
        `update` may be vectorized, ``A[i] = A[i] + A[i - 1]`` may not.

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

    def prefetch_lines(
        self,
        tensor: Tensor | Buffer,
        at: AxisLike,
        distance: int,
        inside: AxisLike | None = None,
    ) -> None:
        """Asks the caches for what a loop reads of a tensor, some iterations early.

        While iteration ``t`` of the loop runs, the lines that iteration ``t + distance`` reads are
        on their way: beside each read stands a request for the same place `distance` iterations
        later. Nothing is read and nothing waits, so that it is legal in every loop, and past the
        end of the tensor. What it gains is for a measurement to say. For x86-64 and Arm; elsewhere
        it has no effect, with a remark. A scratchpad has `Schedule.prefetch`.

        Args:
            tensor: what the stage reads: a tensor, or what `buffer_read` returned.
            at: the loop whose iterations count. One that is unrolled or vectorized is not left in
                the code, and the request has no effect, with a remark; neither for a buffer that
                registers hold.
            distance: iterations, 1 or more. Far enough that a line is there in time: a few hundred
                cycles from main memory.
            inside: a loop that runs in `at`, over whose iterations the requests are spread: each
                asks for an equal share of all lines that iteration ``t + distance`` reads; past the
                last one those of the next iteration of the loop around `at`. So a copy, or what a
                tile reads once at its beginning, arrives little by little while the one before is
                used. Reads whose loops in `at` have no constant extents have no such share, with a
                remark.

        Raises:
            ScheduleArgumentError: the stage does not read the tensor, no such loop, a distance
                below 1, `inside` does not run in `at`, a second request for the same tensor in the
                same loop.

        Example:
            >>> W = sw.placeholder((512, 16), name="W")
            >>> k = sw.reduce_axis(512, name="k")
            >>> C = sw.compute((16,), lambda j: sw.sum(W[k, j], axis=k), name="C")
            >>> s = sw.create_schedule(C)
            >>> s[C].reorder("k", "j")
            >>> s[C].vectorize("j")
            >>> s[C].prefetch_lines(W, at="k", distance=16)

        Source: Halide's and TVM's ``prefetch``.
        """
        if not isinstance(tensor, Tensor | Buffer):
            raise ScheduleArgumentError(
                "prefetch_lines takes a tensor",
                f"got {shown(tensor)}",
                "pass a tensor that the stage reads, or what buffer_read returned",
                caller(),
            )
        self._schedule._state = _core.prefetch_lines(
            self._schedule._state,
            self._name,
            tensor.name if isinstance(tensor, Buffer) else tensor._node.storage_name,
            self._id(at, "prefetch_lines"),
            integer(distance, "distance"),
            None if inside is None else self._id(inside, "prefetch_lines"),
            here(),
        )

    def tensorize(self, axis: AxisLike, intrinsic: Intrinsic | MicroKernel) -> None:
        """Runs code of its own in place of a loop and all loops inside it.

        That they compute what the intrinsic says is proved, whatever the order of their loops, the
        layout of their arrays and the buffers they use; later primitives are proved to keep it.

        Args:
            axis: the outermost loop that the code runs.
            intrinsic: what it computes, and the code, see `sw.intrinsic`; or `sw.micro_kernel()`
                for a product of matrices, whose code solway makes.

        Raises:
            ScheduleArgumentError: the loops compute something else; ``why`` says where they differ.
            UnsupportedError: an intrinsic of several statements; a micro-kernel of loops that are
                no product of matrices; at build, a target that has no code, or whose code is made
                without a C compiler, and operands of a micro-kernel that are in no buffer, or
                whose layout has no vectors.

        Example:
            >>> X = sw.placeholder((4,), name="X")
            >>> Y = sw.compute((4,), lambda i: X[i] * 2, name="Y")
            >>> twice = sw.intrinsic(
            ...     Y, {"c": "for (int i = 0; i < 4; ++i) Y[i * Y_stride0] = X[i * X_stride0] * 2;"}
            ... )
            >>> A = sw.placeholder((16,), name="A")
            >>> C = sw.compute((16,), lambda i: A[i] * 2, name="C")
            >>> s = sw.create_schedule(C)
            >>> outer, inner = s[C].split("i", 4)
            >>> s[C].tensorize(inner, twice)
            >>> print(s, end="")
            For i.o in range(4)
              Y(Y: C[i.o*4], X: A[i.o*4])
        """
        if isinstance(intrinsic, MicroKernel):
            self._schedule._state = _core.tensorize_micro_kernel(
                self._schedule._state, self._name, self._id(axis, "tensorize"), here()
            )
            return
        if not isinstance(intrinsic, Intrinsic):
            raise ScheduleArgumentError(
                "tensorize takes an intrinsic",
                f"got {intrinsic!r}",
                "pass what sw.intrinsic or sw.micro_kernel returned",
                caller(),
            )
        self._schedule._state = _core.tensorize(
            self._schedule._state,
            self._name,
            self._id(axis, "tensorize"),
            intrinsic._node,
            here(),
        )
        self._schedule._intrinsics[intrinsic.name] = intrinsic

    def _mark(
        self,
        primitive: Callable[[_core.ScheduleState, str, int, _core.SourceLoc], _core.ScheduleState],
        axis: AxisLike,
        name: str,
    ) -> None:
        id = self._id(axis, name)
        self._schedule._state = primitive(self._schedule._state, self._name, id, here())
