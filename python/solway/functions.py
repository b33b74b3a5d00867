"""Scalar functions of expressions, with NumPy's names and NumPy's results."""

from __future__ import annotations

import numpy.typing as npt

from solway import _core
from solway._location import caller
from solway._shown import shown
from solway.errors import DslError
from solway.expr import Expr, Scalar, binary, dtype_name, here, to_node, unary

__all__ = [
    "abs",
    "absolute",
    "all_of",
    "any_of",
    "bounded",
    "cast",
    "ceil",
    "clip",
    "fabs",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "isfinite",
    "isinf",
    "isnan",
    "logical_not",
    "maximum",
    "minimum",
    "mod",
    "negative",
    "pow",
    "power",
    "reciprocal",
    "remainder",
    "rint",
    "round",
    "select",
    "sign",
    "square",
    "true_divide",
    "trunc",
]


def select(condition: Scalar, if_true: Scalar, if_false: Scalar) -> Expr:
    """`if_true` where `condition` holds, else `if_false`; only the chosen side is computed.

    Reads on a side need to be in bounds only where that side is chosen.

    Args:
        condition: a comparison, or a number that counts as true when it is not 0.
        if_true: value where the condition holds.
        if_false: value elsewhere; both meet in their common type.

    Returns:
        Expression of the common type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.select(i > 0, A[i - 1], 0), name="B")
        B: float32[8] = [i] select(i > 0, A[i - 1], 0.0)
    """
    where = here()
    nodes = [to_node(v, where) for v in (condition, if_true, if_false)]
    return Expr(_core.make_select(nodes[0], nodes[1], nodes[2], where))


def all_of(*conditions: Scalar) -> Expr:
    """True where every condition holds; of none, true.

    Args:
        *conditions: comparisons, or numbers that count as true when they are not 0.

    Returns:
        Condition.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> i = sw.reduce_axis(8, name="i")
        >>> sw.all_of(0 <= i - 1, i < 4)
        i - 1 >= 0 and i < 4
    """
    return _fold("and", conditions, empty=1)


def any_of(*conditions: Scalar) -> Expr:
    """True where some condition holds; of none, false.

    Args:
        *conditions: comparisons, or numbers that count as true when they are not 0.

    Returns:
        Condition.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> i = sw.reduce_axis(8, name="i")
        >>> sw.any_of(i == 0, i == 7)
        i == 0 or i == 7
    """
    return _fold("or", conditions, empty=0)


def _fold(op: str, conditions: tuple[Scalar, ...], *, empty: int) -> Expr:
    where = here()
    result = _core.make_int(empty, "bool", False, where)
    for position, condition in enumerate(conditions):
        node = to_node(condition, where)
        result = node if position == 0 else _core.make_binary(op, result, node, where)
    if result.dtype != "bool":
        result = _core.make_binary(
            op, result, _core.make_int(1 - empty, "bool", False, where), where
        )
    return Expr(result)


def cast(value: Scalar, dtype: npt.DTypeLike) -> Expr:
    """`value` converted to `dtype`, as NumPy converts.

    Args:
        value: any scalar.
        dtype: NumPy name or dtype.

    Returns:
        Expression of element type `dtype`.

    Raises:
        UnsupportedError: an element type that solway does not have.

    Example:
        >>> sw.cast(sw.reduce_axis(8, name="i"), "float64")
        cast(i, float64)
    """
    where = here()
    return Expr(_core.make_cast(to_node(value, where), dtype_name(dtype), where))


def minimum(a: Scalar, b: Scalar) -> Expr:
    """The smaller of two values; NaN if either is.

    Args:
        a: any number.
        b: any number; both meet in their common type.

    Returns:
        Expression of the common type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> sw.minimum(sw.reduce_axis(8, name="i"), 5)
        minimum(i, 5)
    """
    return binary("min", a, b)


def maximum(a: Scalar, b: Scalar) -> Expr:
    """The larger of two values; NaN if either is.

    Args:
        a: any number.
        b: any number; both meet in their common type.

    Returns:
        Expression of the common type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> sw.maximum(sw.reduce_axis(8, name="i"), 5)
        maximum(i, 5)
    """
    return binary("max", a, b)


def clip(value: Scalar, lower: Scalar, upper: Scalar) -> Expr:
    """``minimum(maximum(value, lower), upper)``.

    Args:
        value: any number.
        lower: the smallest result.
        upper: the largest result; all meet in their common type.

    Returns:
        Expression of the common type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> sw.clip(sw.reduce_axis(8, name="i"), 1, 5)
        minimum(maximum(i, 1), 5)
    """
    return binary("min", binary("max", value, lower), upper)


