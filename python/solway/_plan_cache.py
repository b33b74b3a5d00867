"""What a measured search found, kept on disk by the content that it depends on.

An entry is one file. It is written beside its place and then renamed, which is atomic: a reader, or
one of many writers, sees an old entry or a new one, whatever is killed meanwhile. It names its key
and carries a checksum of itself; one that does not fit is no entry. What an entry says is only
which plans to take: they are made and proved again, so that none can give a wrong schedule.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from solway import _core
from solway._cpu import cpu_flags, cpu_name

__all__ = ["cache_folder", "key_of", "load", "store"]

_FORMAT = 2
_LEFT_OVER_SECONDS = 3600  # after which a file that nobody renamed is removed


def cache_folder() -> Path | None:
    """Where entries are: ``SOLWAY_CACHE``, else below the user's cache folder; None: nowhere.

    ``SOLWAY_CACHE=off`` keeps nothing.
    """
    named = os.environ.get("SOLWAY_CACHE")
    if named == "off":
        return None
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(home) if home else Path.home() / ".cache") / "solway"
    except RuntimeError:  # there is no home
        return None


def key_of(program: str, schedule: str, target: str) -> str:
    """The key of a program with what was fixed in its schedule, for a target on this processor.

    Args:
        program: its text.
        schedule: the text of the primitives that were applied before.
        target: its name and figures as text.

    Returns:
        A name for a file. solway's own code counts: another build makes other plans.
    """
    core = Path(_core.__file__).stat()
    parts = (
        str(_FORMAT), program, schedule, target, cpu_name(), " ".join(sorted(cpu_flags())),
        f"{core.st_size} {core.st_mtime_ns}",
    )  # fmt: skip
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def load(key: str) -> dict[str, Any] | None:
    """The entry of that key.

    Returns:
        What `store` was given; None when there is none, or one that is damaged or foreign.
    """
    folder = cache_folder()
    if folder is None:
        return None
    try:
        entry = json.loads((folder / f"{key}.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("content"), dict):
        return None
    content: dict[str, Any] = entry["content"]
    is_whole = content.get("key") == key and entry.get("checksum") == _checksum(content)
    found = content.get("found")
    return found if is_whole and isinstance(found, dict) else None


def store(key: str, found: dict[str, Any]) -> str:
    """Writes an entry.

    Args:
        key: of `key_of`.
        found: plain data.

    Returns:
        Why it could not be written; "" when it was.
    """
    folder = cache_folder()
    if folder is None:
        return ""
    content = {"key": key, "found": found}
    text = json.dumps({"content": content, "checksum": _checksum(content)}, indent=1)
    written: str | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_left_over(folder)
        number, written = tempfile.mkstemp(".tmp", "entry-", folder)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(written, folder / f"{key}.json")
    except OSError as error:
        if written is not None:
            with contextlib.suppress(OSError):
                os.unlink(written)
        return f"{error.strerror or error}: {folder}"
    return ""


def _remove_left_over(folder: Path) -> None:
    """Removes what processes that were killed have left."""
    oldest = time.time() - _LEFT_OVER_SECONDS
    for path in folder.glob("entry-*.tmp"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
