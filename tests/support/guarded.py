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
UNTOUCHED = 0x5A  # each byte of an output before a call

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


def untouched(shape, dtype, side="after"):
    """Such an array for an output, full of bytes that no result is made of."""
    out = guarded(np.empty(shape, dtype), side)
    out.reshape(-1).view(np.uint8)[...] = UNTOUCHED
    return out


class GuardedKernel:
    """A kernel of this machine whose `run` gives the same bits on guarded arrays of both sides.

    Args:
        kernel: what is run; all but `run` is its own.
    """

    def __init__(self, kernel):
        self._kernel = kernel

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def run(self, *arrays, **options):
        results = self._kernel.run(*arrays, **options)
        outputs = results if isinstance(results, tuple) else (results,)
        for side in SIDES:
            for found, right in zip(self._on(side, arrays, outputs, options), outputs, strict=True):
                assert found.tobytes() == right.tobytes(), f"with a page {side}: {found}\n{right}"
        return results

    def _on(self, side, arrays, outputs, options):
        """The outputs of a call whose arrays lie against unreadable pages."""
        given, like = iter(arrays), iter(outputs)
        called, written = [], []
        for argument in self._kernel.arguments:
            right = next(like) if argument.is_written else None
            if argument.is_read:
                called.append(guarded(next(given), side))
            else:
                called.append(untouched(right.shape, right.dtype, side))
            if argument.is_written:
                written.append(called[-1])
        self._kernel(*called, **options)
        return written


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
