"""Products and convolutions by oneDNN."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from threading import Lock
from time import perf_counter

import numpy as np
import numpy.typing as npt

from solway._convolution import Convolution
from solway._onednn_objects import IMAGE, RESULT, WEIGHTS, Objects, load, require, version

__all__ = ["Convolve", "Gemm"]

_Array = npt.NDArray[np.generic]

_INSTRUCTIONS = {
    0x1: "SSE4.1",
    0x3: "AVX",
    0x7: "AVX2",
    0x27: "AVX-512",
    0x67: "AVX-512 with VNNI",
    0xE7: "AVX-512 with bfloat16",
    0x3E7: "AVX-512 with AMX",
    0x407: "AVX2 with VNNI",
}


class Gemm:
    """A product of row-major matrices of float32.

    Args:
        threads: that the library may use.
    """

    name = "onednn_sgemm"

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._library = load()

    def report(self) -> tuple[str, str]:
        """Which instructions run, and the library's version."""
        found = self._library.dnnl_get_effective_cpu_isa()
        instructions = _INSTRUCTIONS.get(found, f"instruction set {found:#x}")
        return f"{instructions}, {self._threads} thread(s)", version()

    def run(self, views: Sequence[_Array]) -> float:
        """Computes into the last array; the seconds of the library's function."""
        a, b, c = views
        (rows, depth), columns = a.shape, b.shape[1]
        given = (
            *(ctypes.c_char(b"N"), ctypes.c_char(b"N")),
            *(ctypes.c_int64(n) for n in (rows, columns, depth)),
            ctypes.c_float(1),
            *(ctypes.c_void_p(a.ctypes.data), ctypes.c_int64(depth)),
            *(ctypes.c_void_p(b.ctypes.data), ctypes.c_int64(columns)),
            ctypes.c_float(0),
            *(ctypes.c_void_p(c.ctypes.data), ctypes.c_int64(columns)),
        )
        with _at_most(self._threads):
            start = perf_counter()
            status = self._library.dnnl_sgemm(*given)
            seconds = perf_counter() - start
        require(status, "dnnl_sgemm")
        return seconds


class Convolve:
    """A convolution of float32, in the layouts that the library chooses.

    The image and the result change their layout in each call, the weights before it is timed: a
    network has them ready.

    Args:
        geometry: sizes, strides and zeros around the image.
        threads: that the library may use.
    """

    name = "onednn_convolution"

    def __init__(self, geometry: Convolution, threads: int) -> None:
        self._threads = threads
        self._lock = Lock()  # the memories below are those of one call
        with _at_most(threads):
            self._objects = objects = Objects()
            self._desc = objects.convolution(geometry)
            arrays = objects.arrays(geometry)
            image, self._take_image = objects.in_layout_of(self._desc, IMAGE, arrays[0])
            weights, self._take_weights = objects.in_layout_of(self._desc, WEIGHTS, arrays[1])
            result, self._give_result = objects.in_layout_of(self._desc, RESULT, arrays[2])
            used = {IMAGE: image, WEIGHTS: weights, RESULT: result}
            self._convolve = objects.primitive(self._desc, used)
            self._memories = [memory for _, memory in arrays]

    def report(self) -> tuple[str, str]:
        """Which implementation runs, and what its time holds."""
        copies = {"the image": self._take_image, "the result": self._give_result}
        timed = [name for name, copy in copies.items() if copy is not None]
        parts = [self._objects.implementation(self._desc), f"{self._threads} thread(s)"]
        parts += [f"the layout of {' and of '.join(timed)} changes in its time"] if timed else []
        parts += ["that of the weights before"] if self._take_weights is not None else []
        return ", ".join(parts), version()

    def run(self, views: Sequence[_Array]) -> float:
        """Computes into the last array; the seconds of what is timed."""
        with self._lock, _at_most(self._threads):
            for memory, view in zip(self._memories, views, strict=True):
                self._objects.point(memory, view.ctypes.data)
            if self._take_weights is not None:
                self._take_weights()
            start = perf_counter()
            for step in (self._take_image, self._convolve, self._give_result):
                if step is not None:
                    step()
            return perf_counter() - start


@contextmanager
def _at_most(threads: int) -> Iterator[None]:
    """OpenMP, by which the library has its threads, may use so many for what this thread asks."""
    openmp = _openmp()
    before = openmp.omp_get_max_threads()
    openmp.omp_set_num_threads(threads)
    try:
        yield
    finally:
        openmp.omp_set_num_threads(before)


@cache
def _openmp() -> ctypes.CDLL:
    """The OpenMP library that oneDNN is linked with."""
    load()
    return ctypes.CDLL("libgomp.so.1")
