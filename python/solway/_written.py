"""Files that a user asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from solway._location import caller
from solway.errors import ArgumentMismatchError

__all__ = ["written"]


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
            file.write_text(content, encoding="utf-8")
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