def pow(a: Scalar, b: Scalar) -> Expr:
    """`a` to the power `b`; also written ``a ** b``.

    Args:
        a: any number.
        b: any number; both meet in their common type.

    Returns:
        Expression of the common type.

    Raises:
        DslError: an integer to a negative power.

    Example:
        >>> sw.pow(sw.reduce_axis(8, name="i"), 2)
        i ** 2
    """
    return binary("pow", a, b)


def abs(x: Scalar) -> Expr:
    """The absolute value of `x`; of the smallest integer of a type, itself.

    Args:
        x: any number.

    Returns:
        Expression of x's type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.abs(A[i]), name="B")
        B: float32[8] = [i] abs(A[i])
    """
    return unary("abs", x)


def floor(x: Scalar) -> Expr:
    """The largest integer that is not above `x`; integers are unchanged.

    Args:
        x: any number.

    Returns:
        Expression of x's type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.floor(A[i]), name="B")
        B: float32[8] = [i] floor(A[i])
    """
    return unary("floor", x)


def ceil(x: Scalar) -> Expr:
    """The smallest integer that is not below `x`; integers are unchanged.

    Args:
        x: any number.

    Returns:
        Expression of x's type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.ceil(A[i]), name="B")
        B: float32[8] = [i] ceil(A[i])
    """
    return unary("ceil", x)


def round(x: Scalar) -> Expr:
    """The nearest integer, ties to even; integers are unchanged.

    Args:
        x: any number.

    Returns:
        Expression of x's type; float16 for a condition.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.round(A[i]), name="B")
        B: float32[8] = [i] round(A[i])
    """
    return unary("round", x)


def trunc(x: Scalar) -> Expr:
    """The nearest integer towards zero; integers are unchanged.

    Args:
        x: any number.

    Returns:
        Expression of x's type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.trunc(A[i]), name="B")
        B: float32[8] = [i] trunc(A[i])
    """
    return unary("trunc", x)


def sign(x: Scalar) -> Expr:
    """-1, 0 or 1; NaN of NaN.

    Args:
        x: any number.

    Returns:
        Expression of x's type.

    Raises:
        DslError: `x` is no scalar, or a condition.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.sign(A[i]), name="B")
        B: float32[8] = [i] sign(A[i])
    """
    return unary("sign", x)


def isnan(x: Scalar) -> Expr:
    """Whether `x` is not a number; no integer is.

    Args:
        x: any number.

    Returns:
        Expression of type bool.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.isnan(A[i]), name="B")
        B: bool[8] = [i] isnan(A[i])
    """
    return unary("isnan", x)


def isinf(x: Scalar) -> Expr:
    """Whether `x` is infinite; no integer is.

    Args:
        x: any number.

    Returns:
        Expression of type bool.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.isinf(A[i]), name="B")
        B: bool[8] = [i] isinf(A[i])
    """
    return unary("isinf", x)


def isfinite(x: Scalar) -> Expr:
    """Whether `x` is neither infinite nor NaN.

    Args:
        x: any number.

    Returns:
        Expression of type bool.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.isfinite(A[i]), name="B")
        B: bool[8] = [i] isfinite(A[i])
    """
    return unary("isfinite", x)


def negative(x: Scalar) -> Expr:
    """``-x``.

    Args:
        x: any number.

    Returns:
        Expression of x's type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.negative(A[i]), name="B")
        B: float32[8] = [i] -A[i]
    """
    return unary("-", x)


def square(x: Scalar) -> Expr:
    """``x * x``.

    Args:
        x: any number.

    Returns:
        Expression of x's type; int8 for a condition.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.square(A[i]), name="B")
        B: float32[8] = [i] A[i] * A[i]
    """
    return _composed("square", x)


def reciprocal(x: Scalar) -> Expr:
    """``1 / x``, of integers truncated.

    Args:
        x: any number.

    Returns:
        Expression of x's type; int8 for a condition.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.reciprocal(A[i]), name="B")
        B: float32[8] = [i] 1.0 / A[i]
    """
    return _composed("reciprocal", x)


def logical_not(x: Scalar) -> Expr:
    """Whether `x` is 0 or false.

    Args:
        x: any number.

    Returns:
        Expression of type bool.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.logical_not(A[i]), name="B")
        B: bool[8] = [i] not A[i] != 0.0
    """
    return unary("not", x)


