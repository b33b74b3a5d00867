"""Compiled kernels: what `build` returns, and how it is called."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from solway import _core
from solway._arguments import Argument, Array, array_of, as_array, views_of
from solway._example_program import example_files
from solway._index_checks import IndexChecks
from solway._kernel_arguments import arguments_of
from solway._location import caller
from solway._shown import shown
from solway._threads import require_threads, threads_of_build, threads_of_call
from solway._written import replace_file
from solway.emulation import in_mode, present_options
from solway.errors import (
    ArgumentMismatchError,
    InternalError,
    ScheduleArgumentError,
    UnsupportedError,
)
from solway.expr import Tensor, here, root_of
from solway.options import Options, limited
from solway.schedule import Schedule, create_schedule
from solway.sizes import bind, coefficients, concrete
from solway.target import Target, loaded, machine_of
from solway.timeline import Timeline
from solway.unsupported import refuse_planned

__all__ = ["CallableKernel", "Kernel", "LastRun", "Remark", "build"]

#: Of arrays, the threads of a call and of the build: seconds and threads, or None.
_QuickCall: TypeAlias = Callable[[tuple[object, ...], object, int], tuple[float, int] | None]

_STATUS = {
    1: "there is no memory for its temporary arrays",
    2: "a wait found no pending transfer",
    3: "a transfer was issued before the last one of its slot was waited for",
    4: "its sizes are not what the schedule assumes",
}


class Remark(NamedTuple):
    """What was done otherwise than asked.

    Args:
        step: the primitive.
        verdict: what happens instead.
        why: the reason.
    """

    step: str
    verdict: str
    why: str


class LastRun(NamedTuple):
    """The last call of a kernel. What a kernel's target does not count is None.

    Args:
        seconds: wall-clock time of the generated code.
        bytes: of an emulated kernel, moved between main memory and cores: "get" and "put" by
            transfers, "gld" and "gst" by plain loads and stores.
        ldm_peak_bytes: of an emulated kernel, local memory of the fullest core.
        cycles: of a run in timed mode, from the call to the return, the start and the end of the
            cores included; in cycles of their clock.
        cpe_cycles: from the first start of a core to the last end.
        stalls: cycles that cores stood still, all together: "transfer", until a transfer was
            complete; "channel", until the engine took a request; "barrier"; "message", in
            register communication and copies from LDM to LDM; "main_memory", in plain loads and
            stores of main memory; "instructions", until code was there that the instruction
            cache had not.
        timeline: of a run in timed mode, what each core did when.
        threads: of machine code of this machine, how many ran it: 1 without parallel loops, fewer
            than asked for while other calls have them.
    """

    seconds: float
    bytes: dict[str, int] | None = None
    ldm_peak_bytes: int | None = None
    cycles: int | None = None
    cpe_cycles: int | None = None
    stalls: dict[str, int] | None = None
    timeline: Timeline | None = None
    threads: int | None = None


class CallableKernel(ABC):
    """Code to call with one array per argument.

    Outputs are written in place. Arrays must have exactly the shape and type of their argument, be
    C-contiguous and aligned; an output may not overlap another argument.
    """

    _code: _core.CompiledKernel | _core.EmulatedKernel
    _machine: _core.Target | None = None
    #: Runs on plain arrays, or says None where it cannot.
    _quick: _QuickCall | None = None
    _last: LastRun | tuple[float, int] | None = None
    _shareable: Collection[tuple[int, int]] = ()
    #: The sizes that a call gives.
    _sizes: Sequence[_core.Size] = ()
    #: Of calls that do not say; 0: the environment does.
    _threads: int = 0

    @property
    def last_run(self) -> LastRun | None:
        """The last call."""
        if self._last is not None and not isinstance(self._last, LastRun):
            seconds, threads = self._last
            self._last = LastRun(seconds, threads=threads)
        return self._last

    @last_run.setter
    def last_run(self, run: LastRun | None) -> None:
        self._last = run

    @property
    def name(self) -> str:
        """The name of its entry."""
        return str(self._code.name)

    @property
    @abstractmethod
    def target(self) -> str:
        """The name of its target."""

    @property
    def source(self) -> dict[str, str]:
        """The source files: name to text."""
        return dict(self._code.source)

    @property
    @abstractmethod
    def arguments(self) -> tuple[Argument, ...]:
        """Name, shape, dtype and role of each argument, in order."""

    def __call__(
        self,
        *arrays: object,
        mode: str | None = None,
        sizes: Mapping[str, int] | None = None,
        threads: int | None = None,
    ) -> None:
        """Runs the kernel; outputs are written in place.

        Args:
            arrays: one per argument, in order: NumPy arrays, or anything that NumPy can view
                without a copy.
            mode: of an emulated kernel: "functional", "hazard" or "timed".
            sizes: values by name of the sizes that no array's shape tells.
            threads: at most so many run the parallel loops, 1 to 1024; None leaves it to `build`,
                its options and ``SOLWAY_THREADS``, in this order, else one per core. Results are
                the same bits for any number.

        Raises:
            ArgumentMismatchError: a shape, type, stride or alignment that does not fit, an output
                that is read-only or overlaps another argument, a size out of its bounds or that an
                `assume` leaves out.
            EmulatorError: the emulated machine forbids what the code does.
            ScheduleArgumentError: no number of threads.
            UnsupportedError: a program that is needed is not there, another mode, several threads
                of a kernel that is not machine code of this machine.
        """
        quick = self._quick
        if quick is not None and mode is None and sizes is None:
            done = quick(arrays, threads, self._threads)
            if done is not None:
                self._last = done
                return
        where = caller()
        number = threads_of_call(threads, self._threads, self._has_threads(), where)
        arguments, values = self._in_call(arrays, sizes, where)
        self._call(arguments, arrays, values, mode, number, where)

    def _call(
        self,
        arguments: Sequence[Argument],
        arrays: Sequence[object],
        values: Sequence[Array],
        mode: str | None,
        threads: int,
        where: tuple[str, int, str],
    ) -> None:
        """Runs the code on checked arrays and what `_in_call` says of the sizes."""
        if mode is not None and self._machine is not None and not self._machine.is_emulated:
            raise UnsupportedError(
                f"mode={mode!r} of '{self.name}', which is not emulated",
                f"modes are those of the emulator, which has no part in target '{self.target}'",
                "leave out mode=",
                where,
            )
        views = views_of(self.name, arguments, arrays, where, self._shareable)
        with in_mode(mode):
            self._run([*views, *values], threads)

    def _has_threads(self) -> bool:
        """Whether calls may ask for threads."""
        return bool(self._code.has_threads)

    def _in_call(
        self,
        arrays: Sequence[object],
        sizes: Mapping[str, int] | None,
        where: tuple[str, int, str],
    ) -> tuple[tuple[Argument, ...], list[Array]]:
        """The arguments with the sizes of this call, and the array that holds these sizes."""
        arguments, symbols = self.arguments, self._sizes
        if (not symbols and not sizes) or len(arrays) != len(arguments):
            return arguments, []
        pairs = zip(arguments, arrays, strict=True)
        values = self._size_values([array_of(*pair, where) for pair in pairs], sizes, where)
        numbers = np.array([values[symbol.name] for symbol in symbols], np.int64)
        return tuple(concrete(a, values) for a in arguments), [numbers] if symbols else []

    def _size_values(
        self,
        arrays: Sequence[Array | None],
        sizes: Mapping[str, int] | None,
        where: tuple[str, int, str],
    ) -> dict[str, int]:
        """The value of each size in a call."""
        return bind(self.name, self._sizes, self.arguments, arrays, sizes or {}, where)

    def run(
        self,
        *arrays: object,
        mode: str | None = None,
        sizes: Mapping[str, int] | None = None,
        threads: int | None = None,
    ) -> Array | tuple[Array, ...]:
        """Runs the kernel on its inputs and allocates the outputs.

        Args:
            arrays: one per input, in the order of the argument list. One that is also written
                keeps its values: the result is a new array.
            mode: of an emulated kernel: "functional", "hazard" or "timed".
            sizes: values by name of the sizes that no input's shape tells.
            threads: as for a call.

        Returns:
            The output, or a tuple of them in the order of the argument list.

        Raises:
            ArgumentMismatchError: as for a call.
            EmulatorError: as for a call.
            ScheduleArgumentError: as for a call.
            UnsupportedError: as for a call.
        """
        inputs = [a for a in self.arguments if a.is_read]
        if len(arrays) != len(inputs):
            raise ArgumentMismatchError(
                f"{self.name}.run takes {len(inputs)} inputs",
                f"got {len(arrays)}",
                f"pass {', '.join(a.name for a in inputs)}",
                caller(),
            )
        where, given = caller(), iter(arrays)
        number = threads_of_call(threads, self._threads, self._has_threads(), where)
        all_arrays = [next(given) if a.is_read else None for a in self.arguments]
        arguments, values = self._in_call(all_arrays, sizes, where)
        for n, argument in enumerate(arguments):
            if argument.role == "out":
                all_arrays[n] = np.zeros(argument.shape, argument.dtype)
            view = as_array(all_arrays[n]) if argument.role == "inout" else None
            if view is not None:
                all_arrays[n] = np.array(view)
        self._call(arguments, all_arrays, values, mode, number, where)
        pairs = zip(arguments, all_arrays, strict=True)
        outputs = tuple(np.asarray(array) for a, array in pairs if a.is_written)
        return outputs[0] if len(outputs) == 1 else outputs

    def save(
        self, folder: str | os.PathLike[str], *, example: bool = True, threads: bool = False
    ) -> list[Path]:
        """Writes the source files; of machine code and C also what a C program includes and links.

        Args:
            folder: made if it is not there.
            example: of machine code and C, write the example program too.
            threads: of machine code, whether parallel loops run on several threads, of which the
                library has its own: it needs POSIX threads then, and defines NAME_set_threads too.

        Returns:
            The paths written. Of machine code: NAME.ll and NAME.s to read; NAME.o, libNAME.a and
            libNAME.so, which need the C library and its libm only; NAME.h, which declares the
            function and says what it wants; NAME_example.c, NAME_reference.c and a Makefile, a
            program that calls it and checks the results. Of C: NAME.c in place of libraries, and
            the others; where the machine has a compiler of its own, the Makefile builds
            libNAME.a with it, and `make check` the program.

        Raises:
            ArgumentMismatchError: the folder cannot be written.
            UnsupportedError: of machine code: a name that C has taken, sizes or indices for which
                no example is found; threads of a kernel that is sources or has no parallel loop.
        """
        path = Path(folder)
        files = {name: text.encode() for name, text in self.source.items()}
        files |= self._libraries(example, threads)
        try:
            written = []
            for name, content in files.items():
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                replace_file(path / name, content)
                written.append(path / name)
        except OSError as error:
            raise ArgumentMismatchError(
                f"'{path}' cannot be written",
                f"{error.strerror}: {error.filename}",
                "name a folder that can be made and written to",
                caller(),
            ) from None
        return written

    def _libraries(self, example: bool, threads: bool) -> dict[str, bytes]:
        """What a C program links and includes, and an example of one; none for other kernels."""
        if not threads:
            return {}
        raise UnsupportedError(
            f"threads in what is saved of '{self.name}'",
            "it is source code, and only machine code has them",
            "leave threads=True out",
            caller(),
        )

    def _run(self, views: Sequence[Array], threads: int) -> None:
        options = present_options()
        status, seconds, moved, ldm_peak_bytes, timed, ran = self._code.run(
            [(view.ctypes.data, view.nbytes) for view in views],
            options.seed,
            options.landing,
            options.seconds,
            options.mode,
            threads,
        )
        if status == 1:
            raise MemoryError(f"{self.name}: {_STATUS[1]}")
        if status != 0:
            why = _STATUS.get(status, "an unknown status")
            raise InternalError(f"{self.name} returned {status}", why, "", caller())
        self.last_run = LastRun(seconds, moved, ldm_peak_bytes, threads=ran)
        if timed is not None:
            assert self._machine is not None
            machine = Target(self._machine, self.target)
            near = "ldm" if machine.dialect == "athread" else machine.default_scope
            self.last_run = self.last_run._replace(
                cycles=timed.cycles,
                cpe_cycles=timed.cpe_cycles,
                stalls=timed.stalls,
                timeline=Timeline(
                    timed, self.name, machine.cores.clock_mhz, machine.memory(near).size_bytes
                ),
            )


class Kernel(CallableKernel):
    """A schedule compiled for one target; call it with one array per argument.

    Outputs are written in place. Arrays must have exactly the shape and type of their tensor, be
    C-contiguous and aligned. An output may be exactly an input where every element is read before
    it is stored; any other overlap is refused.
    """

    _code: _core.CompiledKernel
    _checks: IndexChecks | None = None

    def __init__(
        self,
        compiled: _core.CompiledKernel,
        args: Sequence[Tensor],
        schedule: Schedule | None = None,
    ) -> None:
        self._code = compiled
        self._args = tuple(args)
        self._schedule = schedule  # for the record of an internal error
        self._shareable = frozenset(compiled.shareable)
        self._sizes = tuple(compiled.sizes)
        given = () if schedule is None else schedule._state.given()
        from_caller = [brought(tensor, given) for tensor in self._args]
        self._arguments = tuple(map(argument_of, self._args, compiled.roles, from_caller))
        if self._has_threads():
            self._quick = self._quick_call()

    def _quick_call(self) -> _QuickCall | None:
        names = [size.name for size in self._sizes]
        expected = []
        for argument in self.arguments:
            extents = [coefficients(extent, names) for extent in argument.shape]
            known = [extent for extent in extents if extent is not None]
            if len(known) != len(extents):
                return None
            expected.append((argument.dtype, known, argument.is_written))
        bounds = [(size.min, size.max) for size in self._sizes]
        quick: _QuickCall = _core.quick_call(self._code, expected, bounds)
        return quick

    @property
    def target(self) -> str:
        """The name of its target."""
        return str(self._code.target)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Name, shape, dtype and role of each argument, in order."""
        return self._arguments

    def _size_values(
        self,
        arrays: Sequence[Array | None],
        sizes: Mapping[str, int] | None,
        where: tuple[str, int, str],
    ) -> dict[str, int]:
        values = super()._size_values(arrays, sizes, where)
        self._code.require_assumptions(values, _core.SourceLoc(*where))
        return values

    def _run(self, views: Sequence[Array], threads: int) -> None:
        if self._checks is not None:
            arrays, numbers = views[: len(self._args)], views[len(self._args) :]
            values = map(int, numbers[0] if numbers else ())
            sizes = {s.name: value for s, value in zip(self._sizes, values, strict=True)}
            self._checks.require(dict(zip(self._args, arrays, strict=True)), sizes, caller())
        super()._run(views, threads)

    def _libraries(self, example: bool, threads: bool) -> dict[str, bytes]:
        files: dict[str, bytes] = self._code.libraries(threads, here())
        if files and example:
            texts = example_files(self, files, threads)
            files |= {name: text.encode() for name, text in texts.items()}
        return files

    @property
    def ir(self) -> str:
        """The loop IR as text."""
        return str(self._code.ir)

    def report(self) -> tuple[Remark, ...]:
        """What was asked for and done otherwise, each with the reason."""
        algorithms = None if self._schedule is None else self._schedule._algorithms
        rows = [] if algorithms is None else algorithms.remarks
        return tuple(Remark(*row) for row in (*rows, *self._code.remarks))


