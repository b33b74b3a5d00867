"""Failures as data: a program, its schedule and what went wrong, in one file that runs again."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solway._location import caller
from solway.errors import ArgumentMismatchError, Error, InternalError, UnsupportedError
from solway.expr import Tensor, root_of
from solway.kernel import build
from solway.schedule import Schedule, create_schedule

__all__ = ["Failure", "arguments_of", "input_values"]

Array = npt.NDArray[np.generic]

VERSION = 1
UNWRITTEN = 77  # what outputs hold before a call
RIGHT = "nothing is wrong"
runs_again: ContextVar[bool] = ContextVar("runs_again", default=False)  # its file is there


@dataclass(frozen=True)
class Failure:
    """A program under a schedule, and what is wrong with it.

    Args:
        found: the kind of failure: the class of an error with its first line, "wrong result",
            "crash", "hang"; `RIGHT` when there is none.
        program: the text of `to_python(outputs)`.
        schedule: the text of ``s.to_python()``.
        call: a line that fails after these, "" when building or running does.
        target: where it is built and run; "" when it is not.
        poison_transfers: as of `build`.
        seed: of the values of the inputs.
        detail: the whole message.
        versions: of solway and of what it stands on.
    """

    found: str
    program: str
    schedule: str = ""
    call: str = ""
    target: str = ""
    poison_transfers: bool = False
    seed: int = 0
    detail: str = ""
    versions: tuple[tuple[str, str], ...] = ()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as JSON.

        Args:
            path: the file.
        """
        fields = {**asdict(self), "versions": dict(self.versions)}
        for name in ("program", "schedule"):
            fields[name] = fields[name].splitlines()
        text = json.dumps({"solway_failure": VERSION, **fields}, indent=1)
        Path(path).write_text(text + "\n", encoding="utf-8")

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Failure:
        """Reads what `save` wrote.

        Args:
            path: the file.

        Returns:
            The failure.

        Raises:
            ArgumentMismatchError: the file holds no failure.
            UnsupportedError: a later version wrote it.
        """
        try:
            fields: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
            version = fields.pop("solway_failure")
        except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
            raise ArgumentMismatchError(
                f"'{os.fspath(path)}' holds no failure",
                f"it is no JSON: {error}"
                if isinstance(error, ValueError)
                else f"it cannot be read: {error}"
                if isinstance(error, OSError)
                else "it has no 'solway_failure'",
                "pass the file that an InternalError names, or one of the random tests",
                caller(),
            ) from None
        if version != VERSION:
            raise UnsupportedError(
                f"'{os.fspath(path)}' is of version {version!r}",
                f"this solway reads version {VERSION}",
                "use the solway that its 'versions' name",
                caller(),
            )
        try:
            for name in ("program", "schedule"):
                fields[name] = "".join(f"{line}\n" for line in fields[name])
            fields["versions"] = tuple(fields.get("versions", {}).items())
            return Failure(**fields)
        except (KeyError, TypeError, AttributeError) as error:
            raise ArgumentMismatchError(
                f"'{os.fspath(path)}' holds no failure",
                f"it is not whole: {type(error).__name__}: {error}",
                "pass the file that an InternalError names, or one of the random tests",
                caller(),
            ) from None

    def script(self) -> str:
        """The failing program as one script."""
        lines = [self.program.rstrip(), self.schedule.rstrip(), self.call]
        if self.target and not self.call:
            lines += [
                "from solway.failure import Failure",
                f"failure = Failure('', '', target={self.target!r}, seed={self.seed}, "
                f"poison_transfers={self.poison_transfers})",
                "print(failure.judge(outputs, s))",
            ]
        return "\n".join(filter(None, lines)) + "\n"

    def happens(self) -> Failure:
        """What happens in this process when it runs: the same failure or another, or `RIGHT`."""
        names: dict[str, Any] = {}
        token = runs_again.set(True)
        try:
            exec(compile(self.program, "<program>", "exec"), names)
            if not all(isinstance(tensor, Tensor) for tensor in names["outputs"]):
                return replace(self, found="no program", detail="its outputs are no tensors")
            import solway

            names.setdefault("sw", solway)
            exec(compile(self.schedule, "<schedule>", "exec"), names)
            if self.call:
                exec(compile(self.call, "<call>", "exec"), names)
                return replace(self, found=RIGHT, detail="")
            schedule = names.get("s") or create_schedule(names["outputs"])
            found, detail = self._judged(names["outputs"], schedule)
            return replace(self, found=found, detail=detail)
        except Exception as error:
            return replace(self, found=signature(error), detail=str(error))
        finally:
            runs_again.reset(token)

    def judge(self, outputs: Sequence[Tensor], schedule: Schedule) -> str:
        """What is wrong with the results of a schedule; `RIGHT` when nothing is.

        They are compared with those of the program as it was written, on another target.

        Args:
            outputs: of the program.
            schedule: of it.

        Returns:
            Text for people.
        """
        return self._judged(outputs, schedule)[1] or RIGHT

    def _judged(self, outputs: Sequence[Tensor], schedule: Schedule) -> tuple[str, str]:
        if not self.target:
            return RIGHT, ""
        got = self._results(outputs, schedule, self.target)
        other = "host" if self.target == "c" else "c"
        expected = self._results(outputs, create_schedule(list(outputs)), other)
        for tensor, values, right in zip(outputs, got, expected, strict=True):
            if not np.array_equal(values, right):
                text = f"'{tensor.name}' on {self.target} is\n{values}\nand should be\n{right}"
                return "wrong result", text
        return RIGHT, ""

    def _results(self, outputs: Sequence[Tensor], schedule: Schedule, target: str) -> list[Array]:
        arguments = arguments_of(outputs)
        poison = self.poison_transfers and target in ("host", "c")
        kernel = build(schedule, arguments, target=target, poison_transfers=poison)
        arrays = {tensor: input_values(tensor, self.seed) for tensor in arguments}
        for tensor in arguments:
            if tensor._node.body is not None:
                arrays[tensor] = np.full(tensor.shape, UNWRITTEN, tensor.dtype)
        kernel(*arrays.values())
        held = {root_of(tensor): array for tensor, array in arrays.items()}
        return [held[root_of(tensor)] for tensor in outputs]


