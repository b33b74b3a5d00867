"""OpenBLAS by its C interface."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt

from solway._location import caller
from solway.errors import UnsupportedError

__all__ = ["Gemm"]

_ROW_MAJOR, _NO_TRANSPOSE = 101, 111
_AVX512 = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}


class Gemm:
    """A product of row-major matrices.

    Args:
        routine: "sgemm" or "dgemm".
        threads: that the library may use.
    """

    def __init__(self, routine: str, threads: int) -> None:
        self.name = f"openblas_{routine}"
        self._routine = routine
        self._threads = threads
        self._library = load()

    def report(self) -> tuple[str, str]:
        """Which kernels run, and what the library says of itself."""
        self._library.openblas_get_config.restype = ctypes.c_char_p
        config = self._library.openblas_get_config().decode().strip()
        return f"kernels for {core_name(self._library)}, {self._threads} thread(s)", config

    def run(self, views: Sequence[npt.NDArray[np.generic]]) -> float:
        """Computes into the last array; the seconds of the library's function."""
        a, b, c = views
        (rows, depth), columns = a.shape, b.shape[1]
        self._library.openblas_set_num_threads(self._threads)
        number = ctypes.c_float if self._routine == "sgemm" else ctypes.c_double
        gemm = getattr(self._library, f"cblas_{self._routine}")
        gemm.restype = None
        given = (
            *(ctypes.c_int(n) for n in (_ROW_MAJOR, _NO_TRANSPOSE, _NO_TRANSPOSE)),
            *(ctypes.c_int(n) for n in (rows, columns, depth)),
            number(1),
            *(ctypes.c_void_p(a.ctypes.data), ctypes.c_int(depth)),
            *(ctypes.c_void_p(b.ctypes.data), ctypes.c_int(columns)),
            number(0),
            *(ctypes.c_void_p(c.ctypes.data), ctypes.c_int(columns)),
        )
        start = perf_counter()
        gemm(*given)
        return perf_counter() - start


@cache
def load() -> ctypes.CDLL:
    """The library, loaded once.

    Raises:
        UnsupportedError: it is not installed.
    """
    chosen = "OPENBLAS_CORETYPE" not in os.environ and _AVX512 <= cpu_flags()
    if chosen:
        os.environ["OPENBLAS_CORETYPE"] = "SkylakeX"
    try:
        return ctypes.CDLL("libopenblas.so.0")
    except OSError as error:
        raise UnsupportedError(
            "OpenBLAS is not installed", str(error), "apt install libopenblas0", caller()
        ) from None
    finally:
        if chosen:
            del os.environ["OPENBLAS_CORETYPE"]


def core_name(library: ctypes.CDLL) -> str:
    """The processor that the library's kernels are for."""
    library.openblas_get_corename.restype = ctypes.c_char_p
    name: bytes = library.openblas_get_corename()
    return name.decode()


def cpu_flags() -> set[str]:
    """What this processor can, by Linux's names; nothing elsewhere."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return set()
    found = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    return set(found.group(1).split()) if found else set()
