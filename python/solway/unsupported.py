"""Names of the interface that are not implemented; each says what is."""

from __future__ import annotations

from typing import NoReturn

from solway._location import caller
from solway.errors import UnsupportedError

__all__ = [
    "size",
]


def _unsupported(name: str, what: str, present: str, fix: str) -> UnsupportedError:
    return UnsupportedError(
        f"sw.{name} is not implemented", f"it is for {what}; {present}", fix, caller()
    )


def size(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: symbolic size.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "size", "a symbolic size", "sizes are constant integers", "build one kernel per size"
    )
