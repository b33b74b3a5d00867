"""Mathematical functions of floats, with NumPy's names and NumPy's results."""

from __future__ import annotations

from solway.expr import Expr, Scalar, binary, unary

__all__ = [
    "acos",
    "acosh",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "exp",
    "exp2",
    "expm1",
    "hypot",
    "log",
    "log1p",
    "log2",
    "log10",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]


def exp(x: Scalar) -> Expr:
    """E to the power `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.exp(A[i]), name="B")
        B: float32[8] = [i] exp(A[i])
    """
    return unary("exp", x)


def exp2(x: Scalar) -> Expr:
    """2 to the power `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.exp2(A[i]), name="B")
        B: float32[8] = [i] exp2(A[i])
    """
    return unary("exp2", x)


def expm1(x: Scalar) -> Expr:
    """``exp(x) - 1``, exact near 0.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.expm1(A[i]), name="B")
        B: float32[8] = [i] expm1(A[i])
    """
    return unary("expm1", x)


def log(x: Scalar) -> Expr:
    """The natural logarithm of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.log(A[i]), name="B")
        B: float32[8] = [i] log(A[i])
    """
    return unary("log", x)


def log2(x: Scalar) -> Expr:
    """The logarithm of `x` to base 2.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.log2(A[i]), name="B")
        B: float32[8] = [i] log2(A[i])
    """
    return unary("log2", x)


def log10(x: Scalar) -> Expr:
    """The logarithm of `x` to base 10.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.log10(A[i]), name="B")
        B: float32[8] = [i] log10(A[i])
    """
    return unary("log10", x)


def log1p(x: Scalar) -> Expr:
    """``log(1 + x)``, exact near 0.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.log1p(A[i]), name="B")
        B: float32[8] = [i] log1p(A[i])
    """
    return unary("log1p", x)


def sqrt(x: Scalar) -> Expr:
    """The square root of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.sqrt(A[i]), name="B")
        B: float32[8] = [i] sqrt(A[i])
    """
    return unary("sqrt", x)


def rsqrt(x: Scalar) -> Expr:
    """``1 / sqrt(x)``.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.rsqrt(A[i]), name="B")
        B: float32[8] = [i] rsqrt(A[i])
    """
    return unary("rsqrt", x)


def cbrt(x: Scalar) -> Expr:
    """The cube root of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.cbrt(A[i]), name="B")
        B: float32[8] = [i] cbrt(A[i])
    """
    return unary("cbrt", x)


def sin(x: Scalar) -> Expr:
    """The sine of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.sin(A[i]), name="B")
        B: float32[8] = [i] sin(A[i])
    """
    return unary("sin", x)


def cos(x: Scalar) -> Expr:
    """The cosine of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.cos(A[i]), name="B")
        B: float32[8] = [i] cos(A[i])
    """
    return unary("cos", x)


def tan(x: Scalar) -> Expr:
    """The tangent of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.tan(A[i]), name="B")
        B: float32[8] = [i] tan(A[i])
    """
    return unary("tan", x)


def arcsin(x: Scalar) -> Expr:
    """The angle in [-pi/2, pi/2] whose sine is `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.arcsin(A[i]), name="B")
        B: float32[8] = [i] arcsin(A[i])
    """
    return unary("arcsin", x)


def arccos(x: Scalar) -> Expr:
    """The angle in [0, pi] whose cosine is `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.arccos(A[i]), name="B")
        B: float32[8] = [i] arccos(A[i])
    """
    return unary("arccos", x)


def arctan(x: Scalar) -> Expr:
    """The angle in [-pi/2, pi/2] whose tangent is `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.arctan(A[i]), name="B")
        B: float32[8] = [i] arctan(A[i])
    """
    return unary("arctan", x)


def sinh(x: Scalar) -> Expr:
    """The hyperbolic sine of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.sinh(A[i]), name="B")
        B: float32[8] = [i] sinh(A[i])
    """
    return unary("sinh", x)


def cosh(x: Scalar) -> Expr:
    """The hyperbolic cosine of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.cosh(A[i]), name="B")
        B: float32[8] = [i] cosh(A[i])
    """
    return unary("cosh", x)


def tanh(x: Scalar) -> Expr:
    """The hyperbolic tangent of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.tanh(A[i]), name="B")
        B: float32[8] = [i] tanh(A[i])
    """
    return unary("tanh", x)


def arcsinh(x: Scalar) -> Expr:
    """The inverse of `sinh`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.arcsinh(A[i]), name="B")
        B: float32[8] = [i] arcsinh(A[i])
    """
    return unary("arcsinh", x)


def arccosh(x: Scalar) -> Expr:
    """The inverse of `cosh`; of less than 1, NaN.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.arccosh(A[i]), name="B")
        B: float32[8] = [i] arccosh(A[i])
    """
    return unary("arccosh", x)


def arctanh(x: Scalar) -> Expr:
    """The inverse of `tanh`; of more than 1, NaN.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.arctanh(A[i]), name="B")
        B: float32[8] = [i] arctanh(A[i])
    """
    return unary("arctanh", x)


def sigmoid(x: Scalar) -> Expr:
    """``1 / (1 + exp(-x))``.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.sigmoid(A[i]), name="B")
        B: float32[8] = [i] sigmoid(A[i])
    """
    return unary("sigmoid", x)


def erf(x: Scalar) -> Expr:
    """The error function of `x`.

    Args:
        x: a float; an integer of 1, 2 or more bytes counts as float16, float32, float64.

    Returns:
        Expression of x's float type.

    Raises:
        DslError: `x` is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.erf(A[i]), name="B")
        B: float32[8] = [i] erf(A[i])
    """
    return unary("erf", x)


def arctan2(a: Scalar, b: Scalar) -> Expr:
    """The angle of the point (b, a) against the first axis.

    Args:
        a: a number.
        b: a number; both meet in their common float type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.arctan2(A[i], 2), name="B")
        B: float32[8] = [i] arctan2(A[i], 2.0)
    """
    return binary("arctan2", a, b)


def hypot(a: Scalar, b: Scalar) -> Expr:
    """The length of the vector (a, b).

    Args:
        a: a number.
        b: a number; both meet in their common float type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.hypot(A[i], 2), name="B")
        B: float32[8] = [i] hypot(A[i], 2.0)
    """
    return binary("hypot", a, b)


def copysign(a: Scalar, b: Scalar) -> Expr:
    """The magnitude of `a` with the sign of `b`.

    Args:
        a: a number.
        b: a number; both meet in their common float type.

    Returns:
        Expression of that type.

    Raises:
        DslError: an operand that is no scalar.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> sw.compute((8,), lambda i: sw.copysign(A[i], 2), name="B")
        B: float32[8] = [i] copysign(A[i], 2.0)
    """
    return binary("copysign", a, b)


# The names of the array API standard, which NumPy 2 has too.
asin = arcsin
acos = arccos
atan = arctan
asinh = arcsinh
acosh = arccosh
atanh = arctanh
atan2 = arctan2
