"""Schedules: how a tensor expression runs, as primitives that are proved one by one."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from solway import _core
from solway._fixes import rebound
from solway._location import caller
from solway._shown import shown
from solway._tree_text import indented
from solway._written import replace_file
from solway.algorithms import Exchanged, exchanged
from solway.auto_buffer import AutoBuffer, StageChoice
from solway.auto_schedule import AutoScheduling, Trial
from solway.buffer import Buffer
from solway.buffer_primitives import BufferPrimitives
from solway.errors import Error, IllegalScheduleError, ScheduleArgumentError
from solway.expr import Axis, Expr, Tensor, here, to_node
from solway.intrinsic import Intrinsic
from solway.ldm_report import LdmReport
from solway.options import Options, limited
from solway.sizes import Size
from solway.stage import AxisLike, Loop, Stage
from solway.step import Step, steps_of
from solway.target import Target, loaded, machine_of
from solway.tensors import axes_of

if TYPE_CHECKING:
    from solway.explain import Explanation

__all__ = ["Buffer", "Loop", "Schedule", "Stage", "Step", "create_schedule"]


class Schedule(BufferPrimitives, AutoScheduling):
    """How the computes of some outputs run. Made by `create_schedule`.

    ``s[C]`` gives the loops of one tensor, ``print(s)`` the loops as text, ``s.log`` the primitives
    that made it.
    """

    def __init__(self, state: _core.ScheduleState, machine: _core.Target | None = None) -> None:
        self._states: dict[int, _core.ScheduleState] = {}  # by the number of steps
        self._plans: tuple[StageChoice, ...] = ()  # of auto_buffer and auto_schedule
        self._trials: tuple[Trial, ...] = ()  # of auto_schedule
        self._state = state
        self._machine = machine
        self._target: str | None = None  # the name or path that `machine` came from
        self._loop_axes: dict[int, _core.Axis] = {}
        self._options: Options | None = None
        self._intrinsics: dict[str, Intrinsic] = {}  # that were put into loops, by name
        self._algorithms: Exchanged | None = None  # of fast_math
        self._is_busy = False  # inside a primitive
        self._refused: IllegalScheduleError | None = None  # the last one

    def __getitem__(self, tensor: Tensor) -> Stage:
        if isinstance(tensor, Tensor) and self._algorithms is not None:
            tensor = Tensor(self._algorithms.by.get(tensor._node, tensor._node))
        for stage in self._state.stages():
            if isinstance(tensor, Tensor) and stage == tensor._node.stage:
                return Stage(self, Tensor(stage))
        if not isinstance(tensor, Tensor):
            raise ScheduleArgumentError(
                "a schedule is indexed with a tensor",
                f"got {shown(tensor)}",
                "pass the computed tensor: s[C]",
                caller(),
            )
        raise ScheduleArgumentError(
            f"'{tensor.name}' is not a stage of this schedule",
            "it is an input" if tensor._node.body is None else "no output needs it",
            "index the schedule with a tensor that it computes: "
            + ", ".join(f"s[{stage.name}]" for stage in self._state.stages()),
            caller(),
        )

    @property
    def _state(self) -> _core.ScheduleState:
        return self._present

    @_state.setter
    def _state(self, state: _core.ScheduleState) -> None:
        steps = state.step_count()
        self._states = {step: kept for step, kept in self._states.items() if step < steps}
        self._states[steps] = self._present = state

    @property
    def tensors(self) -> Mapping[str, Tensor]:
        """Every tensor of the schedule by name: inputs and constants, then what is computed.

        The values of reductions nested in an expression of ``C`` stand between, as ``C_r0``:
        `buffer_write` takes them.
        """
        stages = self._state.stages()
        constants = [read for stage in stages for read in stage.inputs if read.is_constant]
        computed = [member for stage in stages for member in stage.members]
        nodes = (*self._state.inputs(), *constants, *self._state.nested(), *computed)
        return MappingProxyType({tensor.name: tensor for tensor in map(Tensor, nodes)})

    @property
    def sizes(self) -> Mapping[str, Size]:
        """Every size in the shapes and the ranges of what is scheduled, by name."""
        return MappingProxyType({size.name: Size(size) for size in self._state.sizes()})

    @property
    def log(self) -> tuple[Step, ...]:
        """The primitives that made it, in order."""
        return steps_of(self._state)

    @property
    def tree(self) -> str:
        """The isl schedule tree: domain, sequence, filter, mark and band nodes, one per line."""
        return indented(self._state.tree())

    def to_python(self) -> str:
        """The script that makes an equal schedule, given ``sw`` and ``outputs``, a list.

        What `tensorize` puts into loops is ``intrinsics["name"]``, of a dict that is given too: the
        code is no part of a schedule.

        Returns:
            Python text. It depends on the outputs and the log only.

        Example:
            >>> A = sw.placeholder((8,), name="A")
            >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
            >>> s = sw.create_schedule(B)
            >>> io, ii = s[B].split("i", factor=4)
            >>> s[B].vectorize(ii)
            >>> print(s.to_python(), end="")
            # solway schedule, version 1
            s = sw.create_schedule(outputs)
            B = s.tensors["B"]
            i_o, i_i = s[B].split(B.axis[0], factor=4)
            s[B].vectorize(i_i)
        """
        from solway._schedule_writer import script_of

        return script_of(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the schedule as text, which `load_schedule` reads.

        Args:
            path: the file; it holds what `to_python` gives.

        Raises:
            ScheduleArgumentError: the file cannot be written.

        Example:
            >>> A = sw.placeholder((8,), name="A")
            >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
            >>> sw.create_schedule(B).save("b.schedule")
        """
        try:
            replace_file(path, self.to_python())
        except OSError as error:
            raise ScheduleArgumentError(
                f"the schedule cannot be written to '{os.fspath(path)}'",
                str(error.strerror),
                "give the path of a file in a folder that exists",
                caller(),
            ) from None

    def legal(
        self, primitive: str, tensor: Tensor | Expr, *args: object, **kwargs: object
    ) -> Verdict:
        """Asks whether a primitive could be applied, without doing it.

        Args:
            primitive: the name of any primitive, of ``s[tensor]`` or of the schedule.
            tensor: the stage; of a primitive of the schedule, its first argument.
            args: its positional arguments.
            kwargs: its keyword arguments.

        Returns:
            Truthy, or falsy with ``.error``, the error that would be raised.

        Example:
            >>> A = sw.placeholder((8, 4), name="A")
            >>> B = sw.compute((8, 4), lambda i, j: A[i, j] * 2, name="B")
            >>> bool(sw.create_schedule(B).legal("reorder", B, "j", "i"))
            True
        """
        from solway._primitives import SCHEDULE_PRIMITIVES, STAGE_PRIMITIVES

        if primitive not in SCHEDULE_PRIMITIVES | STAGE_PRIMITIVES:
            raise ScheduleArgumentError(
                f"'{primitive}' is no primitive",
                "the primitives are " + ", ".join(sorted(SCHEDULE_PRIMITIVES | STAGE_PRIMITIVES)),
                "ask for one of these",
                caller(),
            )
        trial = self._trial(self._state)
        moved = [rebound(arg, self, trial) for arg in args]
        named = {name: rebound(arg, self, trial) for name, arg in kwargs.items()}
        try:
            on_schedule = primitive in SCHEDULE_PRIMITIVES
            receiver = trial if on_schedule else trial[cast("Tensor", tensor)]
            first = [tensor] if receiver is trial else []
            getattr(receiver, primitive)(*first, *moved, **named)
        except Error as error:
            if isinstance(error, IllegalScheduleError) and error._request is not None:
                error._request.schedule = self  # which the trial stands for
            return Verdict(error)
        return Verdict(None)

    def rfactor(self, tensor: Tensor, axis: AxisLike) -> Tensor | tuple[Tensor, ...]:
        """Splits a reduction up along one of its loops into partial results.

        A new stage computes one partial result per value of the loop; the stage itself merges them.
        The loops of the stage go to the new one, where `axis` is a spatial loop: it may be parallel
        or vectorized. The stage has new loops, one per axis.

        Args:
            tensor: the reduction.
            axis: one of its reduction loops.

        Returns:
            The tensor of partial results, the factored axis first; a stage of this schedule. Of a
            reduction of several values, as those of `argmin` and of reducers are, a tuple of
            tensors, one per value.

        Raises:
            ScheduleArgumentError: a loop that is no reduction axis, or a stage that was placed or
                has a buffer.
            UnsupportedError: a stage of several reductions, or terms that keep their order.

        Example:
            >>> A = sw.placeholder((64,), name="A")
            >>> k = sw.reduce_axis(64, name="k")
            >>> C = sw.compute((), lambda: sw.sum(A[k], axis=k), name="C")
            >>> s = sw.create_schedule(C)
            >>> ko, ki = s[C].split(k, factor=16)
            >>> P = s.rfactor(C, ki)
            >>> P.shape, s[P].axis, s[P].reduce_axis
            ((16,), (<loop k.i of C_rf>,), (<loop k.o of C_rf>,))

        Source: Suriana, Adams, Kamil: Parallel associative reductions in Halide, CGO 2017.
        """
        stage = self[tensor]
        loop = stage._id(axis, "rfactor")
        self._state, partials = _core.rfactor(self._state, stage._name, loop, here())
        tensors = tuple(map(Tensor, partials))
        return tensors[0] if len(tensors) == 1 else tensors

    def pad(self, tensor: Tensor, shape: Sequence[int]) -> Tensor:
        """Computes more elements than a tensor has, so that tiles and vectors are whole.

        A stage ``<name>_pad`` computes all elements of `shape`. What it reads beyond the end of a
        tensor is 0, in a stage ``<name>_pad`` of that tensor (in `tensors`), of which a buffer is
        filled with ``fill_padding=True``; a stage that computes that tensor for this one alone,
        without a reduction, is extended instead. Of an output, the elements that it has are
        copied back; any other tensor goes, and its readers read the padded one. `auto_buffer` pads
        products of matrices by itself where the model says that it pays.

        Args:
            tensor: a computed tensor of constant shape that no primitive has changed yet.
            shape: as many extents as it has dimensions, none of them smaller.

        Returns:
            The padded tensor, a stage of this schedule.

        Raises:
            ScheduleArgumentError: a shape that is not larger or has other things than numbers; a
                stage that is not as it was written.
            UnsupportedError: several tensors that are computed together, one that is changed in
                place, reads at data, extents that are sizes.

        Example:
            >>> A = sw.placeholder((30, 8), name="A")
            >>> k = sw.reduce_axis(8, name="k")
            >>> C = sw.compute((30,), lambda i: sw.sum(A[i, k], axis=k), name="C")
            >>> s = sw.create_schedule(C)
            >>> P = s.pad(C, (32,))
            >>> print(s, end="")
            For i in range(32)
              For k in range(8)
                A_pad[i, k] = select(i < 30, A[i, k], 0.0)
            For i in range(32)
              C_pad[i] = 0.0
              For k in range(8)
                C_pad[i] += A_pad[i, k]
            For i in range(30)
              C[i] = C_pad[i]
        """
        stage = self[tensor]
        try:
            extents = [operator.index(extent) for extent in shape]
        except TypeError:
            raise ScheduleArgumentError(
                "pad takes a shape of numbers",
                f"got {shown(shape)}",
                "pass an extent for each dimension, as (32, 48)",
                caller(),
            ) from None
        self._state, padded = _core.pad(self._state, stage._name, extents, here())
        return Tensor(padded)

    def transform_layout(self, tensor: Tensor, layout: Callable[..., object]) -> None:
        """Stores a tensor in another layout.

        Of an argument, the caller's array keeps its layout and a stage ``<name>_layout`` copies it
        before the first nest that reads it; of an output, such a stage copies the result back.
        Blocks that do not divide are padded, and the padding is never read.

        Args:
            tensor: an argument, an output, or a computed tensor.
            layout: takes one index per dimension and returns the indices in the new layout.

        Raises:
            ScheduleArgumentError: indices that are not affine, negative, or give two elements one
                place; a tensor that a buffer depends on.

        Example:
            >>> A = sw.placeholder((20,), name="A")
            >>> P = sw.compute((20,), lambda i: A[i] * 2, name="P")
            >>> C = sw.compute((20,), lambda i: P[i] + 1, name="C")
            >>> s = sw.create_schedule(C)
            >>> s.transform_layout(P, lambda i: (i // 8, i % 8))
            >>> print(s, end="")
            For i in range(20)
              P[i // 8, i % 8] = A[i]*2.0
            For i in range(20)
              C[i] = P[i // 8, i % 8] + 1.0
        """
        axes = axes_of(layout, list(tensor._node.shape), tensor.name)
        value = layout(*map(Axis, axes))
        indices = value if isinstance(value, tuple | list) else (value,)
        nodes = [to_node(index, here()) for index in indices]
        self._state = _core.transform_layout(self._state, tensor._node, axes, nodes, here())

    def auto_buffer(
        self,
        target: str | Target | os.PathLike[str],
        planner: str = "optimal",
        *,
        inner: str = "auto",
    ) -> AutoBuffer:
        """Chooses what is staged, tile sizes, the order of loops and the positions of transfers.

        The choice is applied as ordinary primitives, which stand in the log; `explain` prints it
        with the cycles of both sides. What is fixed already is kept: marked loops, factors of
        splits, the order of a stage that was reordered, buffers.

        Args:
            target: its name, the path of a ``.toml`` file, or a `Target`.
            planner: "optimal": the fewest cycles by the target's figures; chooses cores, depths,
                vectors and what registers hold, too. A stage with a buffer already, or with a
                loop in vectors of elements that do not lie side by side, is planned as by
                "greedy", and a remark says so. "greedy": Algorithms 1 and 2 of the swTVM paper.
            inner: the code of products of matrices. "auto": loops of C, or a micro-kernel in
                assembly (`micro_kernel`) where the target has them and that takes fewer cycles;
                "c": loops of C; "assembly": a micro-kernel for each product. Whichever it is, the
                decision "inner product" has the cycles of both.

        Returns:
            What was chosen for each stage, and what was left in main memory, and why.

        Raises:
            CapacityError: what is fixed leaves no room; says which choice.
            ScheduleArgumentError: another planner, another inner product.
            UnsupportedError: with "optimal", a target without the figures that its model needs;
                assembly on a target without it, or for products whose loops it cannot run.

        Example:
            >>> A = sw.placeholder((1, 1024), name="A")
            >>> B = sw.placeholder((1024, 1024), name="B")
            >>> k = sw.reduce_axis(1024, name="k")
            >>> C = sw.compute((1, 1024), lambda x, y: sw.sum(A[x, k] * B[k, y], axis=k), name="C")
            >>> s = sw.create_schedule(C)
            >>> s.auto_buffer("sw26010", planner="greedy")["C"].tiles
            {'x': (1, 1), 'y': (128, 1024), 'k': (64, 1024)}

        Source: swTVM, Section 5.2.
        """
        where = here()
        with limited(self._options):
            state, stages, remarks = _core.auto_buffer(
                self._state, machine_of(target), planner, inner, where
            )
        self._state = state
        chosen = AutoBuffer(stages, remarks)
        self._plans = (*self._plans, *chosen.stages)
        return chosen

    def ldm_report(self, target: str | Target | os.PathLike[str]) -> LdmReport:
        """The buffers in near memory: bytes, lifetimes, the total against the capacity.

        Args:
            target: its name, the path of a ``.toml`` file, or a `Target`.

        Returns:
            A report that prints, renders in a notebook, and has ``to_dict`` and ``to_html``. Per
            loop, it gives the largest factor that would still fit.

        Raises:
            UnsupportedError: a buffer is in a memory that the target does not have.

        Example:
            >>> A = sw.placeholder((1024,), name="A")
            >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
            >>> s = sw.create_schedule(B)
            >>> AA = s.buffer_read(A, at=s[B].split("i", factor=128)[0])
            >>> s.ldm_report("sw26010").to_dict()["memories"][0]["total_bytes"]
            512
        """
        text, memories = _core.ldm_report(self._state, machine_of(target), here())
        return LdmReport(text, memories)

    def explain(self, target: str | Target | os.PathLike[str] | None = None) -> Explanation:
        """Every primitive with the model's figures without and with it, and what was planned.

        Counted are iterations, bytes between cores and main memory, near memory, the steps of
        innermost loops, cores and lanes; cycles where the target's file has the figures. A size
        counts as the largest that it can be.

        Args:
            target: its name, the path of a ``.toml`` file, or a `Target`; by default that of
                `create_schedule`. Without one, nothing is said of cores, lanes and cycles.

        Returns:
            What prints, renders in a notebook, and has ``to_dict`` and ``to_html``.

        Example:
            >>> A = sw.placeholder((1024,), name="A")
            >>> B = sw.compute((1024,), lambda i: A[i] + 1, name="B")
            >>> s = sw.create_schedule(B)
            >>> s[B].parallel("i")
            >>> print(s.explain("sw26010"))
            1. s[B].parallel(i)
                 iterations of i on the busiest core: 1,024 -> 16   (ceil(1024 / 64 cores))
                 cores that work: 1 -> 64 of 64   (ceil(1024 / 16))
                 balance: 0.016 -> 1.0   (1024 / (16 x 64 cores))
        """
        from solway.explain import explanation_of

        machine = self._machine if target is None else loaded(target)
        return explanation_of(self, machine)

    def show(self, path: str | os.PathLike[str] | None = None) -> Path:
        """One page: the loops, the tree, the statements, and the loops around each primitive.

        The page is self-contained and needs no network. If a primitive was refused, the last such
        error is on it with a picture of its two iterations.

        Args:
            path: the file to write; without it, a temporary one, opened in a browser.

        Returns:
            The path of the file.

        Raises:
            ScheduleArgumentError: the file cannot be written.

        Example:
            >>> A = sw.placeholder((8,), name="A")
            >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
            >>> sw.create_schedule(B).show("b.html").name
            'b.html'
        """
        from solway.show import show

        return show(self, path)

    def assume(self, *conditions: Expr) -> None:
        """States what only the user can know of sizes, such as that one is a multiple of 16.

        The conditions hold from here on: for loops, which lose their guards and tails, and for the
        proof of every later primitive. Nothing is taken on trust: each call checks them, also a
        call of the generated C, which returns 4 and does nothing where one fails.

        Args:
            conditions: comparisons of expressions that are affine in sizes, with ``%`` and ``//``
                by constants; `all_of`, `any_of` and `logical_not` connect them.

        Raises:
            ScheduleArgumentError: what is no condition on sizes of this schedule, or never holds.
            UnsupportedError: a condition that is not affine.

        Example:
            >>> n = sw.size("n", max=4096)
            >>> A = sw.placeholder((n,), name="A")
            >>> B = sw.compute((n,), lambda i: A[i] * 2, name="B")
            >>> s = sw.create_schedule(B)
            >>> s.assume(n % 16 == 0)
            >>> outer, inner = s[B].split("i", factor=16)
            >>> s[B].vectorize(inner)
            >>> print(s, end="")
            Assume n % 16 == 0
            For i.o in range(n // 16)
              For i.i in range(16)  # vectorized
                B[i.o*16 + i.i] = A[i.o*16 + i.i]*2.0

        Source: the context of isl's parameters; TVM's assume, checked.
        """
        nodes = []
        for condition in conditions:
            if not isinstance(condition, Expr):
                raise ScheduleArgumentError(
                    "assume takes conditions on sizes",
                    f"got {shown(condition)}",
                    "compare sizes: n % 16 == 0",
                    caller(),
                )
            nodes.append(condition._node_at(here()))
        self._state = _core.assume(self._state, nodes, here())

    def _repr_html_(self) -> str:
        from solway.show import page_of

        return page_of(self)

    def __str__(self) -> str:
        cores = self._machine.cores[0] if self._machine is not None else 0
        return str(_core.print_schedule(self._state, cores))

    def _trial(self, state: _core.ScheduleState) -> Schedule:
        """A schedule of its own in another state, whose loops stand for the same axes."""
        trial = Schedule(state, self._machine)
        trial._loop_axes = self._loop_axes
        trial._options = self._options
        trial._intrinsics = dict(self._intrinsics)
        return trial

    def _axis_of_loop(self, id: int) -> _core.Axis:
        """The axis that stands for a loop in expressions; one per loop."""
        if id not in self._loop_axes:
            self._loop_axes[id] = _core.axis_of_loop(self._state, id)
        return self._loop_axes[id]


