"""The errors that solway reports; all derive from `Error`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from solway._fixes import Request

__all__ = [
    "AnalysisBudgetError",
    "ArgumentMismatchError",
    "CapacityError",
    "DslError",
    "EmulatorError",
    "Error",
    "IllegalScheduleError",
    "InternalError",
    "ScheduleArgumentError",
    "UnsupportedError",
    "Where",
]


class Where(NamedTuple):
    """A line of the user's program; ``line`` is 1-based, 0 when it is not known."""

    file: str = ""
    line: int = 0
    text: str = ""

    def __str__(self) -> str:
        if not self.line:
            return ""
        place = f"{self.file}:{self.line}"
        return f"{place}: {self.text}" if self.text else place


NOWHERE = Where()


class Error(Exception):
    """Base of every error of solway; never raised itself.

    Attributes:
        what: the request and its verdict.
        why: the fact that forbids it, with values.
        fix: one concrete thing to try.
        where: the user's line: ``.file``, ``.line``, ``.text``.
    """

    def __init__(
        self, what: str, why: str = "", fix: str = "", where: Where | tuple[str, int, str] = NOWHERE
    ) -> None:
        super().__init__(what, why, fix, Where(*where))
        self.what = what
        self.why = why
        self.fix = fix
        self.where = Where(*where)

    def __str__(self) -> str:
        lines = [self.what]
        lines += [f"  why: {self.why}"] if self.why else []
        lines += [f"  fix: {self.fix}"] if self.fix else []
        lines += [f"  at:  {self.where}"] if self.where.line else []
        return "\n".join(lines)


class DslError(Error):
    """The algorithm is ill-formed: a shape, an element type, a rank, a read outside a tensor."""


class ScheduleArgumentError(Error):
    """A primitive cannot take its argument: no such loop, a factor that is not positive."""


class IllegalScheduleError(Error):
    """The schedule would break a dependence; carries one violated pair.

    What makes the primitive legal is looked for when `fix`, `apply_fix` or the text is read first.

    Attributes:
        source, sink: (stage name, iteration) of both sides; the source runs first in the original
            program. An iteration is a tuple of (axis name, value).
        tensor: name of the tensor that both access.
        element: index of the element.
        primitive: the request, as text.
    """

    def __init__(
        self,
        what: str,
        why: str = "",
        fix: str = "",
        where: Where | tuple[str, int, str] = NOWHERE,
        *,
        source: tuple[str, tuple[tuple[str, int], ...]] | None = None,
        sink: tuple[str, tuple[tuple[str, int], ...]] | None = None,
        tensor: str = "",
        element: tuple[int, ...] = (),
        primitive: str = "",
    ) -> None:
        self._request: Request | None = None
        self._general_fix = fix
        super().__init__(what, why, fix, where)
        self.source = source
        self.sink = sink
        self.tensor = tensor
        self.element = element
        self.primitive = primitive

    @property
    def fix(self) -> str:
        """What to do instead: a prelude then the primitive, found by search, or in general."""
        found = None if self._request is None else self._request.text
        return self._general_fix if found is None else found

    @fix.setter
    def fix(self, text: str) -> None:
        self._general_fix = text

    @property
    def apply_fix(self) -> Callable[[], None] | None:
        """Does on the schedule what `fix` says, up to the primitive; None when none was found.

        Where `fix` names something else "instead", that is done.
        """
        return None if self._request is None else self._request.apply

    def __reduce__(self) -> tuple[object, ...]:
        """With the fix as text; `apply_fix` belongs to a schedule of this process."""
        state = {**self.__dict__, "_request": None, "_general_fix": self.fix}
        return (type(self), self.args, state)


class AnalysisBudgetError(Error):
    """The analysis did not decide within its bound: neither legal nor illegal."""


class CapacityError(Error):
    """Buffers do not fit a scratchpad.

    Attributes:
        needed_bytes, available_bytes: the total and the capacity.
        buffers: (name, bytes, the primitive that made it) of each.
    """

    def __init__(
        self,
        what: str,
        why: str = "",
        fix: str = "",
        where: Where | tuple[str, int, str] = NOWHERE,
        *,
        needed_bytes: int = 0,
        available_bytes: int = 0,
        buffers: tuple[tuple[str, int, str], ...] = (),
    ) -> None:
        super().__init__(what, why, fix, where)
        self.needed_bytes = needed_bytes
        self.available_bytes = available_bytes
        self.buffers = buffers


class UnsupportedError(Error):
    """Legal but not implemented; `why` and `fix` say what is."""


class ArgumentMismatchError(Error):
    """An argument's shape, type, stride or alignment differs from the compiled kernel."""


class EmulatorError(Error):
    """The emulated program did what the machine forbids.

    Attributes:
        kind: one of the closed list of kinds.
        cause: the faulty statement, or None; `where` is the one that suffers.
        cpe: number of the core, or None.
        group: number of its core group, or None when the program uses one group only.
    """

    def __init__(
        self,
        what: str,
        why: str = "",
        fix: str = "",
        where: Where | tuple[str, int, str] = NOWHERE,
        *,
        kind: str = "",
        cause: Where | None = None,
        cpe: int | None = None,
        group: int | None = None,
    ) -> None:
        super().__init__(what, why, fix, where)
        self.kind = kind
        self.cause = cause
        self.cpe = cpe
        self.group = group


class InternalError(Error):
    """A bug of solway itself.

    Attributes:
        saved: the path of a file that repeats it (``solway replay``), or "" when there is none.
    """

    def __init__(
        self,
        what: str,
        why: str = "",
        fix: str = "",
        where: Where | tuple[str, int, str] = NOWHERE,
        *,
        saved: str | None = None,
    ) -> None:
        super().__init__(what, why, fix, where)
        if saved is None:
            from solway import _reproduction

            saved = _reproduction.saved(self)
        self.saved = saved
        if saved and not fix:
            self.fix = f"report it with {saved}; `solway replay {saved}` repeats it"

    def __reduce__(self) -> tuple[object, ...]:
        """Without saving again what the other process saved."""
        return (_as_it_was, (type(self), self.args, self.__dict__))


def _as_it_was(
    cls: type[InternalError], args: tuple[str, str, str, Where], fields: dict[str, object]
) -> InternalError:
    error = cls(*args, saved="")
    error.__dict__.update(fields)
    return error
