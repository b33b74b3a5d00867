"""Where in the user's program a call stands."""

from __future__ import annotations

import linecache
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_COMMAND_LINE = _PACKAGE + "cli.py"
_ASSIGNED = re.compile(
    r"([A-Za-z_]\w*)\s*(?::[^=]+)?=\s*(?:\w+\.)*(?:placeholder|constant|compute|recurrence|update|reduce_axis)\("
)


_pretended: ContextVar[tuple[str, int, str] | None] = ContextVar("_pretended", default=None)


@contextmanager
def pretending(place: tuple[str, int, str]) -> Iterator[None]:
    """Within it, `caller` is `place`: a line of a file that is read, or of the log."""
    token = _pretended.set(place)
    try:
        yield
    finally:
        _pretended.reset(token)


def caller() -> tuple[str, int, str]:
    """File, 1-based line and text of the innermost frame outside this package.

    What a person typed at a shell has no line: ("", 0, "").
    """
    pretended = _pretended.get()
    if pretended is not None:
        return pretended
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = None if frame.f_code.co_filename == _COMMAND_LINE else frame.f_back
    if frame is None:
        return ("", 0, "")
    file, line = frame.f_code.co_filename, frame.f_lineno
    return (file, line, linecache.getline(file, line, frame.f_globals).strip())


def assigned_name(text: str, default: str) -> str:
    """The variable that a line of the form ``A = sw.placeholder(...`` assigns, else `default`."""
    match = _ASSIGNED.match(text)
    return match.group(1) if match else default
