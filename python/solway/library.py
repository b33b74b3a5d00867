"""Kernels of installed libraries, called like solway's own, to compare with."""

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

from solway import _core
from solway._arguments import Argument
from solway._location import caller
from solway._shown import shown
from solway.errors import ArgumentMismatchError, UnsupportedError
from solway.expr import Tensor
from solway.kernel import Kernel, LastRun, Remark, argument_of, brought

__all__ = ["LibraryKernel", "openblas_dgemm", "openblas_sgemm"]

_ROW_MAJOR, _NO_TRANSPOSE = 101, 111
_AVX512 = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}


class LibraryKernel(Kernel):
    """A matrix product by a library, with the call interface of `Kernel`.

    Attributes:
        last_run: the time of the library's function alone.
    """

    def __init__(self, routine: str, args: Sequence[Tensor], threads: int) -> None:
        self._args = tuple(args)
        self._routine = routine
        self._threads = threads
        self._library = _openblas()
        self.last_run = None

    @property
    def name(self) -> str:
        """The library and its routine."""
        return f"openblas_{self._routine}"

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
        self._library.openblas_get_config.restype = ctypes.c_char_p
        config = self._library.openblas_get_config().decode().strip()
        core = _core_name(self._library)
        return (Remark(self.name, f"kernels for {core}, {self._threads} thread(s)", config),)

    def _run(self, views: Sequence[npt.NDArray[np.generic]]) -> None:
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
        self.last_run = LastRun(perf_counter() - start)


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
    return _gemm("sgemm", "float32", (a, b, c), threads)


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
    return _gemm("dgemm", "float64", (a, b, c), threads)


def _gemm(routine: str, dtype: str, args: Sequence[Tensor], threads: int) -> LibraryKernel:
    where = caller()
    if threads < 1:
        raise ArgumentMismatchError(
            f"{routine} takes at least one thread", f"got {threads}", "pass threads=1", where
        )
    for tensor in args:
        if not isinstance(tensor, Tensor):
            raise ArgumentMismatchError(
                f"{routine} takes tensors",
                f"got {shown(tensor)}",
                "pass two placeholders and their product",
                where,
            )
    for tensor in args:
        if tensor.dtype != dtype:
            other = "openblas_dgemm" if dtype == "float32" else "openblas_sgemm"
            raise ArgumentMismatchError(
                f"openblas_{routine} takes {dtype}",
                f"'{tensor.name}' is {tensor.dtype}",
                f"use {other}" if tensor.dtype in ("float32", "float64") else "cast it",
                where,
            )
    a, b, c = args
    if not _is_product(a._node, b._node, c._node):
        raise ArgumentMismatchError(
            f"'{c.name}' is not the matrix product of '{a.name}' and '{b.name}'",
            f"it is {c._node.body}" if c._node.body is not None else f"'{c.name}' is a placeholder",
            f"define it as sw.sum({a.name}[i, k] * {b.name}[k, j], axis=k) over all of k",
            where,
        )
    return LibraryKernel(routine, args, threads)


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


@cache
def _openblas() -> ctypes.CDLL:
    """The library, loaded once."""
    chosen = "OPENBLAS_CORETYPE" not in os.environ and _AVX512 <= _cpu_flags()
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


def _core_name(library: ctypes.CDLL) -> str:
    library.openblas_get_corename.restype = ctypes.c_char_p
    name: bytes = library.openblas_get_corename()
    return name.decode()


def _cpu_flags() -> set[str]:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return set()
    found = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    return set(found.group(1).split()) if found else set()
