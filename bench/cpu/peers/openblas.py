"""OpenBLAS: Debian's for products, and the one inside NumPy for matrices times vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import solway as sw
from operations import FullyConnected, Operation, Product

from peers import Missing, Way

__all__ = ["product_by", "require", "versions", "ways"]


def require() -> None:
    """Raises where the library is not installed."""
    a = sw.placeholder((1, 1), name="A")
    k = sw.reduce_axis(1, name="k")
    c = sw.compute((1, 1), lambda i, j: sw.sum(a[i, k] * a[k, j], axis=k), name="C")
    try:
        sw.library.openblas_sgemm(a, a, c)
    except sw.UnsupportedError as error:
        raise Missing(error.why) from None


def versions() -> str:
    """Of both."""
    inside = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return (
        f"Debian's libopenblas0; NumPy {np.__version__} with {inside['name']} {inside['version']}"
    )


def ways(operation: Operation, arrays: Sequence[np.ndarray]) -> list[Way]:
    """A product, or a matrix times a vector."""
    match operation:
        case Product():
            return [product_by("openblas_sgemm", operation, arrays)]
        case FullyConnected(outputs, _):
            vector, weights = arrays
            y = np.zeros(outputs, np.float32)
            return [Way("NumPy's OpenBLAS", lambda: np.dot(weights, vector, out=y), lambda: y)]
    return []


def product_by(function: str, operation: Product, arrays: Sequence[np.ndarray]) -> Way:
    """A function of `sw.library`, which prepares nothing."""
    m, n, depth = operation.m, operation.n, operation.depth
    A, B = sw.placeholder((m, depth), name="A"), sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    kernel = getattr(sw.library, function)(A, B, C)
    out = np.zeros((m, n), np.float32)
    return Way(function, lambda: kernel(*arrays, out), lambda: out)
