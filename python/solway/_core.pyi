"""
The compiled part of solway. Use the package `solway`, not this module.
"""
from __future__ import annotations
import collections.abc
import numpy
import typing
__all__: list[str] = ['Axis', 'CompiledKernel', 'CompiledNetwork', 'EmulatedKernel', 'Expr', 'ForeignMachine', 'Intrinsic', 'ScheduleState', 'Size', 'SourceLoc', 'Target', 'Tensor', 'TimedResult', 'affine', 'assume', 'auto_buffer', 'auto_schedule', 'axis_of_loop', 'barrier_seconds', 'bfloat16_bits', 'bind', 'broadcast', 'build', 'build_network', 'compute_at', 'compute_inline', 'compute_root', 'double_buffer', 'exchange_algorithms', 'exchange_analysis_seconds', 'factor_of_parts', 'figures_of', 'fission', 'fork_join_seconds', 'fuse', 'fuse_with', 'hand_kernel', 'ldm_report', 'legal_levels', 'make_arg_reduce', 'make_axis', 'make_axis_ref', 'make_binary', 'make_bounded', 'make_cast', 'make_composed', 'make_compute', 'make_computes', 'make_constant', 'make_float', 'make_int', 'make_intrinsic', 'make_param', 'make_placeholder', 'make_read', 'make_recurrence', 'make_reduce', 'make_reducer', 'make_select', 'make_self', 'make_size', 'make_size_ref', 'make_state', 'make_terms_where', 'make_unary', 'make_update', 'pad', 'parallel', 'parallel_grid', 'peeling_decisions', 'place_buffer', 'prefetch', 'prefetch_lines', 'print_schedule', 'quick_call', 'references_of', 'reorder', 'require_cores', 'require_memory', 'require_target', 'require_threads', 'resident_workers', 'reverse', 'rfactor', 'serving_stage', 'shift', 'single_buffer', 'skew', 'specialize', 'split', 'stage_of_buffer', 'statements_of', 'suggest_fix', 'target_names', 'tensorize', 'tensorize_micro_kernel', 'threads_of_call', 'tile', 'transform_layout', 'unroll', 'users_of', 'vectorize', 'versions', 'winograd']
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
class ForeignMachine:
    """
    How code is made and run for another machine.
    """
    @property
    def compiler(self) -> str:
        """
        A C compiler that links programs.
        """
    @property
    def emulator(self) -> list[str]:
        """
        The words that run a program; [].
        """
    @property
    def features(self) -> str:
        """
        LLVM's names of what code uses.
        """
    @property
    def triple(self) -> str:
        """
        LLVM's name of the machine.
        """
class Target:
    """
    A machine as data.
    """
    @property
    def cores(self) -> tuple[int, int, int, int, int, int]:
        """
        (count, mesh rows, mesh columns, MHz, instruction cache bytes, groups).
        """
    @property
    def default_scope(self) -> str:
        """
        Where buffers are unless told.
        """
    @property
    def description(self) -> str:
        """
        One line for people.
        """
    @property
    def dialect(self) -> str:
        """
        How code is written: host, c, athread or generic.
        """
    @property
    def foreign(self) -> ForeignMachine | None:
        """
        Of another machine than this one; else None.
        """
    @property
    def is_emulated(self) -> bool:
        """
        Whether calls run in the emulator.
        """
    @property
    def llvm_cpu(self) -> str:
        """
        LLVM's name of the processor, or ''.
        """
    @property
    def memories(self) -> list[tuple[str, str, int, int, int, str]]:
        """
        (name, kind, size, reserved, alignment, shared by) of each memory.
        """
    @property
    def name(self) -> str:
        """
        The name.
        """
    @property
    def pragmas(self) -> str:
        """
        Whose directives loops in C carry, or ''.
        """
    @property
    def timing(self) -> dict[str, float] | None:
        """
        What timed mode goes by, by its key; None without it.
        """
    @property
    def transfer_engines(self) -> list[tuple[str, str, int, int, int, int, int, int, int, int, list[tuple[int, float, float]]]]:
        """
        The fields of each engine.
        """
    @property
    def vector(self) -> tuple[int, int, dict[str, int], int, int, bool] | None:
        """
        (bits, registers, lanes by type, FMA latency, load latency).
        """
