"""Scalar expressions, index variables and tensors, with Python's operators."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import EllipsisType
from typing import Any, NoReturn, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from solway import _core
from solway._array_functions import OPERATORS, no_values
from solway._location import caller
from solway._shown import shown
from solway._whole_tensors import refuses_operators
from solway.errors import DslError, UnsupportedError

__all__ = ["Axis", "Expr", "IterVar", "Tensor"]

Scalar: TypeAlias = "Expr | bool | int | float | np.generic"

_DTYPES = (
    "tensors hold float64, float32, float16, bfloat16, int64, int32, int16, int8, uint8 and bool"
)


_NUMPY_TYPES = frozenset(
    ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool")
)


def numpy_dtype(name: str) -> np.dtype[np.generic]:
    """NumPy's type of the elements of an array.

    bfloat16 is that of `ml_dtypes` where it is installed, else uint16 that holds the bits.
    """
    if name != "bfloat16":
        return np.dtype(name)
    try:
        found: np.dtype[np.generic] = np.dtype(import_module("ml_dtypes").bfloat16)
    except ImportError:
        return np.dtype(np.uint16)
    return found


def dtype_name(dtype: npt.DTypeLike) -> str:
    """NumPy's name of an element type that solway may have.

    Raises:
        DslError: `dtype` names no NumPy type.
        UnsupportedError: of a byte order that is not this machine's.
    """
    if isinstance(dtype, str) and dtype == "bfloat16":
        return dtype  # NumPy has no type of that name
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise DslError(
            f"{dtype!r} is no element type", f"NumPy has no type {dtype!r}", _DTYPES, caller()
        ) from None
    if not found.isnative:
        raise UnsupportedError(
            f"element type '{found.str}' is not supported",
            "its byte order is not this machine's",
            "give the type by name, for example 'float32'",
            caller(),
        )
    return found.name


def to_node(value: object, where: _core.SourceLoc) -> _core.Expr:
    """The node of an operand: an expression, a Python number (weak) or a NumPy scalar.

    Raises:
        DslError: `value` is none of these.
    """
    if isinstance(value, Expr):
        return value._node_at(where)
    if isinstance(value, np.generic):
        return _numpy_scalar(value, where)
    if isinstance(value, bool):
        return _core.make_int(int(value), "bool", False, where)
    if isinstance(value, int):
        return _python_int(value, where)
    if isinstance(value, float):
        return _core.make_float(value, "float64", True, where)
    if isinstance(value, Tensor):
        raise DslError(
            f"tensor '{value.name}' stands where a number is needed",
            f"it has rank {len(value.shape)}",
            f"read one element of it: {value.name}[...]",
            _where(where),
        )
    raise DslError(
        f"{type(value).__name__} cannot be part of an expression",
        f"got {shown(value)}",
        "use expressions, numbers and NumPy scalars; arrays are arguments: sw.placeholder",
        _where(where),
    )


def _python_int(value: int, where: _core.SourceLoc) -> _core.Expr:
    if not -(2**63) <= value < 2**63:
        raise DslError(
            "the number does not fit its type",
            f"{value} is outside 'int64'",
            "write it as a float",
            _where(where),
        )
    return _core.make_int(value, "int64", True, where)


def _numpy_scalar(value: np.generic, where: _core.SourceLoc) -> _core.Expr:
    name = value.dtype.name
    if isinstance(value, np.bool_ | np.integer) and name in _NUMPY_TYPES:
        return _core.make_int(int(value), name, False, where)
    if name in _NUMPY_TYPES:
        return _core.make_float(float(value), name, False, where)
    raise UnsupportedError(
        f"element type '{name}' is not supported", _DTYPES, "use one of these", _where(where)
    )


def _where(loc: _core.SourceLoc) -> tuple[str, int, str]:
    return (loc.file, loc.line, loc.text)


def here() -> _core.SourceLoc:
    """The user's line."""
    return _core.SourceLoc(*caller())


