"""What operators on whole tensors say: elements are computed, and somebody has to name them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol, TypeVar

import numpy as np

from solway._array_functions import no_values
from solway._location import caller
from solway._shown import shown
from solway.errors import DslError

__all__ = ["refuses_operators"]

_AXES = "ijlmnpq"  # k is that of sums
_BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNARY = {"neg": "-", "invert": "~"}


class _Tensor(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> tuple[Any, ...]: ...


_Class = TypeVar("_Class", bound=type)


def refuses_operators(tensor: _Class) -> _Class:
    """Gives a class of tensors operators that say what to write in their place.

    Args:
        tensor: its objects have a name and a shape, and take an index in brackets.
    """
    for name, sign in _BINARY.items():
        setattr(tensor, f"__{name}__", _operator(sign))
        setattr(tensor, f"__r{name}__", _operator(sign, is_swapped=True))
    for name, sign in _COMPARISONS.items():
        setattr(tensor, f"__{name}__", _operator(sign))
    for name, sign in _UNARY.items():
        setattr(tensor, f"__{name}__", _unary_operator(sign))
    for name in ("__matmul__", "__rmatmul__"):
        setattr(tensor, name, _product)
    tensor.__setitem__ = _assign  # type: ignore[index]
    tensor.__array_ufunc__ = _array_function  # type: ignore[attr-defined]
    return tensor


def _operator(sign: str, *, is_swapped: bool = False) -> Callable[[_Tensor, object], NoReturn]:
    def method(self: _Tensor, other: object) -> NoReturn:
        sides = [_element(self), _operand(self, other)]
        raise _no_operator(self, sign, f" {sign} ".join(sides[::-1] if is_swapped else sides))

    return method


def _unary_operator(sign: str) -> Callable[[_Tensor], NoReturn]:
    def method(self: _Tensor) -> NoReturn:
        raise _no_operator(self, sign, sign + _element(self))

    return method


def _no_operator(tensor: _Tensor, sign: str, body: str) -> DslError:
    return DslError(
        f"'{sign}' takes elements, not the whole tensor '{tensor.name}'",
        f"'{tensor.name}' has shape {tensor.shape}, and no element of it is named",
        f"write {_compute(tensor, body)}",
        caller(),
    )


def _product(self: _Tensor, other: object) -> NoReturn:
    raise DslError(
        f"'@' takes no tensors, as '{self.name}' is",
        "a sum runs over an axis, which somebody has to name",
        f"write k = sw.reduce_axis({self.shape[-1] if self.shape else '...'}) and sum products of "
        "elements, as in sw.compute((M, N), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k))",
        caller(),
    )


def _assign(self: _Tensor, index: object, value: object) -> NoReturn:
    raise DslError(
        f"elements of '{self.name}' cannot be assigned",
        "a tensor is what its one expression computes",
        f"write {_compute(self, '...')}, or change it in place by sw.update",
        caller(),
    )


def _array_function(
    self: _Tensor, function: np.ufunc, method: str, *inputs: object, **options: object
) -> NoReturn:
    if function is np.matmul:
        _product(self, inputs[-1])
    raise no_values(function, method, f"tensor '{self.name}'", [_operand(self, x) for x in inputs])


def _element(tensor: _Tensor) -> str:
    return f"{tensor.name}[{', '.join(_AXES[: len(tensor.shape)]) or '()'}]"


def _operand(tensor: _Tensor, other: object) -> str:
    """The other operand, as it stands beside an element of the tensor."""
    if isinstance(other, type(tensor)):
        return _element(other)
    return "..." if isinstance(other, np.ndarray) else shown(other)


def _compute(tensor: _Tensor, body: str) -> str:
    """The text of a compute of a tensor's shape."""
    axes = ", ".join(_AXES[: len(tensor.shape)])
    return f"sw.compute({tensor.shape}, lambda{' ' * bool(axes)}{axes}: {body})"