class Size:
    """
    A number that is known when the kernel runs.
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
    def max(self) -> int:
        """
        The most that it can be.
        """
    @property
    def min(self) -> int:
        """
        The least that it can be.
        """
    @property
    def name(self) -> str:
        """
        The size's name.
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
        The first value, the least that it can be.
        """
    @property
    def bounds(self) -> tuple[int | Expr, int | Expr]:
        """
        The first value and one past the last: numbers, or expressions of sizes.
        """
    @property
    def end(self) -> int:
        """
        One past the last value, the most that it can be.
        """
    @property
    def extent(self) -> int:
        """
        end - begin.
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
    def identity(self) -> list[Expr]:
        """
        Of a reducer node, the values that it starts with.
        """
    @property
    def int_value(self) -> int:
        """
        Of an int node; which value an item is, which parameter.
        """
    @property
    def is_commutative(self) -> bool:
        """
        Of a reducer node, whether its updates may run in any order.
        """
    @property
    def kind(self) -> str:
        """
        int, float, size, axis, read, unary, binary, select, cast, reduce (sum, prod, min, max, all, any), reducer, item, param or bounded.
        """
    @property
    def op(self) -> str:
        """
        The operation of a unary, binary or reduce node, the name of a reducer, else ''.
        """
    @property
    def operands(self) -> list[Expr]:
        """
        The nodes that this one is made of; the indices of a read.
        """
    @property
    def results(self) -> list[Expr]:
        """
        Of a reducer node, what its combine function returns.
        """
    @property
    def size(self) -> Size | None:
        """
        Of a size node.
        """
    @property
    def tensor(self) -> Tensor | None:
        """
        Of a read node.
        """
    @property
    def where(self) -> SourceLoc:
        """
        The user's line.
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
        One axis per dimension; none for a placeholder; those of the steps of an update.
        """
    @property
    def base(self) -> Tensor | None:
        """
        Of an update, what it changes.
        """
    @property
    def body(self) -> Expr | None:
        """
        The expression of one element; None for a placeholder.
        """
    @property
    def domain(self) -> Expr | None:
        """
        The condition on the axes under which the body is stored; None: always.
        """
    @property
    def dtype(self) -> str:
        """
        NumPy's name of the element type.
        """
    @property
    def index(self) -> list[Expr]:
        """
        Of an update, the element that a step stores.
        """
    @property
    def inputs(self) -> list[Tensor]:
        """
        The tensors that the body reads, each once.
        """
    @property
    def is_constant(self) -> bool:
        """
        Whether its values are known when building.
        """
    @property
    def members(self) -> list[Tensor]:
        """
        The tensors that are computed together with it, in order; itself when it is alone.
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
    def self(self) -> Tensor | None:
        """
        Of a recurrence, what its body reads earlier elements by.
        """
    @property
    def shape(self) -> list[int | Expr]:
        """
        Extent of each dimension: a number, or an expression of sizes.
        """
    @property
    def sizes(self) -> list[Size]:
        """
        The sizes in its shape, its axes and its body, each once.
        """
    @property
    def stage(self) -> Tensor:
        """
        The first of the tensors that are computed together, after which their stage is named.
        """
    @property
    def storage_name(self) -> str:
        """
        The name of its memory: updates share that of what they change.
        """
    @property
    def values(self) -> bytes:
        """
        The elements of a constant in memory, row-major.
        """
class ScheduleState:
    """
    An immutable schedule: program, order, log.
    """
    def draft(self) -> ScheduleState:
        """
        The same schedule, on which primitives apply without their proofs.
        """
    def given(self) -> list[Tensor]:
        """
        Computed tensors that it reads as they are.
        """
    def has_constant_extent(self, loop: typing.SupportsInt | typing.SupportsIndex) -> bool:
        """
        False for a loop whose extent depends on sizes.
        """
    def inputs(self) -> list[Tensor]:
        """
        Placeholders and what else is not computed, in the order in which they are read first.
        """
    def log(self) -> list[tuple[str, str, list[tuple[str, str, int | str]], list[int], tuple[str, int, str], str]]:
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
    def loops_named(self, stage: str, name: str) -> list[int]:
        """
        Ids of the loops of a stage that have a name; else of the last one that was replaced.
        """
    def nested(self) -> list[Tensor]:
        """
        The values of reductions that are nested in expressions.
        """
    def outputs(self) -> list[Tensor]:
        """
        The outputs, in the order in which they were given.
        """
    def settled(self, where: SourceLoc) -> ScheduleState | None:
        """
        Of a draft: proved as a whole, no draft any more; None when it is not shown to be legal.
        """
    def sizes(self) -> list[Size]:
        """
        The sizes of its tensors.
        """
    def stages(self) -> list[Tensor]:
        """
        The computed tensors, each after what it reads; then those that are inlined.
        """
    def step_count(self) -> int:
        """
        The number of primitives that made it.
        """
    def tree(self) -> str:
        """
        The isl schedule tree as text.
        """
class Intrinsic:
    """
    A computation with code for it.
    """
class TimedResult:
    """
    A run in timed mode, in cycles.
    """
    @property
    def cores(self) -> list[tuple[int, dict[str, int], int, int, int, int]]:
        """
        (running, stalls, in_flight, get_bytes, put_bytes, ldm_peak_bytes) of each.
        """
    @property
    def cpe_cycles(self) -> int:
        """
        From the first start of a core to the last end.
        """
    @property
    def cycles(self) -> int:
        """
        From the call of the entry to its return.
        """
    @property
    def levels(self) -> list[tuple[int, int, int]]:
        """
        (core, cycle, bytes): the LDM in use from then on.
        """
    @property
    def resolution(self) -> int:
        """
        Nearer waits of a core are joined and shorter ones left out; 0: all are there.
        """
    @property
    def runs(self) -> list[tuple[int, str, int, int]]:
        """
        (core, function, begin, end)
        """
    @property
    def stalls(self) -> dict[str, int]:
        """
        Of all cores together.
        """
    @property
    def transfers(self) -> list[tuple[int, str, str, int, int, int, int]]:
        """
        (core, direction, "file:line", requests, bytes, issued, completed)
        """
    @property
    def waits(self) -> list[tuple[int, str, int, int, int]]:
        """
        (core, kind, begin, end, waited)
        """
class CompiledKernel:
    """
    A schedule compiled for one target.
    """
    def compile(self) -> None:
        """
        Compiles now what a call would compile.
        """
    def libraries(self, threads: bool, where: SourceLoc) -> dict[str, bytes]:
        """
        What a C program links and includes to call it, by name, as bytes; {} of kernels that are sources.
        """
    def require_assumptions(self, sizes: collections.abc.Mapping[str, typing.SupportsInt | typing.SupportsIndex], where: SourceLoc) -> None:
        """
        Raises ArgumentMismatchError for sizes, by name, that the schedule leaves out.
        """
    def run(self, arrays: collections.abc.Sequence[tuple[typing.SupportsInt | typing.SupportsIndex, typing.SupportsInt | typing.SupportsIndex]], seed: typing.SupportsInt | typing.SupportsIndex, landing: str, seconds: typing.SupportsFloat | typing.SupportsIndex, mode: str, threads: typing.SupportsInt | typing.SupportsIndex) -> tuple[int, float, dict[str, int] | None, int | None, TimedResult | None, int | None]:
        """
        Runs it on one (address, bytes) per argument, which the caller has checked; returns (status, seconds, bytes by kind, fullest LDM, timed, threads): the two before `timed` of emulated kernels only, `timed` of timed mode, threads of machine code of this machine.
        """
    @property
    def has_threads(self) -> bool:
        """
        Whether calls may ask for threads.
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
    def roles(self) -> list[str]:
        """
        What the code does with each argument.
        """
    @property
    def shareable(self) -> list[tuple[int, int]]:
        """
        (output, input): positions of arguments that may be one array.
        """
    @property
    def sizes(self) -> list[Size]:
        """
        The sizes that a call gives, in order; their values are the last address, as int64.
        """
    @property
    def source(self) -> dict[str, str]:
        """
        The source files by name.
        """
    @property
    def target(self) -> str:
        """
        Name of the target.
        """
