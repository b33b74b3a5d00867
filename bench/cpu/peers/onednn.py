"""Debian's oneDNN by its primitives, on images and weights in the layouts that these prefer."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from operations import (
    EPSILON,
    Convolution,
    FullyConnected,
    Gelu,
    LayerNorm,
    Operation,
    Pool,
    Product,
    Softmax,
)

from peers import Missing, Way, openblas

__all__ = ["require", "versions", "ways"]

SOURCE = Path(__file__).with_name("onednn_peer.cpp")


def require() -> None:
    """Raises where the library, its headers or a C++ compiler are not installed."""
    _library()


def versions() -> str:
    """Of the library."""
    import solway._onednn_objects as objects

    return f"{objects.version()} of Debian"


def ways(operation: Operation, arrays: Sequence[np.ndarray]) -> list[Way]:
    """The primitive of this operation; of a product also `sgemm`, which prepares nothing."""
    match operation:
        case Convolution(channels, filters, image, kernel, stride, border, groups):
            sizes = (channels, filters, image, kernel, stride, border, groups)
            made = _made("convolution", sizes, arrays)
        case Product(m, n, depth):
            parameters = [arrays[0], np.ascontiguousarray(arrays[1].T)]
            prepared = _way(_made("inner_product", (m, depth, n), parameters), operation)
            return [prepared, openblas.product_by("onednn_sgemm", operation, arrays)]
        case FullyConnected(outputs, inputs):
            made = _made("inner_product", (1, inputs, outputs), arrays)
        case Pool(channels, image, kernel, stride, kind):
            sizes = (channels, image, kernel, stride, int(kind != "largest"))
            made = _made("pool", sizes, arrays)
        case Softmax(rows, columns):
            made = _made("softmax", (rows, columns), arrays)
        case Gelu(rows, columns):
            made = _made("gelu", (rows, columns), arrays)
        case LayerNorm(rows, columns, residual=False):
            parameters = [arrays[0], np.stack(arrays[1:])]
            made = _made("layer_norm", (rows, columns, EPSILON), parameters)
        case _:
            return []
    return [_way(made, operation)]


@cache
def _library() -> ctypes.CDLL:
    """The primitives, compiled for this process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "onednn_peer.so")
        command = ["c++", "-O2", "-std=c++17", "-shared", "-fPIC", str(SOURCE)]
        try:
            subprocess.run(
                [*command, "-ldnnl", "-o", str(path)], check=True, capture_output=True, text=True
            )
        except FileNotFoundError as error:
            raise Missing(str(error)) from None
        except subprocess.CalledProcessError as error:
            raise Missing(error.stderr.split("\n")[0]) from None
        library = ctypes.CDLL(str(path))
    ctypes.CDLL("libgomp.so.1").omp_set_num_threads(1)
    for name in ("run", "destroy"):
        function = getattr(library, name)
        function.argtypes, function.restype = [ctypes.c_void_p], None
    return library


def _made(
    function: str, sizes: Sequence[int | float], arrays: Sequence[np.ndarray]
) -> tuple[int, list[np.ndarray]]:
    """A prepared primitive, and arrays that must live as long as it."""
    make = getattr(_library(), function)
    make.restype = ctypes.c_void_p
    kept = [np.ascontiguousarray(a) for a in arrays]
    numbers = [ctypes.c_float(n) if isinstance(n, float) else ctypes.c_long(n) for n in sizes]
    handle = make(*numbers, *(ctypes.c_void_p(a.ctypes.data) for a in kept))
    if not handle:
        raise RuntimeError(f"oneDNN could not make its {function} of {sizes}")
    return handle, kept


def _way(made: tuple[int, list[np.ndarray]], operation: Operation) -> Way:
    library, (handle, kept) = _library(), made
    of = ctypes.c_void_p(handle)
    shape = operation.result_shape

    def result() -> np.ndarray:
        out = np.zeros(shape, np.float32)
        library.result(of, ctypes.c_void_p(out.ctypes.data))
        return out

    def run(kept: Sequence[np.ndarray] = kept) -> None:
        library.run(of)

    weakref.finalize(run, library.destroy, of)
    return Way("oneDNN", run, result)
