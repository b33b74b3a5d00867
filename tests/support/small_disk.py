"""A disk of a few pages, to be full."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess

import pytest


class SmallDisk:
    """A file system in memory with a size of its own.

    Args:
        folder: where it is mounted.
    """

    def __init__(self, folder):
        self.folder = folder
        self._ballast = folder / "ballast"

    def leave(self, size):
        """Fills it, but for `size` bytes, rounded up to pages."""
        with contextlib.suppress(FileNotFoundError):
            self._ballast.unlink()
        with self._ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        left = os.path.getsize(self._ballast) - size // 4096 * 4096
        os.truncate(self._ballast, max(left, 0))


@contextlib.contextmanager
def small_disk(folder, options):
    """Mounts one; skips the test where that is not allowed.

    Args:
        folder: a new one.
        options: of tmpfs: "size=256k".
    """
    folder.mkdir()
    if shutil.which("mount") is None:
        pytest.skip("there is no program 'mount'")
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"a small file system cannot be mounted: {done.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