class EmulatedKernel:
    """
    A folder of MPE and CPE sources that is emulated.
    """
    def compile(self) -> None:
        """
        Compiles now what a call would compile.
        """
    def run(self, arrays: collections.abc.Sequence[tuple[typing.SupportsInt | typing.SupportsIndex, typing.SupportsInt | typing.SupportsIndex]], seed: typing.SupportsInt | typing.SupportsIndex, landing: str, seconds: typing.SupportsFloat | typing.SupportsIndex, mode: str, threads: typing.SupportsInt | typing.SupportsIndex) -> tuple[int, float, dict[str, int] | None, int | None, TimedResult | None, int | None]:
        """
        Runs it on one (address, bytes) per argument, which the caller has checked; returns (status, seconds, bytes by kind, fullest LDM, timed, threads): the two before `timed` of emulated kernels only, `timed` of timed mode, threads of machine code of this machine.
        """
    @property
    def has_threads(self) -> bool:
        """
        Whether calls may ask for threads.
        """
    @property
    def name(self) -> str:
        """
        Name of the kernel.
        """
    @property
    def parameters(self) -> list[tuple[str, str, list[int], str]]:
        """
        (name, dtype, shape, role) of each argument.
        """
    @property
    def sizes(self) -> dict[str, int]:
        """
        The sizes that it is compiled for.
        """
    @property
    def source(self) -> dict[str, str]:
        """
        The source files by name.
        """
    @property
    def target(self) -> Target:
        """
        What it runs on.
        """
