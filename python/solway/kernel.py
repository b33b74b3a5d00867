"""Compiled kernels: what `build` returns, and how it is called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solway import _core
from solway._location import caller
from solway.errors import ArgumentMismatchError, InternalError, UnsupportedError
from solway.expr import Tensor, here
from solway.schedule import Schedule

__all__ = ["Kernel", "LastRun", "Remark", "build"]

_STATUS = {
    1: "there is no memory for its temporary arrays",
    2: "a wait found no pending transfer",
    3: "a transfer was issued before the last one of its slot was waited for",
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
    """The last call of a kernel.

    Args:
        seconds: wall-clock time of the generated code.
    """

    seconds: float


class Kernel:
    """A schedule compiled for one target; call it with one array per argument.

    Outputs are written in place. Arrays must have exactly the shape and type of their tensor, be
    C-contiguous and aligned; an output may not overlap another argument.
    """

    def __init__(self, compiled: _core.CompiledKernel, args: Sequence[Tensor]) -> None:
        self._compiled = compiled
        self._args = tuple(args)
        self.last_run: LastRun | None = None

    @property
    def name(self) -> str:
        """The name of its entry."""
        return str(self._compiled.name)

    @property
    def target(self) -> str:
        """The name of its target."""
        return str(self._compiled.target)

    @property
    def source(self) -> dict[str, str]:
        """The generated files: name to text."""
        return dict(self._compiled.source)

    @property
    def ir(self) -> str:
        """The loop IR as text."""
        return str(self._compiled.ir)

    def __call__(self, *arrays: object) -> None:
        """Runs the kernel; outputs are written in place.

        Args:
            arrays: one per argument, in order: NumPy arrays, or anything that NumPy can view
                without a copy.

        Raises:
            ArgumentMismatchError: a shape, type, stride or alignment that does not fit, an output
                that is read-only or overlaps another argument.
        """
        where = caller()
        if len(arrays) != len(self._args):
            raise ArgumentMismatchError(
                f"{self.name} takes {len(self._args)} arrays",
                f"got {len(arrays)}",
                f"pass {', '.join(t.name for t in self._args)}",
                where,
            )
        views = [
            self._view(tensor, array, where)
            for tensor, array in zip(self._args, arrays, strict=True)
        ]
        self._require_no_overlap(views, where)
        self._run(views)

    def run(self, *arrays: object) -> npt.NDArray[np.generic] | tuple[npt.NDArray[np.generic], ...]:
        """Runs the kernel on its inputs and allocates the outputs.

        Args:
            arrays: one per input, in the order of the argument list.

        Returns:
            The output, or a tuple of them in the order of the argument list.

        Raises:
            ArgumentMismatchError: as for a call.
        """
        inputs = [t for t in self._args if not _is_output(t)]
        if len(arrays) != len(inputs):
            raise ArgumentMismatchError(
                f"{self.name}.run takes {len(inputs)} inputs",
                f"got {len(arrays)}",
                f"pass {', '.join(t.name for t in inputs)}",
                caller(),
            )
        given = iter(arrays)
        outputs = [np.zeros(t.shape, t.dtype) for t in self._args if _is_output(t)]
        made = iter(outputs)
        self(*(next(made) if _is_output(t) else next(given) for t in self._args))
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def report(self) -> tuple[Remark, ...]:
        """What was asked for and done otherwise, each with the reason."""
        return tuple(Remark(*row) for row in self._compiled.remarks)

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes the generated files.

        Args:
            folder: made if it is not there.

        Returns:
            The paths written.

        Raises:
            ArgumentMismatchError: the folder cannot be written.
        """
        path = Path(folder)
        try:
            path.mkdir(parents=True, exist_ok=True)
            written = []
            for name, text in self.source.items():
                (path / name).write_text(text)
                written.append(path / name)
        except OSError as error:
            raise ArgumentMismatchError(
                f"'{path}' cannot be written",
                f"{error.strerror}: {error.filename}",
                "name a folder that can be",
                caller(),
            ) from None
        return written

    def _view(
        self, tensor: Tensor, array: object, where: tuple[str, int, str]
    ) -> npt.NDArray[np.generic]:
        view = _as_array(array)
        if view is None:
            raise _mismatch(tensor, "array", "a NumPy array", type(array).__name__, where)
        if view.dtype != tensor.dtype:
            raise _mismatch(tensor, "dtype", str(tensor.dtype), str(view.dtype), where)
        if view.shape != tensor.shape:
            raise _mismatch(tensor, "shape", str(tensor.shape), str(view.shape), where)
        if not view.flags.c_contiguous:
            strides = f"strides {view.strides} in bytes"
            raise _mismatch(tensor, "layout", "a C-contiguous array", strides, where)
        if not view.flags.aligned:
            address = f"address {view.ctypes.data:#x}"
            raise _mismatch(tensor, "alignment", f"{view.itemsize} bytes", address, where)
        if _is_output(tensor) and not view.flags.writeable:
            raise _mismatch(tensor, "access", "a writable array", "a read-only one", where)
        return view

    def _require_no_overlap(
        self, views: Sequence[npt.NDArray[np.generic]], where: tuple[str, int, str]
    ) -> None:
        for out, written in zip(self._args, views, strict=True):
            if not _is_output(out):
                continue
            for other, view in zip(self._args, views, strict=True):
                if other is not out and np.may_share_memory(written, view):
                    raise ArgumentMismatchError(
                        f"output '{out.name}' of {self.name} overlaps '{other.name}'",
                        f"both lie at {written.ctypes.data:#x} + {written.nbytes} bytes and "
                        f"{view.ctypes.data:#x} + {view.nbytes} bytes",
                        "pass separate arrays",
                        where,
                    )

    def _run(self, views: Sequence[npt.NDArray[np.generic]]) -> None:
        self._compiled.compile()
        addresses = [view.ctypes.data for view in views]
        start = perf_counter()
        status = self._compiled.call(addresses)
        seconds = perf_counter() - start
        if status == 1:
            raise MemoryError(f"{self.name}: {_STATUS[1]}")
        if status != 0:
            why = _STATUS.get(status, "an unknown status")
            raise InternalError(f"{self.name} returned {status}", why, "", caller())
        self.last_run = LastRun(seconds)


