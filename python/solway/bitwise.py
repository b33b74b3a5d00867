"""Bit operators of integers, with NumPy's names and NumPy's results."""

from __future__ import annotations

from solway.expr import Expr, Scalar, binary, unary

__all__ = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]


def bitwise_and(a: Scalar, b: Scalar) -> Expr:
    """The bits that both have.

    Args:
        a: an integer or a condition.
        b: an integer or a condition; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: a float.

    Example:
        >>> A = sw.placeholder((8,), "int32", name="A")
        >>> sw.compute((8,), lambda i: sw.bitwise_and(A[i], 3), name="B")
        B: int32[8] = [i] A[i] & 3
    """
    return binary("&", a, b)


def bitwise_or(a: Scalar, b: Scalar) -> Expr:
    """The bits that either has.

    Args:
        a: an integer or a condition.
        b: an integer or a condition; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: a float.

    Example:
        >>> A = sw.placeholder((8,), "int32", name="A")
        >>> sw.compute((8,), lambda i: sw.bitwise_or(A[i], 3), name="B")
        B: int32[8] = [i] A[i] | 3
    """
    return binary("|", a, b)


def bitwise_xor(a: Scalar, b: Scalar) -> Expr:
    """The bits that one of both has.

    Args:
        a: an integer or a condition.
        b: an integer or a condition; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: a float.

    Example:
        >>> A = sw.placeholder((8,), "int32", name="A")
        >>> sw.compute((8,), lambda i: sw.bitwise_xor(A[i], 3), name="B")
        B: int32[8] = [i] A[i] ^ 3
    """
    return binary("^", a, b)


def left_shift(a: Scalar, b: Scalar) -> Expr:
    """`a` times 2 to the power `b`, without the bits that leave its type.

    Args:
        a: an integer or a condition.
        b: an integer or a condition; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: a float.

    Example:
        >>> A = sw.placeholder((8,), "int32", name="A")
        >>> sw.compute((8,), lambda i: sw.left_shift(A[i], 3), name="B")
        B: int32[8] = [i] A[i] << 3
    """
    return binary("<<", a, b)


def right_shift(a: Scalar, b: Scalar) -> Expr:
    """`a` divided by 2 to the power `b`, rounded down.

    Args:
        a: an integer or a condition.
        b: an integer or a condition; both meet in their common type.

    Returns:
        Expression of that type.

    Raises:
        DslError: a float.

    Example:
        >>> A = sw.placeholder((8,), "int32", name="A")
        >>> sw.compute((8,), lambda i: sw.right_shift(A[i], 3), name="B")
        B: int32[8] = [i] A[i] >> 3
    """
    return binary(">>", a, b)


def invert(x: Scalar) -> Expr:
    """The bits that `x` does not have; of a condition, whether it does not hold.

    Args:
        x: an integer or a condition.

    Returns:
        Expression of x's type.

    Raises:
        DslError: a float.

    Example:
        >>> A = sw.placeholder((8,), "int32", name="A")
        >>> sw.compute((8,), lambda i: sw.invert(A[i]), name="B")
        B: int32[8] = [i] ~A[i]
    """
    return unary("invert", x)


bitwise_invert = invert
bitwise_left_shift = left_shift
bitwise_not = invert
bitwise_right_shift = right_shift
