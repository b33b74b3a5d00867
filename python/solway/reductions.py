"""Declared reductions: explicit primitives on their axes may reassociate them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, Union

import numpy.typing as npt

from solway import _core
from solway._location import caller
from solway.errors import DslError
from solway.expr import Axis, Expr, Scalar, dtype_name, here, to_node

__all__ = ["Reducer", "all", "any", "argmax", "argmin", "max", "min", "prod", "reducer", "sum"]

_Values: TypeAlias = Union[Scalar, tuple[Scalar, ...]]  # noqa: UP007 - Scalar is a string


def _axes(name: str, axis: Axis | Iterable[Axis], where: _core.SourceLoc) -> list[_core.Axis]:
    axes = [axis] if isinstance(axis, Axis) else axis
    if not isinstance(axes, Iterable):
        axes = [axes]
    cores = []
    for a in axes:
        if not isinstance(a, Axis):
            raise DslError(
                f"{name} needs axes to reduce over",
                f"axis= holds {a!r}",
                "pass axis=k with k = sw.reduce_axis(...)",
                (where.file, where.line, where.text),
            )
        cores.append(a._axis)
    return cores


def _reduce(
    op: str,
    x: Scalar,
    axis: Axis | Iterable[Axis],
    dtype: npt.DTypeLike | None,
    condition: Scalar | None,
) -> Expr:
    where = here()
    cores = _axes(op, axis, where)
    node = to_node(x, where)
    if dtype is not None:
        node = _core.make_cast(node, dtype_name(dtype), where)
    if condition is not None:
        node = _core.make_terms_where(op, node, to_node(condition, where), where)
    reduced = _core.make_reduce(op, node, cores, where)
    return Expr(reduced)


def sum(
    x: Scalar,
    axis: Axis | Iterable[Axis],
    *,
    dtype: npt.DTypeLike | None = None,
    where: Scalar | None = None,
) -> Expr:
    """The sum of `x` over all values of the axes; over none, 0.

    Args:
        x: the terms; accumulated in x's type, int64 for conditions. float16 and bfloat16 are
            accumulated in float32 and rounded once, at the end. Each term is rounded to its own
            type before: ``sw.sum(sw.cast(A[k], "float32") * B[k], axis=k)`` adds exact products.
        axis: one reduction axis or several.
        dtype: accumulates in this type instead.
        where: a condition; terms for which it does not hold are left out, and need not lie in
            bounds. Affine ones take no time: the loops run over the others alone.

    Returns:
        Expression of the type of the terms, int64 for conditions, or of `dtype`.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k), name="B")
        B: float32[4] = [i] sum(A[i, k], axis=k)
        >>> sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k, where=k <= i), name="L")
        L: float32[4] = [i] sum(select(k <= i, A[i, k], 0.0), axis=k)
    """
    return _reduce("sum", x, axis, dtype, where)


def prod(
    x: Scalar,
    axis: Axis | Iterable[Axis],
    *,
    dtype: npt.DTypeLike | None = None,
    where: Scalar | None = None,
) -> Expr:
    """The product of `x` over all values of the axes; over none, 1.

    Args:
        x: the terms; accumulated in x's type, int64 for conditions, float32 with one rounding at
            the end for float16 and bfloat16.
        axis: one reduction axis or several.
        dtype: accumulates in this type instead.
        where: a condition; terms for which it does not hold are left out, and need not lie in
            bounds. Affine ones take no time: the loops run over the others alone.

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
    return _reduce("prod", x, axis, dtype, where)


def min(
    x: Scalar,
    axis: Axis | Iterable[Axis],
    *,
    dtype: npt.DTypeLike | None = None,
    where: Scalar | None = None,
) -> Expr:
    """The smallest value of `x` over all values of the axes.

    Over none, it is the largest value of the type, infinity for floats.

    Args:
        x: the terms; accumulated in x's type.
        axis: one reduction axis or several.
        dtype: accumulates in this type instead.
        where: a condition; terms for which it does not hold are left out, and need not lie in
            bounds. Affine ones take no time: the loops run over the others alone.

    Returns:
        Expression of the type that is accumulated in.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.min(A[i, k], axis=k), name="B")
        B: float32[4] = [i] min(A[i, k], axis=k)
    """
    return _reduce("min", x, axis, dtype, where)