def _is_output(tensor: Tensor) -> bool:
    return tensor._node.body is not None


def _as_array(array: object) -> npt.NDArray[np.generic] | None:
    """A view of `array` without a copy; None when there is no such view."""
    if isinstance(array, np.ndarray):
        return array
    if hasattr(array, "__array_interface__"):
        return np.asarray(array)
    if hasattr(array, "__dlpack__"):
        return np.from_dlpack(array)
    return None


def _mismatch(
    tensor: Tensor, what: str, expected: str, got: str, where: tuple[str, int, str]
) -> ArgumentMismatchError:
    return ArgumentMismatchError(
        f"argument '{tensor.name}' has another {what}",
        f"expected {expected}, got {got}",
        "pass np.ascontiguousarray(...)" if what in ("layout", "alignment") else "convert it first",
        where,
    )


def build(
    schedule: Schedule,
    args: Iterable[Tensor],
    *,
    target: str = "host",
    name: str = "kernel",
    poison_transfers: bool = False,
) -> Kernel:
    """Compiles a schedule.

    Args:
        schedule: what runs, and how.
        args: the kernel's arguments in order: every placeholder and every output, each once.
        target: "host", this machine through LLVM; or "c", portable C99 for the system's compiler.
        name: an identifier, the name of the entry.
        poison_transfers: fill what a transfer will write until it is waited for.

    Returns:
        A kernel to call.

    Raises:
        ArgumentMismatchError: a tensor is missing among the arguments, or is too much.
        UnsupportedError: a target that is not there, a tensor in place of a schedule.

    Example:
        >>> A = sw.placeholder((4,), name="A")
        >>> B = sw.compute((4,), lambda i: A[i] * 2, name="B")
        >>> k = sw.build(sw.create_schedule(B), [A, B])
        >>> k.run(np.arange(4, dtype="float32"))
        array([0., 2., 4., 6.], dtype=float32)
    """
    if not isinstance(schedule, Schedule):
        raise UnsupportedError(
            "build of a tensor without a schedule",
            "auto_schedule is not there; build takes a schedule",
            "pass sw.create_schedule(C)",
            caller(),
        )
    tensors = list(args)
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise ArgumentMismatchError(
                "the arguments of build are tensors",
                f"got {tensor!r}",
                "pass the placeholders and the outputs",
                caller(),
            )
    if not name.isidentifier() or not name.isascii():
        raise ArgumentMismatchError(
            f"'{name}' cannot name a kernel",
            "it is no C identifier",
            "use letters, digits and _",
            caller(),
        )
    nodes = [t._node for t in tensors]
    compiled = _core.build(schedule._state, nodes, target, name, poison_transfers, here())
    return Kernel(compiled, tensors)
