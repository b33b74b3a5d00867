"""Arrays that lie against pages which nobody may read: one byte too far ends the process."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os

import numpy as np

PAGE = mmap.PAGESIZE
NO_ACCESS, READ_WRITE = 0, 3  # PROT_NONE, PROT_READ | PROT_WRITE
SIDES = ("after", "before")

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


class _Region:
    """Pages with an unreadable one on each side, as long as an array uses them."""

    def __init__(self, shape, dtype, side):
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        inside = -(-size // PAGE) * PAGE
        self._length = inside + 2 * PAGE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self._begin = _libc.mmap(None, self._length, NO_ACCESS, flags, -1, 0)
        if self._begin == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "mmap")
        begin = self._begin + PAGE
        if inside and _libc.mprotect(begin, inside, READ_WRITE) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
        self.__array_interface__ = {
            "version": 3,
            "shape": tuple(shape),
            "typestr": dtype.str,
            "data": (begin + (inside - size if side == "after" else 0), False),
        }

    def __del__(self):
        _libc.munmap(self._begin, self._length)


def guarded(array, side="after"):
    """A copy of `array` without a gap to an unreadable page.

    Args:
        array: of any layout; the copy is C-contiguous.
        side: "after" or "before": where the page is that lies against it. On the other side
            there is one too, but behind what is left of a page.
    """
    given = np.asarray(array)
    out = np.asarray(_Region(given.shape, given.dtype, side))
    out[...] = given
    return out


@contextlib.contextmanager
def guard_of_emulated(side):
    """On which side of the arguments the program of an emulated processor has its guard page."""
    before = os.environ.get("SOLWAY_GUARD")
    os.environ["SOLWAY_GUARD"] = side
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOLWAY_GUARD"]
        else:
            os.environ["SOLWAY_GUARD"] = before
