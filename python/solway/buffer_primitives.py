"""The primitives that keep regions of tensors in near memory, and say when they move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from solway import _core
from solway._location import caller
from solway._place_buffer import adopt, place
from solway._shown import shown
from solway.buffer import Buffer
from solway.errors import ScheduleArgumentError
from solway.expr import Expr, Tensor, here
from solway.stage import AxisLike, Stage

if TYPE_CHECKING:
    from solway.schedule import Schedule

__all__ = ["BufferPrimitives"]


class BufferPrimitives:
    """The part of `Schedule` that stages regions of tensors in near memory."""

    def buffer_read(
        self,
        tensor: Tensor | Buffer,
        region: Iterable[AxisLike | Expr] | None = None,
        at: AxisLike | None = None,
        readers: Iterable[Tensor | Stage] | None = None,
        scope: str | None = None,
        depth: int = 1,
        layout: Sequence[int | AxisLike] | None = None,
        fill_padding: bool = False,
        slide: AxisLike | None = None,
        references: Iterable[int] | None = None,
        align: int | None = None,
    ) -> Buffer:
        """Copies a region of a tensor to near memory before a stage reads it.

        Args:
            tensor: what is read; or a buffer in scope "shared", of which each core loads a part.
            region: what varies inside the buffer: axes, or index expressions of axes. Without it,
                and only with `at`, whatever the loops inside touch. Axes of one dimension that
                stand apart, as in ``[jo, k, ji]``, keep it in panels: the buffer has a dimension
                for each, ``BB[jo, k, ji]``, in that order.
            at: the loop inside which the copy stands. Without it, the outermost point inside the
                parallel loops at which everything else that the accesses depend on is fixed.
            readers: the stage that reads through it, when several do; or several that run in the
                loop `at`, which is then needed.
            scope: a managed memory of the target; by default the target's own choice. In scope
                "shared" there is one buffer for all cores: core 0 fills it, outside of parallel
                loops, and the cores meet before they read it and before it is filled again.
            depth: how many regions it holds at once, see `double_buffer`.
            layout: the tensor's dimensions in the order of the buffer's, or the loops that run
                along them; several along one divide it into panels.
            fill_padding: the tensor copies another one with a border around it,
                ``select(inside, X[y - 1, x - 1], 0)``: what lies inside is moved from that one,
                and each core fills the border in the buffer. The tensor itself is never in main
                memory.
            slide: the innermost loop around the copy, whose tiles overlap (a sliding window). In
                its first iteration the whole tile is copied; later the core moves what the tile
                before holds to its new place in the buffer, and only the rest is copied.
            references: which reads of the tensor in the stage's expression go to the buffer, by
                their numbers in ``s[C].references(tensor)``. The others go on as they are, or to
                buffers of their own: what lies far apart needs no box around all of it. Without it,
                all that have no buffer yet.
            align: bytes. Engines move multiples of some bytes, from and to multiples of them; what
                is not such a box is copied element by element. With `align` the copy may move whole
                units of so many bytes around each row: the buffer has room for them, and its rows
                lie within units as those of main memory.

        Returns:
            The buffer. It has the dimensions that the region varies and those that have more than
            one element.

        Raises:
            ScheduleArgumentError: a region that matches nothing, or a loop outside the position;
                references that there are not, or that have a buffer.
            IllegalScheduleError: a read would get another value, or cores would share the buffer.
            UnsupportedError: no box of constant size holds what is read; `fill_padding`, `slide` or
                `align` of a shared buffer, or of what is loaded from one.

        Example:
            >>> A = sw.placeholder((1024,), name="A")
            >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
            >>> s = sw.create_schedule(B)
            >>> io, ii = s[B].split("i", factor=128)
            >>> s.buffer_read(A, [ii])
            <buffer AA of A>
            >>> print(s, end="")
            For i.o in range(8)
              For i.i in range(128)
                AA[i.i] = A[i.o*128 + i.i]
              For i.i in range(128)
                B[i.o*128 + i.i] = AA[i.i] + 1.0

            Two halves of one tensor, in a buffer each:

            >>> X = sw.placeholder((2048,), name="X")
            >>> Y = sw.compute((1024,), lambda i: X[i] - X[i + 1024], name="Y")
            >>> s = sw.create_schedule(Y)
            >>> io, ii = s[Y].split("i", factor=128)
            >>> s[Y].references(X)
            ['X[i]', 'X[i + 1024]']
            >>> s.buffer_read(X, at=io, references=[0]), s.buffer_read(X, at=io, references=[1])
            (<buffer XX of X>, <buffer XX_1 of X>)

            One copy of a table for all cores, and a part of it for each:

            >>> T = sw.placeholder((64, 128), name="T")
            >>> Z = sw.compute((64, 128), lambda i, j: T[i, j] + 1, name="Z")
            >>> s = sw.create_schedule(Z)
            >>> s[Z].parallel("i")
            >>> TT = s.buffer_read(T, ["i", "j"], scope="shared")
            >>> s.buffer_read(TT, ["j"])
            <buffer TT_buf of T>

        Source: swTVM, Section 5.1, Figure 2; the position is Algorithm 3.
        """
        return place(
            cast("Schedule", self),
            tensor,
            region,
            at,
            readers,
            scope,
            depth,
            layout,
            is_read=True,
            fill_padding=fill_padding,
            slide=slide,
            references=references,
            align=align,
        )

    def buffer_write(
        self,
        tensor: Tensor,
        region: Iterable[AxisLike | Expr] | None = None,
        at: AxisLike | None = None,
        scope: str | None = None,
        depth: int = 1,
        layout: Sequence[int | AxisLike] | None = None,
    ) -> Buffer:
        """Keeps a region of a computed tensor in near memory and stores it afterwards.

        A reduction that runs whole inside is initialised in the buffer; otherwise what is there is
        loaded first. A partial tile stores exactly what it computed: what is no box, as a tile of a
        triangle or of a band, row by row, and where such a tile is whole, in one transfer.

        Args:
            tensor: what is computed.
            region: as in `buffer_read`.
            at: as in `buffer_read`.
            scope: as in `buffer_read`.
            depth: how many regions it holds at once: with 2, one leaves while the next is computed.
            layout: as in `buffer_read`.

        Returns:
            The buffer.

        Raises:
            ScheduleArgumentError: as `buffer_read`.
            IllegalScheduleError: as `buffer_read`.
            UnsupportedError: what one position writes is not a box, and neither are its rows, or
                they do not follow each other, as of every second element in turn; it is no box, and
                the buffer has panels.

        Example:
            >>> A = sw.placeholder((8, 64), name="A")
            >>> k = sw.reduce_axis(64, name="k")
            >>> B = sw.compute((8,), lambda i: sw.sum(A[i, k], axis=k), name="B")
            >>> s = sw.create_schedule(B)
            >>> BB = s.buffer_write(B, ["i"])

        Source: swTVM, Section 5.1, Figure 2.
        """
        schedule = cast("Schedule", self)
        return place(schedule, tensor, region, at, None, scope, depth, layout, is_read=False)

    def double_buffer(self, buffer: Buffer | str, across: AxisLike | None = None) -> None:
        """Lets a buffer hold two regions: one is used while the next one arrives.

        They take turns over the iterations of the innermost loop around the transfer; at each
        iteration of the next loop out the pipeline drains. A buffer that is only stored leaves
        during the next iteration. On CPUs copies are plain code, done when they are asked for.

        Args:
            buffer: what `buffer_read` or `buffer_write` returned.
            across: a loop around the transfer, further out: the iterations of all loops from it
                inward count as those of one, and the pipeline drains where that one ends. What the
                next iteration of ``across`` needs first is asked for in the last step of this one.

        Raises:
            ScheduleArgumentError: the buffer is moved once, outside all loops; ``across`` is not
                around its transfers.
            UnsupportedError: a loop inside of ``across`` has an extent that is known at run time.
            IllegalScheduleError: what is loaded is not computed yet one iteration early.

        Example:
            >>> A = sw.placeholder((1024,), name="A")
            >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
            >>> s = sw.create_schedule(B)
            >>> io, ii = s[B].split("i", factor=128)
            >>> s.double_buffer(s.buffer_read(A, [ii]))
            >>> print(s, end="")
            Issue AA_get: AA[0, 0] <- A[0]  # 128
            For i.o in range(8)
              If i.o <= 6
                Issue AA_get: AA[(i.o + 1) % 2, 0] <- A[i.o*128 + 128]  # 128
              Wait AA_get
              For i.i in range(128)
                B[i.o*128 + i.i] = AA[i.o % 2, i.i] + 1.0
        """
        _deepen(cast("Schedule", self), buffer, None, across)

    def prefetch(
        self, buffer: Buffer | str, distance: int = 1, across: AxisLike | None = None
    ) -> None:
        """Loads a buffer `distance` iterations early, with as many more regions as that needs.

        Args:
            buffer: what `buffer_read` returned.
            distance: iterations of the innermost loop around the transfer.
            across: as of `double_buffer`.

        Raises:
            ScheduleArgumentError: as `double_buffer`, and for a buffer that is only stored.
            IllegalScheduleError: what is loaded is not computed yet that early.

        Example:
            >>> A = sw.placeholder((1024,), name="A")
            >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
            >>> s = sw.create_schedule(B)
            >>> io, ii = s[B].split("i", factor=128)
            >>> AA = s.buffer_read(A, [ii])
            >>> s.prefetch(AA, distance=2)
            >>> s.ldm_report("sw26010").to_dict()["memories"][0]["total_bytes"]
            1536
        """
        _deepen(cast("Schedule", self), buffer, distance, across)

    def single_buffer(self, buffer: Buffer | str, across: AxisLike | None = None) -> None:
        """Lets the one region of a buffer be on its way while nothing uses it.

        What is loaded is asked for as soon as the last use of the tile before is over, and what is
        stored is waited for where the region is written again, both in the innermost loop around
        the transfer. `double_buffer` lets them take the whole iteration, with a second region.

        Args:
            buffer: what `buffer_read` or `buffer_write` returned.
            across: as of `double_buffer`.

        Raises:
            ScheduleArgumentError: the buffer has several regions, or is moved once, outside all
                loops; ``across`` is not around its transfers.
            UnsupportedError: the buffer is both loaded and stored; a loop inside of ``across`` has
                an extent that is known at run time.
            IllegalScheduleError: the region would be used while it is on its way, or what is
                loaded is not computed yet.

        Example:
            >>> A = sw.placeholder((256, 256), name="A")
            >>> k = sw.reduce_axis(256, name="k")
            >>> C = sw.compute((256,), lambda i: sw.sum(A[i, k], axis=k), name="C")
            >>> D = sw.compute((256,), lambda i: C[i] + 1, name="D")
            >>> s = sw.create_schedule(D)
            >>> io, ii = s[D].split("i", factor=64)
            >>> s[C].compute_at(D, io)
            >>> s.single_buffer(s.buffer_write(D, at=io))
            >>> print(s, end="")
            For i.o in range(4)
              For i in range(64)
                C[i] = 0.0
                For k in range(256)
                  C[i] += A[i.o*64 + i, k]
              If i.o >= 1
                Wait DD_put
              For i.i in range(64)
                DD[i.i] = C[i.i] + 1.0
              Issue DD_put: D[i.o*64] <- DD[0]  # 64
            Wait DD_put
        """
        schedule = cast("Schedule", self)
        name = _name_of(buffer, "single_buffer", "buffer_read or buffer_write")
        loop = None if across is None else _loop_around(schedule, name, across, "single_buffer")
        adopt(schedule, _core.single_buffer(schedule._state, name, here(), loop))

    def broadcast(self, buffer: Buffer | str, over: str = "all") -> None:
        """Lets the cores of a row, of a column or of the mesh read a buffer together.

        Each of them reads a part of the region from main memory and passes it on to the others:
        on sw26010 through registers, on sw26010pro from memory to memory. What the buffer holds,
        and when, does not change. The region must be the same on all cores of the line, and all of
        them copy it in the same iterations of the loops around it.

        Args:
            buffer: what `buffer_read` returned.
            over: "row": the cores of a row, which a loop on columns tells apart; "column": those of
                a column; "all": the mesh, also under a loop over numbered cores.

        Raises:
            ScheduleArgumentError: the buffer is not loaded, or no parallel loop tells the cores
                apart, or they have unequal shares of one.
            IllegalScheduleError: the region is another one on some of the cores, or some of them do
                not copy it when the others do; later primitives raise it too.
            UnsupportedError: the buffer is in panels; building for a target whose cores do not
                reach each other.

        Example:
            >>> A = sw.placeholder((64, 64), name="A")
            >>> B = sw.placeholder((64, 64), name="B")
            >>> C = sw.compute((64, 64), lambda i, j: A[i, 0] * B[0, j], name="C")
            >>> s = sw.create_schedule(C)
            >>> io, jo, ii, ji = s[C].tile("i", "j", 8, 8)
            >>> s[C].parallel(io, jo, grid=(8, 8))
            >>> s.broadcast(s.buffer_read(A, [ii]), over="row")
        """
        schedule = cast("Schedule", self)
        name = _name_of(buffer, "broadcast", "buffer_read")
        if over not in ("row", "column", "all"):
            raise ScheduleArgumentError(
                f"broadcast over={over!r}",
                "a core passes data on to those of its row, of its column, or to all",
                'pass over="row", "column" or "all"',
                caller(),
            )
        adopt(schedule, _core.broadcast(schedule._state, name, over, here()))


def _deepen(
    schedule: Schedule,
    buffer: Buffer | str,
    distance: int | None,
    across: AxisLike | None,
) -> None:
    """`Schedule.double_buffer`, or `prefetch` with a distance."""
    primitive = "double_buffer" if distance is None else "prefetch"
    name = _name_of(buffer, primitive, "buffer_read or buffer_write")
    loop = None if across is None else _loop_around(schedule, name, across, primitive)
    if distance is None:
        adopt(schedule, _core.double_buffer(schedule._state, name, here(), loop))
        return
    if isinstance(distance, bool) or not isinstance(distance, int):
        raise ScheduleArgumentError(
            f"prefetch with distance={distance!r}",
            "the distance is how many iterations early the buffer is loaded",
            "pass an integer",
            caller(),
        )
    adopt(schedule, _core.prefetch(schedule._state, name, distance, here(), loop))


def _loop_around(schedule: Schedule, buffer: str, across: AxisLike, request: str) -> int:
    """The loop that `across` names, of the stage that the buffer serves."""
    name = _core.stage_of_buffer(schedule._state, buffer)
    stages = {tensor.name: tensor for tensor in map(Tensor, schedule._state.stages())}
    if name not in stages:  # the primitive says which buffers there are
        return -1
    return schedule[stages[name]]._id(across, request)


def _name_of(buffer: Buffer | str, primitive: str, made_by: str) -> str:
    """The name of a buffer, which `primitive` takes."""
    name = buffer.name if isinstance(buffer, Buffer) else buffer
    if isinstance(name, str):
        return name
    raise ScheduleArgumentError(
        f"{primitive} takes a buffer",
        f"got {shown(buffer)}",
        f"pass what {made_by} returned",
        caller(),
    )
