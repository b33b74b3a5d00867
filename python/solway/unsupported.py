"""Names of the interface that are not implemented; each says what is."""

from __future__ import annotations

from typing import NoReturn

from solway._location import caller
from solway.errors import UnsupportedError

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "bounded",
    "constant",
    "reducer",
    "size",
]


def _unsupported(name: str, what: str, present: str, fix: str) -> UnsupportedError:
    return UnsupportedError(
        f"sw.{name} is not implemented", f"it is for {what}; {present}", fix, caller()
    )


def argmin(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: index of the smallest value.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "argmin",
        "the index of the smallest value",
        "sum, prod, min and max are implemented",
        "reduce to the value with sw.min",
    )


def argmax(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: index of the largest value.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "argmax",
        "the index of the largest value",
        "sum, prod, min and max are implemented",
        "reduce to the value with sw.max",
    )


def any(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: reduction of conditions.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "any",
        "a reduction of conditions",
        "sum, prod, min and max of numbers are implemented",
        "write sw.max(sw.cast(cond, 'int8'), axis=k) > 0",
    )


def all(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: reduction of conditions.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "all",
        "a reduction of conditions",
        "sum, prod, min and max of numbers are implemented",
        "write sw.min(sw.cast(cond, 'int8'), axis=k) > 0",
    )


def reducer(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: reduction with a combine function of one's own.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "reducer",
        "a reduction with a combine function of one's own",
        "sum, prod, min and max are implemented",
        "use one of these",
    )


def size(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: symbolic size.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "size", "a symbolic size", "sizes are constant integers", "build one kernel per size"
    )


def bounded(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: index that depends on data.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "bounded",
        "an index that depends on data",
        "affine indices are implemented",
        "use sums of axes times constants",
    )


def constant(*args: object, **kwargs: object) -> NoReturn:
    """Not implemented: tensor whose values are known when building.

    Raises:
        UnsupportedError: always.
    """
    raise _unsupported(
        "constant",
        "a tensor whose values are known when building",
        "placeholders and computes are implemented",
        "make it a sw.placeholder and pass the values at each call",
    )