def brought(tensor: Tensor, given: Collection[_core.Tensor]) -> bool:
    """Whether a caller brings values of an argument: a placeholder, or one of a schedule's inputs.

    Args:
        tensor: the argument.
        given: the computed tensors that the schedule reads as they are.
    """
    root = root_of(tensor)
    return root._node.body is None or any(root_of(Tensor(node)) == root for node in given)


def argument_of(tensor: Tensor, role: str, is_brought: bool) -> Argument:
    """A tensor as an argument of which the code makes that use.

    What the caller brings is read, or changed in place; whatever another tensor held before a
    call, the caller need not give it.
    """
    own = role if is_brought else "out"
    is_bfloat16 = tensor._node.dtype == "bfloat16"
    return Argument(tensor.name, tensor.shape, tensor.dtype, own, is_bfloat16=is_bfloat16)


def build(
    schedule: Schedule | Tensor | Iterable[Tensor],
    args: Iterable[Tensor] | None = None,
    *,
    target: str | Target | os.PathLike[str] = "host",
    name: str = "kernel",
    poison_transfers: bool = False,
    options: Options | None = None,
    fast_math: bool = False,
    threads: int | None = None,
    num_groups: int | None = None,
    search: bool = True,
) -> Kernel:
    """Compiles a schedule, or tensors whose schedule solway chooses.

    Args:
        schedule: what runs, and how; a computed tensor, or several, has the schedule that
            `Schedule.auto_schedule` chooses.
        args: the kernel's arguments in order: every placeholder and every output, each once. None:
            what is read, in the order in which it is read first, then the outputs.
        target: "host", this machine through LLVM; "c", portable C99 for the system's compiler;
            "sw26010", athread C that calls run in the emulator; another of `targets`, the path of
            a ``.toml`` file, or a `Target`.
        name: an identifier, the name of the entry.
        poison_transfers: fill what a transfer will write until it is waited for, on this machine
            (the emulator always does).
        options: what to print of the passes, and where to stop; over the environment's
            ``SOLWAY_PRINT_AFTER``, ``SOLWAY_STOP_AFTER``, ``SOLWAY_TIMINGS`` and
            ``SOLWAY_DEBUG``.
        fast_math: allow what rounds otherwise than the sum as it is written. Another algorithm for
            the same function where the model of the target (of "host" where none is given) says
            that it is faster: a convolution of 3 x 3 taps by minimal filtering, see `winograd`.
            And products of bfloat16 in pairs by the machine's instruction, which takes numbers
            below 2^-126 for zero. Products with a factor that a `select` chooses to be 0 are left
            out of sums, which infinities and NaN would make NaN. Of tensors; a schedule has it from
            `create_schedule`. The remarks of the kernel's report name what was used, and how large
            its error may be.
        threads: of calls that do not say: at most so many run the parallel loops, 1 to 1024. None:
            as the options say, or ``SOLWAY_THREADS``, else one per physical core.
        num_groups: core groups of a Sunway: 1; more are not implemented.
        search: of tensors: compile and time several plans, see `Schedule.auto_schedule`.

    Returns:
        A kernel to call.

    Raises:
        ArgumentMismatchError: a tensor is missing among the arguments, or is too much.
        CapacityError: the buffers do not fit a memory of the target.
        ScheduleArgumentError: a target file with a key that is unknown, missing or does not fit;
            no number of threads.
        UnsupportedError: a target that is not there, a buffer in a memory that it does not have,
            tensors for a target that `auto_schedule` has no model for, several threads of a target
            that is not this machine, what is named as not implemented above.

    Example:
        >>> A = sw.placeholder((4,), name="A")
        >>> B = sw.compute((4,), lambda i: A[i] * 2, name="B")
        >>> k = sw.build(sw.create_schedule(B), [A, B])
        >>> k.run(np.arange(4, dtype="float32"))
        array([0., 2., 4., 6.], dtype=float32)
    """
    refuse_planned(num_groups=num_groups)
    require_threads(threads, caller())
    if not isinstance(schedule, Schedule):
        of = target if fast_math else None
        schedule = create_schedule(schedule, target=of, options=options, fast_math=fast_math)
        schedule.auto_schedule(target, search=search)
    elif fast_math:
        raise ScheduleArgumentError(
            "fast_math=True of a schedule",
            "a schedule says already which stages compute its tensors",
            "pass it to create_schedule, or pass the tensors to build",
            caller(),
        )
    tensors = arguments_of(schedule._state) if args is None else list(args)
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise ArgumentMismatchError(
                "the arguments of build are tensors",
                f"got {shown(tensor)}",
                "pass the placeholders and the outputs",
                caller(),
            )
    require_name(name)
    by = {} if schedule._algorithms is None else schedule._algorithms.by
    nodes = [by.get(t._node, t._node) for t in tensors]
    machine = machine_of(target)
    passes = (options or Options())._row()
    with limited(options):
        compiled = _core.build(
            schedule._state, nodes, machine, name, poison_transfers, here(), passes,
            fast_math=schedule._algorithms is not None,
        )  # fmt: skip
    kernel = Kernel(compiled, tensors, schedule)
    kernel._machine = loaded(target)
    kernel._threads = threads_of_build(threads, options, kernel._has_threads(), caller())
    if (options or Options())._is_debug():
        kernel._checks = IndexChecks(schedule._state.stages(), schedule._state.given(), here())
        kernel._quick = None
    return kernel


def require_name(name: str) -> None:
    """Raises ArgumentMismatchError unless a kernel may have that name."""
    if not name.isidentifier() or not name.isascii():
        raise ArgumentMismatchError(
            f"'{name}' cannot name a kernel",
            "it is no C identifier",
            "use ASCII letters, digits and '_', not starting with a digit",
            caller(),
        )
