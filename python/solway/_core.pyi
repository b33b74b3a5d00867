"""
The compiled part of solway. Use the package `solway`, not this module.
"""
from __future__ import annotations
import collections.abc
import typing
__all__: list[str] = ['Axis', 'CompiledKernel', 'Expr', 'ScheduleState', 'SourceLoc', 'Tensor', 'build', 'fuse', 'make_axis', 'make_axis_ref', 'make_binary', 'make_cast', 'make_compute', 'make_float', 'make_int', 'make_placeholder', 'make_read', 'make_reduce', 'make_select', 'make_state', 'make_unary', 'parallel', 'print_schedule', 'reorder', 'split', 'target_names', 'unroll', 'vectorize']
class SourceLoc:
    """
    A line of the user's program; line 0 means unknown.
    """
    def __init__(self, file: str, line: typing.SupportsInt | typing.SupportsIndex, text: str) -> None:
        """
        The line `line` (1-based) of `file`, and its text.
        """
    @property
    def file(self) -> str:
        """
        The file's path.
        """
    @property
    def line(self) -> int:
        """
        The 1-based line.
        """
    @property
    def text(self) -> str:
        """
        The line without surrounding blanks.
        """
class Axis:
    """
    An index variable.
    """
    def __eq__(self, other: typing.Any) -> bool:
        """
        True for a handle of the same node.
        """
    def __hash__(self) -> int:
        """
        By the node's identity.
        """
    @property
    def begin(self) -> int:
        """
        The first value.
        """
    @property
    def end(self) -> int:
        """
        One past the last value.
        """
    @property
    def is_reduce(self) -> bool:
        """
        True for an axis of a reduction.
        """
    @property
    def name(self) -> str:
        """
        The name of the loop.
        """
class Expr:
    """
    A typed scalar expression.
    """
    def __eq__(self, other: typing.Any) -> bool:
        """
        True for a handle of the same node.
        """
    def __hash__(self) -> int:
        """
        By the node's identity.
        """
    def __str__(self) -> str:
        """
        Structural text: A[i, k] * B[k, j].
        """
    @property
    def axes(self) -> list[Axis]:
        """
        Of a reduce node.
        """
    @property
    def axis(self) -> Axis | None:
        """
        Of an axis node.
        """
    @property
    def dtype(self) -> str:
        """
        NumPy's name of the element type.
        """
    @property
    def float_value(self) -> float:
        """
        Of a float node.
        """
    @property
    def int_value(self) -> int:
        """
        Of an int node.
        """
    @property
    def kind(self) -> str:
        """
        int, float, axis, read, unary, binary, select, cast or reduce.
        """
    @property
    def op(self) -> str:
        """
        The operation of a unary, binary or reduce node, else ''.
        """
    @property
    def operands(self) -> list[Expr]:
        """
        The nodes that this one is made of; the indices of a read.
        """
    @property
    def tensor(self) -> Tensor | None:
        """
        Of a read node.
        """
class Tensor:
    """
    A placeholder or a computed tensor.
    """
    def __eq__(self, other: typing.Any) -> bool:
        """
        True for a handle of the same node.
        """
    def __hash__(self) -> int:
        """
        By the node's identity.
        """
    @property
    def axis(self) -> list[Axis]:
        """
        One axis per dimension; none for a placeholder.
        """
    @property
    def body(self) -> Expr | None:
        """
        The expression of one element; None for a placeholder.
        """
    @property
    def dtype(self) -> str:
        """
        NumPy's name of the element type.
        """
    @property
    def inputs(self) -> list[Tensor]:
        """
        The tensors that the body reads, each once.
        """
    @property
    def name(self) -> str:
        """
        The tensor's name.
        """
    @property
    def reduce_axis(self) -> list[Axis]:
        """
        The axes of all reductions of the body, in order of appearance.
        """
    @property
    def shape(self) -> list[int]:
        """
        Extent of each dimension.
        """
class ScheduleState:
    """
    An immutable schedule: program, order, log.
    """
    def log(self) -> list[tuple[str, str, list[tuple[str, bool, int | str]], list[int], tuple[str, int, str]]]:
        """
        The primitives that made it.
        """
    def loop_name(self, loop: typing.SupportsInt | typing.SupportsIndex) -> str:
        """
        The name of a loop, present or replaced.
        """
    def loop_of_axis(self, stage: str, axis: Axis) -> int:
        """
        The loop that an axis of the expression became first; -1 when it is another stage's.
        """
    def loops(self, stage: str) -> list[tuple[int, str, bool, int, int]]:
        """
        Present loops of a stage, outermost first.
        """
    def stages(self) -> list[Tensor]:
        """
        The computed tensors, each after what it reads.
        """
    def tree(self) -> str:
        """
        The isl schedule tree as text.
        """
