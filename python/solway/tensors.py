"""What makes tensors: placeholders, reduction axes, computes."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable
from typing import TypeAlias, overload

import numpy as np
import numpy.typing as npt

from solway import _core
from solway._bfloat16 import bfloat16_bits
from solway._location import assigned_name, caller
from solway._shown import shown
from solway.errors import DslError
from solway.expr import Axis, Expr, Scalar, Tensor, dtype_name, numpy_dtype, to_node

__all__ = ["compute", "constant", "placeholder", "reduce_axis"]

Extent: TypeAlias = "int | Expr"


def placeholder(
    shape: Extent | Iterable[Extent],
    dtype: npt.DTypeLike = "float32",
    *,
    name: str | None = None,
) -> Tensor:
    """A tensor that the caller of the kernel gives.

    Args:
        shape: extent of each dimension, 0 or more, constant or affine in `size`s.
        dtype: by NumPy name or dtype: floats of 64, 32 and 16 bits, "bfloat16", int64, int32,
            int16, int8, uint8, bool.
        name: an identifier; default the variable that the line assigns.

    Returns:
        Tensor of that shape and type.

    Raises:
        DslError: a negative or fractional extent, a name that is no identifier.
        UnsupportedError: another element type.

    Example:
        >>> sw.placeholder((4, 8), name="A")
        A: float32[4, 8]
    """
    where = caller()
    name = assigned_name(where[2], "placeholder") if name is None else name
    loc = _core.SourceLoc(*where)
    return Tensor(_core.make_placeholder(extents_of(shape, name), dtype_name(dtype), name, loc))


def constant(
    values: npt.ArrayLike, dtype: npt.DTypeLike | None = None, *, name: str | None = None
) -> Tensor:
    """A tensor whose values are known when building; the kernel brings them with it.

    Args:
        values: an array, or nested lists of numbers.
        dtype: of the elements; default that of `values`.
        name: an identifier; default the variable that the line assigns.

    Returns:
        Tensor of that shape and type, which is no argument of the kernel.

    Raises:
        DslError: values that are no array of numbers, a name that is no identifier.
        UnsupportedError: an element type that solway does not have.

    Example:
        >>> W = sw.constant([1.0, 0.5], dtype="float32")
        >>> A = sw.placeholder((2,), name="A")
        >>> B = sw.compute((2,), lambda i: A[i] * W[i], name="B")
        >>> sw.build(sw.create_schedule(B), [A, B]).run(np.ones(2, "float32"))
        array([1. , 0.5], dtype=float32)
    """
    where = caller()
    name = assigned_name(where[2], "constant") if name is None else name
    try:
        given = _elements(values, None if dtype is None else dtype_name(dtype))
    except (ValueError, OverflowError, TypeError) as error:
        raise DslError(
            f"constant '{name}' is no array of numbers",
            str(error),
            "pass an array, or nested lists of numbers that the type holds",
            where,
        ) from None
    array = np.ascontiguousarray(given).reshape(given.shape)
    type_name = dtype_name(array.dtype if dtype is None else dtype)
    loc = _core.SourceLoc(*where)
    return Tensor(_core.make_constant(array.shape, type_name, name, array.tobytes(), loc))


def _elements(values: npt.ArrayLike, type_name: str | None) -> npt.NDArray[np.generic]:
    if type_name is None:
        return np.asarray(values)
    if type_name != "bfloat16":
        return np.asarray(values, dtype=numpy_dtype(type_name))
    given = np.asarray(values)
    if given.dtype == np.uint16 or given.dtype.name == "bfloat16":
        return given.view(np.uint16)
    return bfloat16_bits(given)


def reduce_axis(range: Extent | tuple[Extent, Extent], *, name: str | None = None) -> Axis:
    """An index variable for reductions.

    Args:
        range: ``(begin, end)`` for begin <= value < end, or an extent for ``(0, extent)``; constant
            or affine in `size`s.
        name: an identifier; default the variable that the line assigns.

    Returns:
        Axis over that range.

    Raises:
        DslError: the range ends before it begins, or is not of integers.

    Example:
        >>> k = sw.reduce_axis((0, 16))
        >>> k.name, k.extent
        ('k', 16)
    """
    where = caller()
    name = assigned_name(where[2], "k") if name is None else name
    ends = range if isinstance(range, tuple | list) else (0, range)
    if len(ends) != 2:
        raise DslError(
            f"axis '{name}' needs a range",
            f"got {range!r}",
            "write sw.reduce_axis((begin, end)) or sw.reduce_axis(extent)",
            where,
        )
    begin, end = (_extent(e, f"an end of axis '{name}'") for e in ends)
    return Axis(_core.make_axis(name, True, begin, end, _core.SourceLoc(*where)))


@overload
def compute(
    shape: Extent | Iterable[Extent],
    function: Callable[..., Scalar],
    *,
    name: str | None = None,
    where: Callable[..., Scalar] | None = None,
) -> Tensor: ...


@overload
def compute(
    shape: Extent | Iterable[Extent],
    function: Callable[..., tuple[Scalar, ...] | list[Scalar]],
    *,
    name: str | None = None,
    where: Callable[..., Scalar] | None = None,
) -> tuple[Tensor, ...]: ...


def compute(
    shape: Extent | Iterable[Extent],
    function: Callable[..., Scalar | tuple[Scalar, ...] | list[Scalar]],
    *,
    name: str | None = None,
    where: Callable[..., Scalar] | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """A tensor whose element at each index is an expression of that index.

    Args:
        shape: extent of each dimension, 0 or more, constant or affine in `size`s.
        function: takes one axis per dimension, which get its parameters' names, and returns the
            expression of one element; that expression's type is the tensor's. A tuple of
            expressions makes as many tensors, named ``name_0``, ``name_1``, ..., in one stage.
        name: an identifier; default the variable that the line assigns.
        where: takes the axes and returns an affine condition; elements where it does not hold
            keep what the memory held (`Kernel.run` starts from zeros), and no stage may read them.

    Returns:
        Tensor of that shape, or a tuple of them.

    Raises:
        DslError: the function's parameters do not fit the shape, a read leaves its tensor (with
            one index that goes out), an axis is used where it has no value.
        UnsupportedError: a condition of ``where`` that is not affine.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: A[i] * A[i], name="B")
        B: float32[8] = [i] A[i] * A[i]
    """
    line = caller()
    loc = _core.SourceLoc(*line)
    name = assigned_name(line[2], "compute") if name is None else name
    extents = extents_of(shape, name)
    axes = axes_of(function, extents, name)
    value = function(*(Axis(a) for a in axes))
    domain = domain_of(where, axes, name)
    if value is None or (isinstance(value, tuple | list) and not value):
        raise DslError(
            f"'{name}' has no values",
            f"its function returned {value!r}",
            "return one expression or several",
            line,
        )
    if isinstance(value, tuple | list):
        bodies = [to_node(one, loc) for one in value]
        names = [f"{name}_{n}" for n in range(len(bodies))]
        tensors = _core.make_computes(extents, axes, bodies, names, loc, domain)
        return tuple(Tensor(t) for t in tensors)
    return Tensor(_core.make_compute(extents, axes, to_node(value, loc), name, loc, domain))


def axes_of(
    function: Callable[..., object], extents: list[int | _core.Expr], name: str
) -> list[_core.Axis]:
    """One spatial axis per extent, named like the parameters of `function`.

    Args:
        function: takes one positional parameter per extent.
        extents: of the axes.
        name: of the tensor, for messages.

    Returns:
        The axes, from 0.

    Raises:
        DslError: another number of parameters, a negative extent.

    Example:
        >>> [axis.name for axis in axes_of(lambda i, j: i + j, [4, 8], "C")]
        ['i', 'j']
    """
    loc = _core.SourceLoc(*caller())
    names = _parameter_names(function, len(extents), name)
    return [
        _core.make_axis(n, False, 0, e, loc)
        for n, e in zip(names, extents, strict=True)
        if _positive(e, extents, name)
    ]


def domain_of(
    where: Callable[..., Scalar] | None, axes: list[_core.Axis], name: str
) -> _core.Expr | None:
    """The condition that ``where=`` gives for these axes.

    Args:
        where: the user's function, or None.
        axes: of the stage.
        name: of the tensor, for messages.

    Returns:
        The condition; None without one.

    Raises:
        DslError: another number of parameters.

    Example:
        >>> domain_of(None, [], "C") is None
        True
    """
    if where is None:
        return None
    _parameter_names(where, len(axes), f"where= of {name}")
    return to_node(where(*(Axis(a) for a in axes)), _core.SourceLoc(*caller()))


def _positive(extent: int | _core.Expr, extents: list[int | _core.Expr], name: str) -> bool:
    if not isinstance(extent, int) or extent >= 0:
        return True
    raise DslError(
        f"'{name}' has a negative extent",
        f"its shape is {tuple(extents)}",
        "give extents of 0 or more",
        caller(),
    )


def _integer(value: object, role: str) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise DslError(
            f"{role} is no integer",
            f"got {shown(value)}",
            "give an integer, or a size made by sw.size",
            caller(),
        ) from None
    if not -(2**63) <= number < 2**63:
        raise DslError(
            f"{role} does not fit 64 bits", f"got {number}", "give a smaller one", caller()
        )
    return number


def extents_of(shape: object, name: str) -> list[int | _core.Expr]:
    """The extents that a shape, or one extent, gives.

    Args:
        shape: as the user gave it.
        name: of the tensor, for messages.

    Returns:
        One integer, or expression of sizes, per dimension.

    Raises:
        DslError: what is no integer.

    Example:
        >>> extents_of(8, "A")
        [8]
    """
    if isinstance(shape, Iterable) and not isinstance(shape, str):
        return [_extent(e, f"an extent of '{name}'") for e in shape]
    return [_extent(shape, f"the extent of '{name}'")]


def _extent(value: object, role: str) -> int | _core.Expr:
    """A number, or an expression of sizes."""
    if isinstance(value, Expr):
        return value._node_at(_core.SourceLoc(*caller()))
    return _integer(value, role)


def _parameter_names(function: Callable[..., object], rank: int, name: str) -> list[str]:
    """The names of the axes: one positional parameter each, or ``*index`` for ``index0``, ..."""
    if not callable(function):
        raise DslError(
            f"'{name}' needs a function of its axes",
            f"got {shown(function)}",
            "pass a lambda that returns the expression of one element: lambda i: A[i]",
            caller(),
        )
    given = inspect.signature(function).parameters.values()
    parameters = [p for p in given if p.default is p.empty]
    if len(parameters) == 1 and parameters[0].kind is inspect.Parameter.VAR_POSITIONAL:
        return [f"{parameters[0].name}{d}" for d in range(rank)]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [p.name for p in parameters if p.kind in positional]
    if len(names) != rank:
        raise DslError(
            f"'{name}' needs one parameter per dimension",
            f"its function takes {len(names)} ({', '.join(names)}), its shape has rank {rank}",
            f"give the function {rank} parameters",
            caller(),
        )
    return names