class CompiledNetwork:
    """
    Several kernels as one program.
    """
    def compile(self) -> None:
        """
        Compiles now what a call would compile.
        """
    def run(self, arrays: collections.abc.Sequence[tuple[typing.SupportsInt | typing.SupportsIndex, typing.SupportsInt | typing.SupportsIndex]], seed: typing.SupportsInt | typing.SupportsIndex, landing: str, seconds: typing.SupportsFloat | typing.SupportsIndex, mode: str, threads: typing.SupportsInt | typing.SupportsIndex) -> tuple[int, float, dict[str, int] | None, int | None, TimedResult | None, int | None]:
        """
        Runs it on one (address, bytes) per argument, which the caller has checked; returns (status, seconds, bytes by kind, fullest LDM, timed, threads): the two before `timed` of emulated kernels only, `timed` of timed mode, threads of machine code of this machine.
        """
    @property
    def area_bytes(self) -> tuple[int, int, int]:
        """
        Of the area, of the smallest that any could be, of all arrays without sharing.
        """
    @property
    def arrays(self) -> list[tuple[str, int, int, int, int]]:
        """
        (name, bytes, offset, first layer, last layer) of what lies in the area.
        """
    @property
    def has_threads(self) -> bool:
        """
        Whether calls may ask for threads.
        """
    @property
    def layers(self) -> list[str]:
        """
        The functions of the layers, in order.
        """
    @property
    def name(self) -> str:
        """
        Name of the entry.
        """
    @property
    def params(self) -> list[tuple[Tensor, str, bool]]:
        """
        (tensor, role, whether a caller brings its values) of each argument.
        """
    @property
    def remarks(self) -> list[tuple[str, str, str]]:
        """
        (step, verdict, why) of what was done otherwise than asked.
        """
    @property
    def source(self) -> dict[str, str]:
        """
        The source files by name.
        """
    @property
    def target(self) -> str:
        """
        Name of the target.
        """
def affine(state: ScheduleState, stage: str, map: str, names: collections.abc.Sequence[str], where: SourceLoc) -> tuple[ScheduleState, list[int]]:
    """
    Replaces loops by affine functions of them; returns (state, loops).
    """
def assume(state: ScheduleState, conditions: collections.abc.Sequence[Expr], where: SourceLoc) -> ScheduleState:
    """
    States conditions on sizes that every call checks.
    """
def auto_buffer(state: ScheduleState, target: str | Target, planner: str, inner: str, where: SourceLoc) -> tuple[ScheduleState, list[dict[str, typing.Any]], list[tuple[str, str, str]]]:
    """
    Plans and applies buffers; returns (state, choice per stage, remarks).
    """
def auto_schedule(state: ScheduleState, target: str | Target, picks: collections.abc.Mapping[str, typing.SupportsInt | typing.SupportsIndex], where: SourceLoc, fast_math: bool = False) -> tuple[ScheduleState, list[dict[str, typing.Any]], list[tuple[str, str, str]], list[tuple[str, list[tuple[str, float, int]]]]]:
    """
    Plans and applies a schedule; returns (state, choice per stage, remarks, plans that each stage may have).
    """
def axis_of_loop(state: ScheduleState, loop: typing.SupportsInt | typing.SupportsIndex) -> Axis:
    """
    A new axis that stands for a loop, present or replaced, in expressions.
    """
def barrier_seconds(threads: typing.SupportsInt | typing.SupportsIndex, repeats: typing.SupportsInt | typing.SupportsIndex) -> tuple[float, float]:
    """
    Least and median time of a barrier.
    """
def bfloat16_bits(values: bytes) -> bytes:
    """
    The nearest BFloat16 of float64 values, all as in memory.
    """