def max(
    x: Scalar,
    axis: Axis | Iterable[Axis],
    *,
    dtype: npt.DTypeLike | None = None,
    where: Scalar | None = None,
) -> Expr:
    """The largest value of `x` over all values of the axes.

    Over none, it is the smallest value of the type, minus infinity for floats.

    Args:
        x: the terms; accumulated in x's type.
        axis: one reduction axis or several.
        dtype: accumulates in this type instead.
        where: a condition; terms for which it does not hold are left out, and need not lie in
            bounds. Affine ones take no time: the loops run over the others alone.

    Returns:
        Expression of the type that is accumulated in.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.max(A[i, k], axis=k), name="B")
        B: float32[4] = [i] max(A[i, k], axis=k)
    """
    return _reduce("max", x, axis, dtype, where)


def any(x: Scalar, axis: Axis | Iterable[Axis], *, where: Scalar | None = None) -> Expr:
    """Whether some `x` holds; of none, false.

    Args:
        x: conditions, or numbers that count as true when they are not 0.
        axis: one reduction axis or several.
        where: a condition; terms for which it does not hold are left out.

    Returns:
        Expression of type bool.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.any(A[i, k] > 0, axis=k), name="B")
        B: bool[4] = [i] any(A[i, k] > 0.0, axis=k)
    """
    return _reduce("any", x, axis, None, where)


def all(x: Scalar, axis: Axis | Iterable[Axis], *, where: Scalar | None = None) -> Expr:
    """Whether every `x` holds; of none, true.

    Args:
        x: conditions, or numbers that count as true when they are not 0.
        axis: one reduction axis or several.
        where: a condition; terms for which it does not hold are left out.

    Returns:
        Expression of type bool.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.all(A[i, k] > 0, axis=k), name="B")
        B: bool[4] = [i] all(A[i, k] > 0.0, axis=k)
    """
    return _reduce("all", x, axis, None, where)


def argmin(x: Scalar, axis: Axis | Iterable[Axis]) -> Expr:
    """The position of the first smallest `x`, NaN being the smallest.

    Over several axes it counts in row-major order; each axis counts from 0.

    Args:
        x: the values.
        axis: one reduction axis or several.

    Returns:
        Expression of type int64.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice, or has no values.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.argmin(A[i, k], axis=k), name="B")
        B: int64[4] = [i] argmin(A[i, k], axis=k)
    """
    where = here()
    cores = _axes("argmin", axis, where)
    return Expr(_core.make_arg_reduce(False, to_node(x, where), cores, where))


def argmax(x: Scalar, axis: Axis | Iterable[Axis]) -> Expr:
    """The position of the first largest `x`, NaN being the largest.

    Over several axes it counts in row-major order; each axis counts from 0.

    Args:
        x: the values.
        axis: one reduction axis or several.

    Returns:
        Expression of type int64.

    Raises:
        DslError: an axis that is not made by `reduce_axis`, or is named twice, or has no values.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> sw.compute((4,), lambda i: sw.argmax(A[i, k], axis=k), name="B")
        B: int64[4] = [i] argmax(A[i, k], axis=k)
    """
    where = here()
    cores = _axes("argmax", axis, where)
    return Expr(_core.make_arg_reduce(True, to_node(x, where), cores, where))


_HALVES = ("float16", "bfloat16")


