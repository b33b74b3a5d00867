"""Tensors whose elements depend on earlier ones: recurrences, and updates in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy.typing as npt

from solway import _core
from solway._location import assigned_name, caller
from solway.errors import DslError
from solway.expr import Axis, Scalar, Tensor, dtype_name, to_node
from solway.tensors import axes_of, domain_of, extents_of

__all__ = ["recurrence", "update"]


def recurrence(
    shape: int | Iterable[int],
    function: Callable[..., Scalar],
    dtype: npt.DTypeLike = "float32",
    *,
    name: str | None = None,
    where: Callable[..., Scalar] | None = None,
) -> Tensor:
    """A tensor whose elements are computed in lexicographic order, each from earlier ones.

    Time-stepped stencils, scans, substitution. The order is what the elements mean; a schedule may
    run them in any other order that keeps the dependences.

    Args:
        shape: extent of each dimension, 0 or more.
        function: takes the tensor itself, then one axis per dimension, and returns the expression
            of one element. What it reads of the tensor itself must come earlier in lexicographic
            order; conditions of ``select`` count. Reductions over earlier elements are allowed.
        dtype: the element type; the value is converted to it within NumPy's "same_kind".
        name: an identifier; default the variable that the line assigns.
        where: as for `compute`; what the function reads of the tensor itself must lie in it.

    Returns:
        Tensor of that shape and type.

    Raises:
        DslError: a read of an element that does not come earlier (with one index), one that leaves
            its tensor, a function whose parameters do not fit the shape.
        UnsupportedError: an index or a domain that is not affine.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> S = sw.recurrence((8,), lambda S, i: A[i] + sw.select(i > 0, S[i - 1], 0), name="S")
        >>> S
        S: float32[8] = [i] A[i] + select(i > 0, S[i - 1], 0.0)
    """
    line = caller()
    loc = _core.SourceLoc(*line)
    name = assigned_name(line[2], "recurrence") if name is None else name
    extents = extents_of(shape, name)
    self = _core.make_self(extents, dtype_name(dtype), name, loc)
    axes = axes_of(_without_first(function, name), extents, name)
    value = function(Tensor(self), *(Axis(a) for a in axes))
    domain = domain_of(where, axes, name)
    return Tensor(_core.make_recurrence(self, axes, to_node(value, loc), domain, loc))


def update(
    tensor: Tensor,
    box: int | Iterable[int],
    index: Callable[..., Scalar | tuple[Scalar, ...]],
    value: Callable[..., Scalar],
    where: Callable[..., Scalar] | None = None,
    name: str | None = None,
) -> Tensor:
    """A tensor changed in place, step by step: Gauss-Seidel, LU, Cholesky, Floyd-Warshall.

    Args:
        tensor: what changes. Stages that read it and were defined before read what it held before;
            nothing that is defined after may read it, but the result. A placeholder changes in the
            caller's array.
        box: extents of the steps, which run in lexicographic order.
        index: takes one axis per extent and returns the element that a step stores, one affine
            expression per dimension of `tensor`. Several steps may store one element.
        value: takes the same axes and returns what a step stores. `tensor` inside it is the
            contents at that step.
        where: takes the same axes and returns an affine condition: the steps that run.
        name: an identifier; default the variable that the line assigns.

    Returns:
        The contents after all steps: a tensor in the memory of `tensor`.

    Raises:
        DslError: an index outside `tensor` (with one step), a read outside a tensor, a tensor that
            another update changed already.
        UnsupportedError: an index or a domain that is not affine.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> half = lambda t, i: (A[i] + A[i + 2]) / 2
        >>> B = sw.update(A, (10, 6), lambda t, i: i + 1, half, name="B")
        >>> B
        B: float32[8] = [t, i] A[i + 1] <- (A[i] + A[i + 2]) / 2.0
    """
    line = caller()
    loc = _core.SourceLoc(*line)
    if not isinstance(tensor, Tensor):
        raise DslError(
            "update changes a tensor",
            f"got {tensor!r}",
            "pass a placeholder or a computed tensor",
            line,
        )
    name = _update_name(tensor, line[2]) if name is None else name
    extents = extents_of(box, name)
    axes = axes_of(index, extents, name)
    place = index(*(Axis(a) for a in axes))
    indices = place if isinstance(place, tuple | list) else (place,)
    axes_of(value, extents, name)  # checks the number of its parameters
    stored = value(*(Axis(a) for a in axes))
    nodes = [to_node(i, loc) for i in indices]
    domain = domain_of(where, axes, name)
    return Tensor(
        _core.make_update(tensor._node, axes, nodes, to_node(stored, loc), domain, name, loc)
    )


def _update_name(tensor: Tensor, line: str) -> str:
    """The variable that the line assigns, unless an earlier version has its name."""
    taken = [tensor.name]
    node = tensor._node
    while node.base is not None:
        node = node.base
        taken.append(node.name)
    name = assigned_name(line, "")
    number = len(taken)
    while not name or name in taken:
        name = f"{node.name}_{number}"
        number += 1
    return name


def _without_first(function: Callable[..., Scalar], name: str) -> Callable[..., Scalar]:
    """The function with its first parameter, the tensor itself, bound."""
    import functools
    import inspect

    parameters = list(inspect.signature(function).parameters.values())
    if (parameters and parameters[0].kind is inspect.Parameter.VAR_POSITIONAL) or not parameters:
        raise DslError(
            f"'{name}' needs a function of itself and its axes",
            "its function has no parameter for the tensor itself",
            f"write lambda {name}, i, ...: ...",
            caller(),
        )
    return functools.partial(function, None)
