"""Declared reductions: explicit primitives on their axes may reassociate them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy.typing as npt

from solway import _core
from solway.errors import DslError
from solway.expr import Axis, Expr, Scalar, dtype_name, here, to_node

__all__ = ["max", "min", "prod", "sum"]


def _reduce(op: str, x: Scalar, axis: Axis | Iterable[Axis], dtype: npt.DTypeLike | None) -> Expr:
    where = here()
    axes = [axis] if isinstance(axis, Axis) else axis
    if not isinstance(axes, Iterable):
        axes = [axes]
    cores = []
    for a in axes:
        if not isinstance(a, Axis):
            raise DslError(
                f"{op} needs axes to reduce over",
                f"axis= holds {a!r}",
                "pass axis=k with k = sw.reduce_axis(...)",
                (where.file, where.line, where.text),
            )
        cores.append(a._axis)
    node = to_node(x, where)
    if dtype is not None:
        node = _core.make_cast(node, dtype_name(dtype), where)
    return Expr(_core.make_reduce(op, node, cores, where))


def sum(x: Scalar, axis: Axis | Iterable[Axis], *, dtype: npt.DTypeLike | None = None) -> Expr:
    """The sum of `x` over all values of the axes; over none, 0.

    Args:
        x: the terms; accumulated in x's type, int64 for conditions.
        axis: one reduction axis or several.
        dtype: accumulates in this type instead.

    Returns:
        Expression of the type that is accumulated in.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k), name="B")
        B: float32[4] = [i] sum(A[i, k], axis=k)
    """
    return _reduce("sum", x, axis, dtype)


def prod(x: Scalar, axis: Axis | Iterable[Axis], *, dtype: npt.DTypeLike | None = None) -> Expr:
    """The product of `x` over all values of the axes; over none, 1.

    Args:
        x: the terms; accumulated in x's type, int64 for conditions.
        axis: one reduction axis or several.
        dtype: accumulates in this type instead.

    Returns:
        Expression of the type that is accumulated in.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.prod(A[i, k], axis=k), name="B")
        B: float32[4] = [i] prod(A[i, k], axis=k)
    """
    return _reduce("prod", x, axis, dtype)


def min(x: Scalar, axis: Axis | Iterable[Axis], *, dtype: npt.DTypeLike | None = None) -> Expr:
    """The smallest value of `x` over all values of the axes.

    Over none, it is the largest value of the type, infinity for floats.

    Args:
        x: the terms; accumulated in x's type.
        axis: one reduction axis or several.
        dtype: accumulates in this type instead.

    Returns:
        Expression of the type that is accumulated in.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.
        UnsupportedError: `x` is a condition.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.min(A[i, k], axis=k), name="B")
        B: float32[4] = [i] min(A[i, k], axis=k)
    """
    return _reduce("min", x, axis, dtype)


def max(x: Scalar, axis: Axis | Iterable[Axis], *, dtype: npt.DTypeLike | None = None) -> Expr:
    """The largest value of `x` over all values of the axes.

    Over none, it is the smallest value of the type, minus infinity for floats.

    Args:
        x: the terms; accumulated in x's type.
        axis: one reduction axis or several.
        dtype: accumulates in this type instead.

    Returns:
        Expression of the type that is accumulated in.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.
        UnsupportedError: `x` is a condition.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.max(A[i, k], axis=k), name="B")
        B: float32[4] = [i] max(A[i, k], axis=k)
    """
    return _reduce("max", x, axis, dtype)