class Reducer:
    """A reduction with a combine function of one's own. Made by `reducer`."""

    def __init__(
        self,
        name: str,
        combine: Callable[..., _Values],
        identity: _Values,
        commutative: bool,
    ) -> None:
        self._name = name
        self._combine = combine
        self._identity = identity if isinstance(identity, tuple) else (identity,)
        self._is_tuple = isinstance(identity, tuple)
        self._commutative = commutative

    def __call__(
        self, x: _Values, axis: Axis | Iterable[Axis], *, dtype: npt.DTypeLike | None = None
    ) -> Expr | tuple[Expr, ...]:
        """Combines `x` over all values of the axes, beginning with the identity.

        Args:
            x: the terms, or a tuple of several terms.
            axis: one reduction axis or several.
            dtype: of all accumulated values; default each term's type. float16 and bfloat16 are
                accumulated in float32 and rounded once, at the end.

        Returns:
            Expression of the combined value; for a tuple, a tuple of them.

        Raises:
            DslError: another number of terms than the identity has, a combine function of more
                than its parameters.
        """
        where = here()
        cores = _axes(self._name, axis, where)
        values = x if isinstance(x, tuple) else (x,)

        def counted(given: tuple[Scalar, ...]) -> str:
            return f"{len(given)} value{'' if len(given) == 1 else 's'}"

        if len(values) != len(self._identity) or isinstance(x, tuple) != self._is_tuple:
            raise DslError(
                f"'{self._name}' does not fit its values",
                f"its identity has {counted(self._identity)}, it got {counted(values)}",
                "pass as many terms as the identity has",
                (where.file, where.line, where.text),
            )
        terms = [to_node(value, where) for value in values]
        if dtype is not None:
            terms = [_core.make_cast(term, dtype_name(dtype), where) for term in terms]
        own = [term.dtype for term in terms]
        types = ["float32" if t in _HALVES and dtype is None else t for t in own]
        terms = [
            term if t == term.dtype else _core.make_cast(term, t, where)
            for term, t in zip(terms, types, strict=True)
        ]
        params = [
            Expr(_core.make_param(n, dtype, where)) for n, dtype in enumerate([*types, *types])
        ]
        a, b = tuple(params[: len(terms)]), tuple(params[len(terms) :])
        combined = self._combine(a, b) if self._is_tuple else self._combine(a[0], b[0])
        results = combined if isinstance(combined, tuple | list) else (combined,)
        nodes = _core.make_reducer(
            self._name,
            [to_node(value, where) for value in self._identity],
            [to_node(result, where) for result in results],
            self._commutative,
            terms,
            cores,
            where,
        )
        nodes = [
            node if t == node.dtype else _core.make_cast(node, t, where)
            for node, t in zip(nodes, own, strict=True)
        ]
        return tuple(Expr(node) for node in nodes) if self._is_tuple else Expr(nodes[0])


def reducer(
    combine: Callable[..., _Values],
    identity: _Values,
    commutative: bool = True,
    *,
    name: str = "reducer",
) -> Reducer:
    """A reduction with a combine function of one's own.

    Args:
        combine: takes what is accumulated and one term, values or tuples of values, and returns
            their combination, made of these alone. It must be associative.
        identity: the value, or the tuple of values, that leaves every other unchanged.
        commutative: whether terms may be combined in any order; otherwise they keep their order.
        name: what the reduction prints as.

    Returns:
        What reduces: call it with the terms and ``axis=``.

    Raises:
        DslError: `combine` is no function; others when it is called, see `Reducer`.

    Example:
        >>> A = sw.placeholder((4, 8), "int32", name="A")
        >>> k = sw.reduce_axis(8, name="k")
        >>> largest = sw.reducer(lambda a, b: sw.maximum(a, b), 0, name="largest")
        >>> sw.compute((4,), lambda i: largest(A[i, k], axis=k), name="B")
        B: int32[4] = [i] largest(A[i, k], axis=k)
    """
    if name in __all__ and name != "reducer":
        raise DslError(
            f"a reducer named '{name}'",
            f"sw.{name} is another reduction",
            "choose another name=",
            caller(),
        )
    if not callable(combine):
        raise DslError(
            f"reducer '{name}' has no function that combines",
            f"got {combine!r}",
            "pass a function of what is accumulated and one term: lambda a, b: ...",
            caller(),
        )
    return Reducer(name, combine, identity, commutative)
