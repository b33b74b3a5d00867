"""What a planted fault is."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One mistake that somebody could make.

    Args:
        name: a word.
        file: path from the root.
        old: the text, which occurs once.
        new: what stands there instead.
        tests: layers and GoogleTest filters, or "python" and paths of pytest, in the order in which
            they are tried, the quick and the likely first.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[tuple[str, str], ...]
