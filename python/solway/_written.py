"""Files that a user asked for."""

from __future__ import annotations

import contextlib
import os
import stat
import uuid
from collections.abc import Callable
from pathlib import Path

from solway._location import caller
from solway.errors import ArgumentMismatchError

__all__ = ["replace_file", "written"]


def replace_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Writes a whole file in place of what is there.

    Where that fails, on a full disk, what was there stays, and nothing is left behind. A link stays
    a link, and a file keeps who may read it. What is no file (``/dev/stdout``) is written to.

    Args:
        path: of the file.
        content: its bytes, or its text, which is written as UTF-8.

    Raises:
        OSError: it cannot be written; `filename` is the path.
    """
    data = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name[:80]}.{uuid.uuid4().hex}.tmp")
    try:
        if target.exists() and not (target.is_file() and os.access(target.parent, os.W_OK)):
            target.write_bytes(data)
            return
        try:
            beside.write_bytes(data)
            if target.exists():
                os.chmod(beside, stat.S_IMODE(target.stat().st_mode))
            os.replace(beside, target)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def written(path: str | os.PathLike[str], content: str | Callable[[Path], object]) -> Path:
    """Writes a file, and says so at the user's line when that fails.

    Args:
        path: of the file.
        content: its text, or what writes it.

    Returns:
        The path.

    Raises:
        ArgumentMismatchError: the file cannot be written.
    """
    file = Path(path)
    try:
        if isinstance(content, str):
            replace_file(file, content)
        else:
            content(file)
    except OSError as error:
        raise ArgumentMismatchError(
            f"'{file}' cannot be written",
            f"{error.strerror}: {error.filename}",
            "name a file in a folder that is there and can be written",
            caller(),
        ) from None
    return file