def bind(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, hardware: str, where: SourceLoc) -> ScheduleState:
    """
    Runs a loop's iterations on a hardware dimension.
    """
def broadcast(state: ScheduleState, buffer: str, over: str, where: SourceLoc) -> ScheduleState:
    """
    Lets the cores of a "row", a "column" or "all" read a buffer together.
    """
def build(state: ScheduleState, args: collections.abc.Sequence[Tensor], target: str | Target, name: str, poison_transfers: bool, where: SourceLoc, passes: tuple[collections.abc.Sequence[str] | None, str | None, bool | None, str | None] = (None, None, None, None), fast_math: bool = False) -> CompiledKernel:
    """
    Compiles a schedule. `passes` is (print_after, stop_after, timings, pipelines), None for what the environment says.
    """
def build_network(layers: collections.abc.Sequence[tuple[ScheduleState, collections.abc.Sequence[Tensor]]], outputs: collections.abc.Sequence[Tensor], target: str | Target, name: str, where: SourceLoc, passes: tuple[collections.abc.Sequence[str] | None, str | None, bool | None, str | None] = (None, None, None, None), fast_math: bool = False) -> CompiledNetwork:
    """
    Compiles (schedule, arguments) of each layer into one program.
    """
def compute_at(state: ScheduleState, stage: str, consumer: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc, region: str, scope: str) -> ScheduleState:
    """
    Computes inside a loop of another stage what one of its iterations needs.
    """
def compute_inline(state: ScheduleState, stage: str, where: SourceLoc) -> ScheduleState:
    """
    Computes a stage inside the expressions of all that read it.
    """
def compute_root(state: ScheduleState, stage: str, where: SourceLoc) -> ScheduleState:
    """
    Takes a stage out of the loops in which compute_at placed it.
    """
def double_buffer(state: ScheduleState, buffer: str, where: SourceLoc, across: typing.SupportsInt | typing.SupportsIndex | None = None) -> ScheduleState:
    """
    Lets a buffer hold two regions that take turns.
    """
def exchange_algorithms(outputs: collections.abc.Sequence[Tensor], target: Target, given: collections.abc.Set[str], where: SourceLoc) -> tuple[list[Tensor], list[tuple[Tensor, Tensor]], list[tuple[str, str, str]]]:
    """
    What fast_math allows; returns (outputs, [(tensor, what took its place)], remarks).
    """
def exchange_analysis_seconds(seconds: typing.SupportsFloat | typing.SupportsIndex | None) -> float | None:
    """
    Gives the proofs of this thread their processor time, and returns what they had; None leaves it to the environment.
    """
