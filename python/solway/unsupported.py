"""What the interface has a name for and solway does not do yet: each says what is there."""

from __future__ import annotations

from typing import NoReturn

from solway._location import caller
from solway.errors import UnsupportedError

__all__ = ["refuse_planned"]


def _refuse(what: str, why: str, fix: str) -> NoReturn:
    raise UnsupportedError(f"{what} is not implemented", why, fix, caller())


def refuse_planned(*, num_groups: int | None = None) -> None:
    """Refuses what an argument of `build` or `create_schedule` asks for and is not there.

    Args:
        num_groups: core groups of a Sunway.

    Raises:
        UnsupportedError: one of them asks for more than there is.
    """
    if num_groups not in (None, 1):
        _refuse(
            f"num_groups={num_groups}",
            "parallel loops run on one core group of a Sunway",
            "leave it out",
        )