class Expr:
    """A scalar expression of index variables and tensor elements.

    Python's operators build expressions; types promote as in NumPy 2, where Python numbers take
    the type of the other operand.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> i = sw.reduce_axis(8, name="i")
        >>> A[i] * 2 + 1
        A[i] * 2.0 + 1.0
    """

    __slots__ = ("_node",)

    def __init__(self, node: _core.Expr) -> None:
        self._node = node

    def _node_at(self, where: _core.SourceLoc) -> _core.Expr:
        """This expression as an operand on the user's line `where`."""
        return self._node

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The element type."""
        return numpy_dtype(self._node_at(here()).dtype)

    def astype(self, dtype: npt.DTypeLike) -> Expr:
        """This value converted to `dtype`, as NumPy converts.

        Args:
            dtype: NumPy name or dtype.

        Returns:
            Expression of element type `dtype`.

        Raises:
            UnsupportedError: an element type that solway does not have.

        Example:
            >>> sw.reduce_axis(8, name="i").astype("float32")
            cast(i, float32)
        """
        where = here()
        return Expr(_core.make_cast(self._node_at(where), dtype_name(dtype), where))

    def __repr__(self) -> str:
        return str(self._node_at(here()))

    def __bool__(self) -> bool:
        raise DslError(
            f"'{self!r}' has no truth value",
            "it is a condition on elements, and Python asked whether it holds now",
            "use sw.select(cond, a, b) for if, sw.all_of for 'and' and chains, sw.any_of for 'or'",
            caller(),
        )

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Scalar, **options: object
    ) -> Expr:
        # A NumPy scalar on the left of an operator calls the function behind it, some as an array.
        operands = [x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x for x in inputs]
        if method == "__call__" and ufunc.__name__ in OPERATORS and not options:
            return binary(OPERATORS[ufunc.__name__], *operands)
        raise no_values(ufunc, method, f"'{self!r}'", [shown(x) for x in operands])

    def __float__(self) -> NoReturn:
        raise DslError(
            f"'{self!r}' is no number",
            "it has a value when the kernel runs, and Python asked for it now",
            "use solway's functions in place of Python's, such as sw.exp, sw.round and sw.cast",
            caller(),
        )

    __int__ = __round__ = __float__

    def __hash__(self) -> int:
        return id(self)

    def __add__(self, other: Scalar) -> Expr:
        return binary("+", self, other)

    def __radd__(self, other: Scalar) -> Expr:
        return binary("+", other, self)

    def __sub__(self, other: Scalar) -> Expr:
        return binary("-", self, other)

    def __rsub__(self, other: Scalar) -> Expr:
        return binary("-", other, self)

    def __mul__(self, other: Scalar) -> Expr:
        return binary("*", self, other)

    def __rmul__(self, other: Scalar) -> Expr:
        return binary("*", other, self)

    def __truediv__(self, other: Scalar) -> Expr:
        return binary("/", self, other)

    def __rtruediv__(self, other: Scalar) -> Expr:
        return binary("/", other, self)

    def __floordiv__(self, other: Scalar) -> Expr:
        return binary("//", self, other)

    def __rfloordiv__(self, other: Scalar) -> Expr:
        return binary("//", other, self)

    def __mod__(self, other: Scalar) -> Expr:
        return binary("%", self, other)

    def __rmod__(self, other: Scalar) -> Expr:
        return binary("%", other, self)

    def __pow__(self, other: Scalar) -> Expr:
        return binary("pow", self, other)

    def __rpow__(self, other: Scalar) -> Expr:
        return binary("pow", other, self)

    def __neg__(self) -> Expr:
        return unary("-", self)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return unary("abs", self)

    def __lt__(self, other: Scalar) -> Expr:
        return binary("<", self, other)

    def __le__(self, other: Scalar) -> Expr:
        return binary("<=", self, other)

    def __gt__(self, other: Scalar) -> Expr:
        return binary(">", self, other)

    def __ge__(self, other: Scalar) -> Expr:
        return binary(">=", self, other)

    def __eq__(self, other: object) -> Expr:  # type: ignore[override]
        return _equality("==", self, other)

    def __ne__(self, other: object) -> Expr:  # type: ignore[override]
        return _equality("!=", self, other)

    def __and__(self, other: Scalar) -> Expr:
        return binary("&", self, other)

    def __rand__(self, other: Scalar) -> Expr:
        return binary("&", other, self)

    def __or__(self, other: Scalar) -> Expr:
        return binary("|", self, other)

    def __ror__(self, other: Scalar) -> Expr:
        return binary("|", other, self)

    def __xor__(self, other: Scalar) -> Expr:
        return binary("^", self, other)

    def __rxor__(self, other: Scalar) -> Expr:
        return binary("^", other, self)

    def __invert__(self) -> Expr:
        return unary("invert", self)

    def __lshift__(self, other: Scalar) -> Expr:
        return binary("<<", self, other)

    def __rlshift__(self, other: Scalar) -> Expr:
        return binary("<<", other, self)

    def __rshift__(self, other: Scalar) -> Expr:
        return binary(">>", self, other)

    def __rrshift__(self, other: Scalar) -> Expr:
        return binary(">>", other, self)


def unary(op: str, operand: Scalar) -> Expr:
    """The core's unary operation `op` at the user's line."""
    where = here()
    return Expr(_core.make_unary(op, to_node(operand, where), where))


def binary(op: str, a: Scalar, b: Scalar) -> Expr:
    """The core's binary operation `op` at the user's line."""
    where = here()
    return Expr(_core.make_binary(op, to_node(a, where), to_node(b, where), where))


def _equality(op: str, a: Expr, b: object) -> Expr:
    if not isinstance(b, Expr | bool | int | float | np.generic):
        return cast("Expr", NotImplemented)  # a name or None is simply not this axis
    where = here()
    node = _core.make_binary(op, to_node(a, where), to_node(b, where), where)
    if isinstance(a, Axis) and isinstance(b, Axis):
        return _AxisEquality(node, (a._axis == b._axis) == (op == "=="))
    return Expr(node)


class _AxisEquality(Expr):
    """``a == b`` of two axes: a condition on their values whose truth is identity."""

    __slots__ = ("_truth",)

    def __init__(self, node: _core.Expr, truth: bool) -> None:
        super().__init__(node)
        self._truth = truth

    def __bool__(self) -> bool:
        return self._truth


class Axis(Expr):
    """An index variable that runs over ``begin <= value < end``.

    Axes hash by identity and ``bool(a == b)`` is identity, so that ``in`` and ``.index`` work; in
    an expression ``==`` compares values.

    Example:
        >>> k = sw.reduce_axis(16, name="k")
        >>> k.name, k.extent, k in [k]
        ('k', 16, True)
    """

    __slots__ = ("_axis",)

    def __init__(self, axis: _core.Axis) -> None:
        self._axis = axis

    def _node_at(self, where: _core.SourceLoc) -> _core.Expr:
        return _core.make_axis_ref(self._axis, where)

    @property
    def name(self) -> str:
        """The name of its loop."""
        return self._axis.name

    @property
    def begin(self) -> int | Expr:
        """The first value: a number, or an expression of sizes."""
        return self._bound(0)

    @property
    def end(self) -> int | Expr:
        """One past the last value: a number, or an expression of sizes."""
        return self._bound(1)

    @property
    def extent(self) -> int | Expr:
        """``end - begin``: a number, or an expression of sizes."""
        starts_at_zero = isinstance(self.begin, int) and self.begin == 0
        return self.end if starts_at_zero else self.end - self.begin

    def _bound(self, which: int) -> int | Expr:
        bound = self._axis.bounds[which]
        return bound if isinstance(bound, int) else Expr(bound)

    @property
    def is_reduce(self) -> bool:
        """True for an axis of a reduction."""
        return self._axis.is_reduce

    def __hash__(self) -> int:
        return hash(self._axis)

    def __repr__(self) -> str:
        return self._axis.name


IterVar = Axis


@refuses_operators
class Tensor:
    """A placeholder or a computed tensor; equal iff it is the same tensor.

    Example:
        >>> A = sw.placeholder((4, 8), name="A")
        >>> A.name, A.shape, A.dtype
        ('A', (4, 8), dtype('float32'))
    """

    __slots__ = ("_node",)
    __iter__: Callable[..., object] | None = None  # indexing alone would make it iterable

    def __init__(self, node: _core.Tensor) -> None:
        self._node = node

    @property
    def name(self) -> str:
        """The tensor's name."""
        return self._node.name

    @property
    def shape(self) -> tuple[Any, ...]:
        """The extent of each dimension: a number, or an expression of sizes."""
        return tuple(e if isinstance(e, int) else Expr(e) for e in self._node.shape)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The element type."""
        return numpy_dtype(self._node.dtype)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._node.shape)

    @property
    def axis(self) -> tuple[Axis, ...]:
        """One axis per dimension; none for a placeholder; of an update, those of its steps."""
        return tuple(Axis(a) for a in self._node.axis)

    @property
    def reduce_axis(self) -> tuple[Axis, ...]:
        """The axes of all its reductions, in order of appearance."""
        return tuple(Axis(a) for a in self._node.reduce_axis)

    @property
    def op(self) -> Tensor:
        """The tensor itself, so that ``C.op.axis`` is ``C.axis``."""
        return self

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The tensors that it reads, each once."""
        return tuple(Tensor(t) for t in self._node.inputs)

    def __getitem__(self, index: object) -> Expr:
        where = here()
        indices = index if isinstance(index, tuple) else (index,)
        for i in indices:
            if isinstance(i, slice | None | EllipsisType):
                raise DslError(
                    f"'{self.name}' is read one element at a time",
                    f"an index is {'a slice' if isinstance(i, slice) else repr(i)}",
                    "give one integer expression per dimension",
                    _where(where),
                )
        return Expr(_core.make_read(self._node, [to_node(i, where) for i in indices], where))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tensor) and self._node == other._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        head = f"{self.name}: {self._node.dtype}[{', '.join(map(str, self.shape))}]"
        body = self._node.body
        if body is None:
            return head
        text = f"[{', '.join(a.name for a in self._node.axis)}] "
        if self._node.base is not None:
            index = ", ".join(str(i) for i in self._node.index)
            text += f"{self._node.base.name}[{index}] <- "
        text += str(body)
        if self._node.domain is not None:
            text += f" where {self._node.domain}"
        return f"{head} = {text}"


def root_of(tensor: Tensor) -> Tensor:
    """The tensor that the memory is named after: what an update changes, before all updates.

    Args:
        tensor: any tensor.

    Returns:
        Itself, unless it is an update.

    Example:
        >>> root_of(sw.placeholder((4,), name="A"))
        A: float32[4]
    """
    node = tensor._node
    while node.base is not None:
        node = node.base
    return Tensor(node)