def factor_of_parts(state: ScheduleState, axis: typing.SupportsInt | typing.SupportsIndex, parts: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> int:
    """
    The factor that makes so many blocks of a loop.
    """
def figures_of(state: ScheduleState) -> typing.Any:
    """
    How often each statement runs, the strides of its accesses, what transfers move.
    """
def fission(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> tuple[ScheduleState, list[int]]:
    """
    Gives each statement inside a loop a loop of its own; returns (state, loops).
    """
def fork_join_seconds(threads: typing.SupportsInt | typing.SupportsIndex, repeats: typing.SupportsInt | typing.SupportsIndex) -> tuple[float, float]:
    """
    Least and median time to run nothing on so many threads.
    """
def fuse(state: ScheduleState, stage: str, axes: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], where: SourceLoc) -> tuple[ScheduleState, int]:
    """
    Merges neighbouring loops; returns (state, fused).
    """
def fuse_with(state: ScheduleState, stage: str, other: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Runs a stage in the loops of another one.
    """
def hand_kernel(folder: str, target: None | str | Target, sizes: collections.abc.Mapping[str, typing.SupportsInt | typing.SupportsIndex], shapes: collections.abc.Sequence[collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]], where: SourceLoc) -> EmulatedKernel:
    """
    Reads a folder of C with a kernel.toml; sizes that are not given are read off the shapes of the arguments.
    """
def ldm_report(state: ScheduleState, target: str | Target, where: SourceLoc) -> tuple[str, list[dict[str, typing.Any]]]:
    """
    The buffers in near memory; returns (text, one dictionary per memory).
    """
def legal_levels(state: ScheduleState, stage: str, consumer: str, where: SourceLoc) -> list[int]:
    """
    The loops of a stage inside which another may be placed, outermost first.
    """
def make_arg_reduce(is_largest: bool, operand: Expr, axes: collections.abc.Sequence[Axis], where: SourceLoc) -> Expr:
    """
    The position of the first smallest or largest value.
    """
def make_axis(name: str, is_reduce: bool, begin: typing.SupportsInt | typing.SupportsIndex | Expr, end: typing.SupportsInt | typing.SupportsIndex | Expr, where: SourceLoc) -> Axis:
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
def make_bounded(index: Expr, begin: typing.SupportsInt | typing.SupportsIndex | Expr, end: typing.SupportsInt | typing.SupportsIndex | Expr, where: SourceLoc) -> Expr:
    """
    An index that depends on data, promised to be in [begin, end).
    """
def make_cast(operand: Expr, dtype: str, where: SourceLoc) -> Expr:
    """
    The operand converted.
    """
def make_composed(name: str, operand: Expr, where: SourceLoc) -> Expr:
    """
    The function that NumPy calls so.
    """
def make_compute(shape: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex | Expr], axis: collections.abc.Sequence[Axis], body: Expr, name: str, where: SourceLoc, domain: Expr | None = None) -> Tensor:
    """
    A tensor whose elements are `body`; its reads are proved in bounds.
    """
def make_computes(shape: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex | Expr], axis: collections.abc.Sequence[Axis], bodies: collections.abc.Sequence[Expr], names: collections.abc.Sequence[str], where: SourceLoc, domain: Expr | None = None) -> list[Tensor]:
    """
    Tensors that one compute makes, one per body.
    """
def make_constant(shape: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], dtype: str, name: str, values: bytes, where: SourceLoc) -> Tensor:
    """
    A tensor of known values, the elements in memory.
    """
def make_float(value: typing.SupportsFloat | typing.SupportsIndex, dtype: str, weak: bool, where: SourceLoc) -> Expr:
    """
    A floating-point literal; a weak one takes the other operand's type.
    """
def make_int(value: typing.SupportsInt | typing.SupportsIndex, dtype: str, weak: bool, where: SourceLoc) -> Expr:
    """
    An integer literal; a weak one takes the other operand's type.
    """
def make_intrinsic(name: str, tensor: Tensor, code: collections.abc.Mapping[str, str], where: SourceLoc) -> Intrinsic:
    """
    A computation and the code that a person wrote for it, by target.
    """
def make_param(position: typing.SupportsInt | typing.SupportsIndex, dtype: str, where: SourceLoc) -> Expr:
    """
    A parameter of a combine function: the accumulated values, then the new ones.
    """
def make_placeholder(shape: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex | Expr], dtype: str, name: str, where: SourceLoc) -> Tensor:
    """
    A tensor that the caller gives.
    """
def make_read(tensor: Tensor, indices: collections.abc.Sequence[Expr], where: SourceLoc) -> Expr:
    """
    One element of a tensor.
    """
def make_recurrence(self: Tensor, axis: collections.abc.Sequence[Axis], body: Expr, domain: Expr | None, where: SourceLoc) -> Tensor:
    """
    A tensor whose elements are computed in order, from earlier ones.
    """
def make_reduce(op: str, operand: Expr, axes: collections.abc.Sequence[Axis], where: SourceLoc) -> Expr:
    """
    A declared reduction: sum, prod, min, max, all or any.
    """
def make_reducer(name: str, identity: collections.abc.Sequence[Expr], results: collections.abc.Sequence[Expr], is_commutative: bool, operands: collections.abc.Sequence[Expr], axes: collections.abc.Sequence[Axis], where: SourceLoc) -> list[Expr]:
    """
    The values that a combine function of the user's gives.
    """
def make_select(condition: Expr, if_true: Expr, if_false: Expr, where: SourceLoc) -> Expr:
    """
    One of two values; only the chosen one is computed.
    """
def make_self(shape: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex | Expr], dtype: str, name: str, where: SourceLoc) -> Tensor:
    """
    What the body of a recurrence reads its own earlier elements by.
    """
def make_size(name: str, min: typing.SupportsInt | typing.SupportsIndex, max: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> Size:
    """
    A number that is known when the kernel runs.
    """
def make_size_ref(size: Size, where: SourceLoc) -> Expr:
    """
    The value of a size.
    """
def make_state(outputs: collections.abc.Sequence[Tensor], where: SourceLoc, inputs: collections.abc.Sequence[Tensor] = []) -> ScheduleState:
    """
    The schedule in which every stage runs as it was written; computed tensors among `inputs` are read as they are.
    """
def make_terms_where(op: str, x: Expr, condition: Expr, where: SourceLoc) -> Expr:
    """
    Terms of a declared reduction, elsewhere what changes no result.
    """
def make_unary(op: str, operand: Expr, where: SourceLoc) -> Expr:
    """
    The operation that prints as `op`.
    """
def make_update(base: Tensor, axis: collections.abc.Sequence[Axis], index: collections.abc.Sequence[Expr], value: Expr, domain: Expr | None, name: str, where: SourceLoc) -> Tensor:
    """
    A tensor after steps that store into it.
    """
def pad(state: ScheduleState, stage: str, shape: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], where: SourceLoc) -> tuple[ScheduleState, Tensor]:
    """
    Computes more elements than a tensor has; returns (state, the padded tensor).
    """
def parallel(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Runs a loop's iterations on different cores.
    """
def parallel_grid(state: ScheduleState, stage: str, rows: typing.SupportsInt | typing.SupportsIndex, columns: typing.SupportsInt | typing.SupportsIndex, grid: tuple[typing.SupportsInt | typing.SupportsIndex, typing.SupportsInt | typing.SupportsIndex], where: SourceLoc) -> ScheduleState:
    """
    Runs two loops on the rows and columns of a mesh of cores.
    """
def peeling_decisions(state: ScheduleState, target: str | Target, where: SourceLoc) -> list[tuple[str, str, float, str, float | None, str]]:
    """
    Whether loops in which transfers run ahead are peeled: (what, chosen, cycles, instead, its cycles or None, why not) of each.
    """
def place_buffer(state: ScheduleState, is_read: bool, stage: str, tensor: str, region: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex | Expr] | None, loops: collections.abc.Sequence[tuple[Axis, typing.SupportsInt | typing.SupportsIndex]], at: typing.SupportsInt | typing.SupportsIndex | None, scope: str, layout: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], loop_layout: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], depth: typing.SupportsInt | typing.SupportsIndex, fill_padding: bool, slide: typing.SupportsInt | typing.SupportsIndex | None, also: collections.abc.Sequence[str], references: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex] | None, align_bytes: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> tuple[ScheduleState, str]:
    """
    Adds a buffer of a tensor's region; returns (state, its name).
    """
