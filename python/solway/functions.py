"""Scalar functions of expressions, with NumPy's names and NumPy's results."""

from __future__ import annotations

import numpy.typing as npt

from solway import _core
from solway.expr import Expr, Scalar, binary, dtype_name, here, to_node, unary

__all__ = [
    "abs",
    "all_of",
    "any_of",
    "cast",
    "ceil",
    "clip",
    "cos",
    "erf",
    "exp",
    "floor",
    "log",
    "maximum",
    "minimum",
    "pow",
    "round",
    "rsqrt",
    "select",
    "sigmoid",
    "sin",
    "sqrt",
    "tanh",
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


def exp(x: Scalar) -> Expr:
    """E to the power `x`.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.exp(A[i]), name="B")
        B: float32[8] = [i] exp(A[i])
    """
    return unary("exp", x)


def log(x: Scalar) -> Expr:
    """The natural logarithm of `x`.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.log(A[i]), name="B")
        B: float32[8] = [i] log(A[i])
    """
    return unary("log", x)


def sqrt(x: Scalar) -> Expr:
    """The square root of `x`.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.sqrt(A[i]), name="B")
        B: float32[8] = [i] sqrt(A[i])
    """
    return unary("sqrt", x)


def rsqrt(x: Scalar) -> Expr:
    """``1 / sqrt(x)``.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.rsqrt(A[i]), name="B")
        B: float32[8] = [i] rsqrt(A[i])
    """
    return unary("rsqrt", x)


def tanh(x: Scalar) -> Expr:
    """The hyperbolic tangent of `x`.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.tanh(A[i]), name="B")
        B: float32[8] = [i] tanh(A[i])
    """
    return unary("tanh", x)


def sigmoid(x: Scalar) -> Expr:
    """``1 / (1 + exp(-x))``.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.sigmoid(A[i]), name="B")
        B: float32[8] = [i] sigmoid(A[i])
    """
    return unary("sigmoid", x)


def erf(x: Scalar) -> Expr:
    """The error function of `x`.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.erf(A[i]), name="B")
        B: float32[8] = [i] erf(A[i])
    """
    return unary("erf", x)


def sin(x: Scalar) -> Expr:
    """The sine of `x`, in radians.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.sin(A[i]), name="B")
        B: float32[8] = [i] sin(A[i])
    """
    return unary("sin", x)


def cos(x: Scalar) -> Expr:
    """The cosine of `x`, in radians.

    Args:
        x: float32 or float64; int32 and int64 are computed in float64.

    Returns:
        Expression of x's float type.

    Raises:
        UnsupportedError: of int8 and bool, which NumPy computes in float16.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.cos(A[i]), name="B")
        B: float32[8] = [i] cos(A[i])
    """
    return unary("cos", x)


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
        Expression of x's type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.round(A[i]), name="B")
        B: float32[8] = [i] round(A[i])
    """
    return unary("round", x)
