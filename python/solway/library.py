"""Kernels of installed libraries, called like solway's own, to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from solway import _core, _onednn, _openblas
from solway._arguments import Argument
from solway._convolution import convolution_of
from solway._location import caller
from solway._shown import shown
from solway.errors import ArgumentMismatchError
from solway.expr import Tensor
from solway.kernel import Kernel, LastRun, Remark, argument_of, brought

__all__ = [
    "LibraryKernel",
    "onednn_convolution",
    "onednn_sgemm",
    "openblas_dgemm",
    "openblas_sgemm",
]


class _Routine(Protocol):
    """What a library does with arrays."""

    @property
    def name(self) -> str:
        """The library and its function."""

    def report(self) -> tuple[str, str]:
        """What runs, and the library's own words of itself."""

    def run(self, views: Sequence[npt.NDArray[np.generic]]) -> float:
        """Computes into the last array; the seconds that it took."""


class LibraryKernel(Kernel):
    """A function of a library, with the call interface of `Kernel`.

    Attributes:
        last_run: the time of the library's function alone.
    """

    def __init__(self, routine: _Routine, args: Sequence[Tensor]) -> None:
        self._args = tuple(args)
        self._routine = routine
        self.last_run = None

    @property
    def name(self) -> str:
        """The library and its function."""
        return self._routine.name

    @property
    def target(self) -> str:
        """This machine."""
        return "host"

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Name, shape, dtype and role of each argument, in order."""
        roles = ["in" if t._node.body is None else "out" for t in self._args]
        return tuple(
            argument_of(tensor, role, brought(tensor, ()))
            for tensor, role in zip(self._args, roles, strict=True)
        )

    @property
    def source(self) -> dict[str, str]:
        """Empty: nothing is generated."""
        return {}

    @property
    def ir(self) -> str:
        """Empty: nothing is lowered."""
        return ""

    def report(self) -> tuple[Remark, ...]:
        """Which library runs, with which instruction set and how many threads."""
        return (Remark(self.name, *self._routine.report()),)

    def _has_threads(self) -> bool:
        return False  # the library has its own, as many as the function was made with

    def _run(self, views: Sequence[npt.NDArray[np.generic]], threads: int) -> None:
        self.last_run = LastRun(self._routine.run(views))


def openblas_sgemm(a: Tensor, b: Tensor, c: Tensor, *, threads: int = 1) -> LibraryKernel:
    """The matrix product in float32 by OpenBLAS.

    Where the machine has AVX-512 and OPENBLAS_CORETYPE is not set, the library is loaded with
    OPENBLAS_CORETYPE=SkylakeX: older releases take kernels of half the width on processors that
    they do not know. `report()` of the kernel names what runs.

    Args:
        a: shape (M, K), float32.
        b: shape (K, N), float32.
        c: ``sw.sum(a[i, k] * b[k, j], axis=k)``, shape (M, N).
        threads: that the library may use.

    Returns:
        A kernel to call with the arrays of a, b and c.

    Raises:
        ArgumentMismatchError: the tensors are no matrix product, or of another type.
        UnsupportedError: the library is not installed.

    Example:
        >>> A, B = sw.placeholder((2, 3), name="A"), sw.placeholder((3, 2), name="B")
        >>> k = sw.reduce_axis(3, name="k")
        >>> C = sw.compute((2, 2), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
        >>> product = sw.library.openblas_sgemm(A, B, C)
        >>> product.run(np.ones((2, 3), "float32"), np.ones((3, 2), "float32"))
        array([[3., 3.],
               [3., 3.]], dtype=float32)
    """
    _require_product("sgemm", "openblas_sgemm", (a, b, c), threads)
    return LibraryKernel(_openblas.Gemm("sgemm", threads), (a, b, c))


def openblas_dgemm(a: Tensor, b: Tensor, c: Tensor, *, threads: int = 1) -> LibraryKernel:
    """The matrix product in float64 by OpenBLAS; otherwise as `openblas_sgemm`.

    Args:
        a: shape (M, K), float64.
        b: shape (K, N), float64.
        c: ``sw.sum(a[i, k] * b[k, j], axis=k)``, shape (M, N).
        threads: that the library may use.

    Returns:
        A kernel to call with the arrays of a, b and c.

    Raises:
        ArgumentMismatchError: the tensors are no matrix product, or of another type.
        UnsupportedError: the library is not installed.
    """
    _require_product("dgemm", "openblas_dgemm", (a, b, c), threads, "float64")
    return LibraryKernel(_openblas.Gemm("dgemm", threads), (a, b, c))


def onednn_sgemm(a: Tensor, b: Tensor, c: Tensor, *, threads: int = 1) -> LibraryKernel:
    """The matrix product in float32 by oneDNN.

    Args:
        a: shape (M, K), float32.
        b: shape (K, N), float32.
        c: ``sw.sum(a[i, k] * b[k, j], axis=k)``, shape (M, N).
        threads: that the library may use.

    Returns:
        A kernel to call with the arrays of a, b and c.

    Raises:
        ArgumentMismatchError: the tensors are no matrix product, or of another type.
        UnsupportedError: the library is not installed.
    """
    _require_product("sgemm", "onednn_sgemm", (a, b, c), threads)
    return LibraryKernel(_onednn.Gemm(threads), (a, b, c))


def onednn_convolution(a: Tensor, w: Tensor, c: Tensor, *, threads: int = 1) -> LibraryKernel:
    """The convolution of images in float32 by oneDNN.

    Stride, dilation and zeros around the image are read off `c`, whose zeros may be a stage of
    their own or a `select` in the sum. The library works in layouts that it chooses: laying out the
    weights is not part of the time, as networks have them ready; the copies of the image and of the
    result are. `report()` of the kernel says which of these there are, and what runs.

    Args:
        a: shape (N, channels, rows, columns), or without N, float32.
        w: shape (filters, channels, rows, columns), float32.
        c: ``sw.sum(a[n, k, y*s + r, x*s + q] * w[f, k, r, q], axis=(k, r, q))``.
        threads: that the library may use.

    Returns:
        A kernel to call with the arrays of a, w and c.

    Raises:
        ArgumentMismatchError: the tensors are no convolution, or of another type.
        UnsupportedError: the library is not installed.

    Example:
        >>> A, W = sw.placeholder((1, 4, 4), name="A"), sw.placeholder((1, 1, 3, 3), name="W")
        >>> k = sw.reduce_axis(1, name="k")
        >>> r, q = (sw.reduce_axis(3, name=name) for name in "rq")
        >>> C = sw.compute(
        ...     (1, 2, 2),
        ...     lambda f, y, x: sw.sum(A[k, y + r, x + q] * W[f, k, r, q], axis=(k, r, q)),
        ...     name="C",
        ... )
        >>> convolution = sw.library.onednn_convolution(A, W, C)
        >>> convolution.run(np.ones((1, 4, 4), "float32"), np.ones((1, 1, 3, 3), "float32"))
        array([[[9., 9.],
                [9., 9.]]], dtype=float32)
    """
    where = caller()
    _require_tensors(
        "onednn_convolution", "an image, weights and their convolution", (a, w, c), threads
    )
    for tensor in (a, w, c):
        if tensor.dtype != "float32":
            raise ArgumentMismatchError(
                "onednn_convolution takes float32",
                f"'{tensor.name}' is {tensor.dtype}",
                "cast it",
                where,
            )
    geometry = convolution_of(a._node, w._node, c._node)
    if geometry is None:
        raise ArgumentMismatchError(
            f"'{c.name}' is not the convolution of '{a.name}' and '{w.name}'",
            _definition(c),
            f"define it as sw.sum({a.name}[k, y*s + r, x*s + q] * {w.name}[f, k, r, q], "
            "axis=(k, r, q)) over all of k, r and q",
            where,
        )
    return LibraryKernel(_onednn.Convolve(geometry, threads), (a, w, c))


def _require_tensors(name: str, wanted: str, args: Sequence[Tensor], threads: int) -> None:
    where = caller()
    if threads < 1:
        raise ArgumentMismatchError(
            f"{name} takes at least one thread", f"got {threads}", "pass threads=1", where
        )
    for tensor in args:
        if not isinstance(tensor, Tensor):
            raise ArgumentMismatchError(
                f"{name} takes tensors", f"got {shown(tensor)}", f"pass {wanted}", where
            )


def _require_product(
    routine: str, name: str, args: Sequence[Tensor], threads: int, dtype: str = "float32"
) -> None:
    where = caller()
    _require_tensors(routine, "two placeholders and their product", args, threads)
    for tensor in args:
        if tensor.dtype != dtype:
            other = "openblas_dgemm" if dtype == "float32" else "openblas_sgemm"
            raise ArgumentMismatchError(
                f"{name} takes {dtype}",
                f"'{tensor.name}' is {tensor.dtype}",
                f"use {other}" if tensor.dtype in ("float32", "float64") else "cast it",
                where,
            )
    a, b, c = args
    if not _is_product(a._node, b._node, c._node):
        raise ArgumentMismatchError(
            f"'{c.name}' is not the matrix product of '{a.name}' and '{b.name}'",
            _definition(c),
            f"define it as sw.sum({a.name}[i, k] * {b.name}[k, j], axis=k) over all of k",
            where,
        )


def _definition(c: Tensor) -> str:
    """What a tensor is, for a message."""
    return f"it is {c._node.body}" if c._node.body is not None else f"'{c.name}' is a placeholder"


def _is_product(a: _core.Tensor, b: _core.Tensor, c: _core.Tensor) -> bool:
    """True for c[i, j] = sum over all k of a[i, k] * b[k, j], whichever factor is first."""
    body = c.body
    if body is None or body.kind != "reduce" or body.op != "sum" or len(body.axes) != 1:
        return False
    if len(a.shape) != 2 or len(b.shape) != 2 or len(c.axis) != 2:
        return False
    (k,), (i, j) = body.axes, c.axis
    factors = body.operands[0]
    if factors.kind != "binary" or factors.op != "*":
        return False
    reads = {read.tensor: [index.axis for index in read.operands] for read in factors.operands}
    whole = (k.begin, k.end) == (0, a.shape[1]) and list(c.shape) == [a.shape[0], b.shape[1]]
    return whole and reads == {a: [i, k], b: [k, j]}