class Verdict:
    """The answer of `Schedule.legal`: truthy, or falsy with the error that would be raised.

    ``.error`` is that error, and what the error has, as ``.why`` and ``.fix``, the answer has too.
    """

    def __init__(self, error: Error | None) -> None:
        self.error = error

    def __getattr__(self, name: str) -> object:
        error = self.__dict__.get("error")
        if error is None:
            raise AttributeError(f"'{name}' of a primitive that is legal: there is no error")
        return getattr(error, name)

    def __bool__(self) -> bool:
        return self.error is None

    def __repr__(self) -> str:
        return "legal" if self.error is None else str(self.error)


def create_schedule(
    outputs: Tensor | Iterable[Tensor],
    *,
    inputs: Iterable[Tensor | str] = (),
    target: str | Target | os.PathLike[str] | None = None,
    options: Options | None = None,
    fast_math: bool = False,
) -> Schedule:
    """The schedule in which every stage runs as it was written.

    Args:
        outputs: a computed tensor, or several.
        inputs: computed tensors, or their names, that are read as they are: another kernel, or
            another layer of `build_network`, computes them. They are arguments of the kernel, as
            placeholders are.
        target: when it is known already, buffers are held against its memories as they are made,
            and ``print`` shows its number of cores.
        options: of its primitives, the time that a proof may take.
        fast_math: allow what rounds otherwise than the sum as it is written. Another algorithm for
            the same function where the model of the target (of "host" where none is given) says
            that it is faster: a convolution of 3 x 3 taps by minimal filtering, see `winograd`.
            And products of bfloat16 in pairs by the machine's instruction, which takes numbers
            below 2^-126 for zero. Products with a factor that a `select` chooses to be 0 are left
            out of sums, which infinities and NaN would make NaN. The stages of another algorithm
            take the place of the tensor's; the remarks of the kernel's report name what was used,
            and how large its error may be.

    Returns:
        A schedule of all computes that they need.

    Raises:
        DslError: an output is a placeholder, two tensors share a name, or an input is needed
            before and after an update of it.
        ScheduleArgumentError: an input that no output needs.
        UnsupportedError: a target that is not there.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
        >>> print(sw.create_schedule(B), end="")
        For i in range(8)
          B[i] = A[i]*2.0
    """
    tensors = list(outputs) if isinstance(outputs, Iterable) else [outputs]
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise ScheduleArgumentError(
                "only tensors can be scheduled",
                f"got {shown(tensor)}",
                "pass what sw.compute returned",
                caller(),
            )
    nodes = [t._node for t in tensors]
    algorithms = None
    if fast_math:
        machine = loaded("host" if target is None else target)
        inputs = list(inputs)
        names = [t.name if isinstance(t, Tensor) else t for t in inputs]
        algorithms = exchanged(nodes, machine, names)
        nodes = algorithms.outputs
    given = [_given(tensor, map(Tensor, nodes))._node for tensor in inputs]
    state = _core.make_state(nodes, here(), given)
    schedule = Schedule(state, None if target is None else loaded(target))
    schedule._algorithms = algorithms
    if target is not None:
        schedule._target = target._path if isinstance(target, Target) else os.fspath(target)
    schedule._options = options
    return schedule


def _given(tensor: Tensor | str, outputs: Iterable[Tensor]) -> Tensor:
    """The tensor that `inputs=` of a schedule means."""
    if isinstance(tensor, Tensor):
        return tensor
    seen: dict[Tensor, None] = {}
    waiting = list(outputs)
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen[one] = None
            waiting += one.inputs
    for one in seen:
        if one.name == tensor:
            return one
    raise ScheduleArgumentError(
        f"no tensor is the input {shown(tensor)}",
        "the outputs stand on " + ", ".join(sorted(f"'{one.name}'" for one in seen)),
        "pass a tensor that an output reads, or its name",
        caller(),
    )