class CompiledKernel:
    """
    A schedule compiled for one target.
    """
    def call(self, addresses: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        """
        Runs it on one address per argument, which the caller has checked; 0 when done.
        """
    def compile(self) -> None:
        """
        Compiles now what a call would compile.
        """
    @property
    def ir(self) -> str:
        """
        The loop IR as text.
        """
    @property
    def name(self) -> str:
        """
        Name of the kernel.
        """
    @property
    def remarks(self) -> list[tuple[str, str, str]]:
        """
        (step, verdict, why) of what was done otherwise than asked.
        """
    @property
    def source(self) -> dict[str, str]:
        """
        Generated files by name.
        """
    @property
    def target(self) -> str:
        """
        Name of the target.
        """
def build(state: ScheduleState, args: collections.abc.Sequence[Tensor], target: str, name: str, poison_transfers: bool, where: SourceLoc) -> CompiledKernel:
    """
    Compiles a schedule.
    """
def fuse(state: ScheduleState, stage: str, axes: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], where: SourceLoc) -> tuple[ScheduleState, int]:
    """
    Merges neighbouring loops; returns (state, fused).
    """
def make_axis(name: str, is_reduce: bool, begin: typing.SupportsInt | typing.SupportsIndex, end: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> Axis:
    """
    An index variable over begin <= value < end.
    """
def make_axis_ref(axis: Axis, where: SourceLoc) -> Expr:
    """
    The value of an index variable.
    """
def make_binary(op: str, a: Expr, b: Expr, where: SourceLoc) -> Expr:
    """
    The operation that prints as `op`, in the operands' common type.
    """
def make_cast(operand: Expr, dtype: str, where: SourceLoc) -> Expr:
    """
    The operand converted.
    """
def make_compute(shape: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], axis: collections.abc.Sequence[Axis], body: Expr, name: str, where: SourceLoc) -> Tensor:
    """
    A tensor whose elements are `body`; its reads are proved in bounds.
    """
def make_float(value: typing.SupportsFloat | typing.SupportsIndex, dtype: str, weak: bool, where: SourceLoc) -> Expr:
    """
    A floating-point literal; a weak one takes the other operand's type.
    """
def make_int(value: typing.SupportsInt | typing.SupportsIndex, dtype: str, weak: bool, where: SourceLoc) -> Expr:
    """
    An integer literal; a weak one takes the other operand's type.
    """
def make_placeholder(shape: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], dtype: str, name: str, where: SourceLoc) -> Tensor:
    """
    A tensor that the caller gives.
    """
def make_read(tensor: Tensor, indices: collections.abc.Sequence[Expr], where: SourceLoc) -> Expr:
    """
    One element of a tensor.
    """
def make_reduce(op: str, operand: Expr, axes: collections.abc.Sequence[Axis], where: SourceLoc) -> Expr:
    """
    A declared reduction: sum, prod, min or max.
    """
def make_select(condition: Expr, if_true: Expr, if_false: Expr, where: SourceLoc) -> Expr:
    """
    One of two values; only the chosen one is computed.
    """
def make_state(outputs: collections.abc.Sequence[Tensor], where: SourceLoc) -> ScheduleState:
    """
    The schedule in which every stage runs as it was written.
    """
def make_unary(op: str, operand: Expr, where: SourceLoc) -> Expr:
    """
    The operation that prints as `op`.
    """
def parallel(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Runs a loop's iterations on different cores.
    """
def print_schedule(state: ScheduleState) -> str:
    """
    The loops in the form of Figure 2 of the swTVM paper.
    """
def reorder(state: ScheduleState, stage: str, axes: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], where: SourceLoc) -> ScheduleState:
    """
    Permutes loops of one stage.
    """
def split(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, factor: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> tuple[ScheduleState, int, int]:
    """
    Strip-mines a loop; returns (state, outer, inner).
    """
def target_names() -> list[str]:
    """
    The targets that build takes.
    """
def unroll(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Writes out a loop's iterations.
    """
def vectorize(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Runs a loop's iterations in vector lanes.
    """