def prefetch(state: ScheduleState, buffer: str, distance: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc, across: typing.SupportsInt | typing.SupportsIndex | None = None) -> ScheduleState:
    """
    Loads a buffer some iterations early.
    """
def prefetch_lines(state: ScheduleState, stage: str, tensor: str, at: typing.SupportsInt | typing.SupportsIndex, distance: typing.SupportsInt | typing.SupportsIndex, inside: typing.SupportsInt | typing.SupportsIndex | None, where: SourceLoc) -> ScheduleState:
    """
    Asks the caches for what a loop reads of a tensor some iterations later.
    """
def print_schedule(state: ScheduleState, cores: typing.SupportsInt | typing.SupportsIndex = 0) -> str:
    """
    The loops in the form of Figures 2 and 4 of the swTVM paper; 0 cores: not known.
    """
def quick_call(kernel: CompiledKernel, expected: collections.abc.Sequence[tuple[numpy.dtype[typing.Any], collections.abc.Sequence[collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]], bool]], sizes: collections.abc.Sequence[tuple[typing.SupportsInt | typing.SupportsIndex, typing.SupportsInt | typing.SupportsIndex]]) -> typing.Any:
    """
    A function of (arrays, threads of the call or None, threads of the build) that runs a kernel with (dtype, extents, is written) of each argument, where an extent is a constant and a multiple of each size, and (least, most) of each size, and gives (seconds, threads); None when something does not fit or failed.
    """
def references_of(state: ScheduleState, stage: str, tensor: str) -> list[str]:
    """
    The reads of a tensor in a stage's expression, as they are written.
    """
def reorder(state: ScheduleState, stage: str, axes: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], where: SourceLoc) -> ScheduleState:
    """
    Permutes loops of one stage.
    """
def require_cores(state: ScheduleState, target: Target) -> None:
    """
    Holds the loops on dimensions of the hardware against the cores of a target.
    """
def require_memory(state: ScheduleState, target: Target, where: SourceLoc) -> None:
    """
    Holds the buffers of a schedule against the memories of a target.
    """