def signature(error: BaseException) -> str:
    """The class of an error and its first line, without what a smaller program changes."""
    if not isinstance(error, InternalError):
        return type(error).__name__
    what = error.what if isinstance(error, Error) else str(error)
    words = [word for word in what.split() if word.isalpha()]
    return " ".join([type(error).__name__, *words])


def arguments_of(outputs: Iterable[Tensor]) -> tuple[Tensor, ...]:
    """The placeholders of a program, then the outputs that have memory of their own.

    Args:
        outputs: computed tensors.

    Returns:
        The arguments of a kernel. What changes a placeholder in place has the place of that.

    Example:
        >>> A = sw.placeholder((4,), name="A")
        >>> B = sw.compute((4,), lambda i: A[i] * 2, name="B")
        >>> [tensor.name for tensor in arguments_of([B])]
        ['A', 'B']
    """
    given = list(outputs)
    inputs: dict[Tensor, None] = {}
    seen: set[Tensor] = set()

    def visit(tensor: Tensor) -> None:
        if tensor in seen:
            return
        seen.add(tensor)
        for read in tensor.inputs:
            visit(read)
        if tensor._node.body is None and not tensor._node.is_constant:
            inputs[tensor] = None

    for tensor in given:
        visit(tensor)
    own = [tensor for tensor in given if root_of(tensor) not in inputs]
    return (*inputs, *own)


def input_values(tensor: Tensor, seed: int) -> Array:
    """Small whole numbers for an input: every order of adding them gives the same sum.

    Args:
        tensor: the input; its values depend on its name, shape and type only.
        seed: of the values.

    Returns:
        A new array.
    """
    rng = np.random.default_rng([seed, zlib.crc32(tensor.name.encode())])
    return np.asarray(rng.integers(-3, 4, tensor.shape)).astype(tensor.dtype)