def fmod(a: Scalar, b: Scalar) -> Expr:
    """The remainder of ``a / b`` with the sign of `a`, as C's.

    Args:
        a: a number.
        b: a number; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.fmod(A[i], 2), name="B")
        B: float32[8] = [i] fmod(A[i], 2.0)
    """
    return binary("fmod", a, b)


def remainder(a: Scalar, b: Scalar) -> Expr:
    """The remainder of ``a // b``, with the sign of `b`.

    Args:
        a: a number.
        b: a number; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.remainder(A[i], 2), name="B")
        B: float32[8] = [i] A[i] % 2.0
    """
    return binary("%", a, b)


def floor_divide(a: Scalar, b: Scalar) -> Expr:
    """The quotient rounded down; of integers by 0, 0.

    Args:
        a: a number.
        b: a number; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.floor_divide(A[i], 2), name="B")
        B: float32[8] = [i] A[i] // 2.0
    """
    return binary("//", a, b)


def true_divide(a: Scalar, b: Scalar) -> Expr:
    """The quotient; of integers in float64.

    Args:
        a: a number.
        b: a number; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.true_divide(A[i], 2), name="B")
        B: float32[8] = [i] A[i] / 2.0
    """
    return binary("/", a, b)


def fmin(a: Scalar, b: Scalar) -> Expr:
    """The smaller of both; where one is NaN, the other.

    Args:
        a: a number.
        b: a number; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.fmin(A[i], A[i]), name="B")
        B: float32[8] = [i] select(A[i] <= A[i] or isnan(A[i]), A[i], A[i])
    """
    return select(any_of(binary("<=", a, b), unary("isnan", b)), a, b)


def fmax(a: Scalar, b: Scalar) -> Expr:
    """The larger of both; where one is NaN, the other.

    Args:
        a: a number.
        b: a number; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.fmax(A[i], A[i]), name="B")
        B: float32[8] = [i] select(A[i] >= A[i] or isnan(A[i]), A[i], A[i])
    """
    return select(any_of(binary(">=", a, b), unary("isnan", b)), a, b)


def fabs(x: Scalar) -> Expr:
    """The absolute value as a float.

    Args:
        x: any number; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), dtype="int32", name="A")
        >>> sw.compute((8,), lambda i: sw.fabs(A[i]), name="B")
        B: float64[8] = [i] abs(cast(A[i], float64))
    """
    return _composed("fabs", x)


def rint(x: Scalar) -> Expr:
    """The nearest whole number as a float, halves to even.

    Args:
        x: any number; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), dtype="int32", name="A")
        >>> sw.compute((8,), lambda i: sw.rint(A[i]), name="B")
        B: float64[8] = [i] round(cast(A[i], float64))
    """
    return _composed("rint", x)


def _composed(name: str, x: Scalar) -> Expr:
    where = here()
    return Expr(_core.make_composed(name, to_node(x, where), where))


absolute = abs
mod = remainder
power = pow


def bounded(index: Scalar, begin: int | Expr, end: int | Expr) -> Expr:
    """An index that depends on data, with the promise that ``begin <= index < end``.

    Dependences are those of the whole range. The promise is trusted, unless the kernel is built
    with ``Options(debug=True)``: an index outside reads whatever memory holds there.

    Args:
        index: an integer expression.
        begin: the least index: a number, or affine in sizes.
        end: one past the largest index, likewise.

    Returns:
        Expression of type int64, to be the whole index of a read.

    Raises:
        DslError: `index` is no integer, a bound is neither an integer nor made of sizes, or no
            index is in the range for some values of the sizes.
        UnsupportedError: a bound that is not affine in sizes.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> where = sw.placeholder((4,), "int32", name="where")
        >>> sw.compute((4,), lambda i: A[sw.bounded(where[i], 0, 8)], name="B")
        B: float32[4] = [i] A[bounded(cast(where[i], int64), 0, 8)]
    """
    line = here()
    return Expr(_core.make_bounded(to_node(index, line), _bound(begin), _bound(end), line))


def _bound(bound: int | Expr) -> int | _core.Expr:
    """A number, or an expression of sizes."""
    if isinstance(bound, Expr):
        return bound._node_at(here())
    if not hasattr(bound, "__index__"):
        raise DslError(
            "the bounds of an index that depends on data are integers, or made of sizes",
            f"got {shown(bound)}",
            "pass the extent of what is read",
            caller(),
        )
    return bound.__index__()