def require_target(name: str, where: SourceLoc) -> Target:
    """
    The target of a name or of the path of a .toml file.
    """
def require_threads(asked: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> int:
    """
    The number; raises ScheduleArgumentError for what is no number of threads.
    """
def resident_workers() -> int:
    """
    Threads of this process that wait for kernels to run.
    """
def reverse(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Runs a loop from the last iteration to the first.
    """
def rfactor(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> tuple[ScheduleState, list[Tensor]]:
    """
    Splits a reduction up along one of its loops; returns (state, the partial results).
    """
def serving_stage(state: ScheduleState, is_read: bool, tensor: Tensor, named: str, where: SourceLoc) -> str:
    """
    Name of the stage that a buffer serves; `named`: whose loops the request names, or ''.
    """
def shift(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, distance: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Runs everything in a loop later.
    """
def single_buffer(state: ScheduleState, buffer: str, where: SourceLoc, across: typing.SupportsInt | typing.SupportsIndex | None = None) -> ScheduleState:
    """
    Lets the one region of a buffer be on its way while nothing uses it.
    """
def skew(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, by: typing.SupportsInt | typing.SupportsIndex, factor: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Slants a loop along another one.
    """
def specialize(state: ScheduleState, stage: str, conditions: collections.abc.Sequence[Expr], loops: collections.abc.Sequence[tuple[Axis, typing.SupportsInt | typing.SupportsIndex]], where: SourceLoc) -> tuple[ScheduleState, Tensor]:
    """
    Makes two versions of a stage's loops; returns (state, the second one).
    """
def split(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, factor: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc, tail: str) -> tuple[ScheduleState, int, int]:
    """
    Strip-mines a loop; returns (state, outer, inner).
    """
def stage_of_buffer(state: ScheduleState, buffer: str) -> str:
    """
    The stage that a buffer serves; '' of none.
    """
def statements_of(state: ScheduleState) -> list[tuple[str, str, str, str, list[tuple[str, str]]]]:
    """
    (name, stage, kind, domain, accesses) of each statement, in textual order.
    """
def suggest_fix(state: ScheduleState, primitive: str, stage: str, axes: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], given: typing.SupportsInt | typing.SupportsIndex | None, has_region: bool, tensor: str, apply: typing.Any, text: typing.Any, where: SourceLoc, first: typing.SupportsInt | typing.SupportsIndex) -> tuple[int, str, ScheduleState] | None:
    """
    What makes a refused primitive legal: (number, text, state), or None.
    """
def target_names() -> list[str]:
    """
    The targets that build takes.
    """
def tensorize(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, intrinsic: Intrinsic, where: SourceLoc) -> ScheduleState:
    """
    Runs code that a person wrote in place of the loops from one inward.
    """
def tensorize_micro_kernel(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Runs code of the code generator in place of a product of matrices.
    """
def threads_of_call(asked: typing.SupportsInt | typing.SupportsIndex, has_threads: bool, where: SourceLoc) -> int:
    """
    The threads of a call that asks for so many; 0: it does not say. Raises UnsupportedError where several are asked of code that has none, ScheduleArgumentError for a SOLWAY_THREADS that is no number.
    """
def tile(state: ScheduleState, stage: str, i: typing.SupportsInt | typing.SupportsIndex, j: typing.SupportsInt | typing.SupportsIndex, ti: typing.SupportsInt | typing.SupportsIndex, tj: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> tuple[ScheduleState, int, int, int, int]:
    """
    Splits two loops and brings the outer halves outside.
    """
def transform_layout(state: ScheduleState, tensor: Tensor, axes: collections.abc.Sequence[Axis], index: collections.abc.Sequence[Expr], where: SourceLoc) -> ScheduleState:
    """
    Stores a tensor in another layout.
    """
def unroll(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Writes out a loop's iterations.
    """
def users_of(state: ScheduleState, tensor: str, is_read: bool) -> list[str]:
    """
    Names of the stages that read the memory of that name, or of those that store there.
    """
def vectorize(state: ScheduleState, stage: str, axis: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> ScheduleState:
    """
    Runs a loop's iterations in vector lanes.
    """
def versions() -> dict[str, str]:
    """
    Versions of this module and of what it was built with, by name.
    """
def winograd(tensor: Tensor, outputs: typing.SupportsInt | typing.SupportsIndex, where: SourceLoc) -> Tensor:
    """
    A convolution by minimal filtering, tiles of `outputs` x `outputs`.
    """
