"""What a call of a kernel takes: the checks of every array, and views without a copy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solway._dlpack import bits_of_bfloat16
from solway.errors import ArgumentMismatchError

__all__ = ["Argument", "Array", "views_of"]

Array = npt.NDArray[np.generic]
_Place = tuple[str, int, str]


class Argument(NamedTuple):
    """One argument of a kernel.

    Args:
        name: of the tensor, or of the entry's parameter.
        shape: extents, numbers or expressions of sizes; () of a hand-written kernel is a scalar
            that is passed by value.
        dtype: element type.
        role: "in", "out" or "inout".
        is_number: Python's numbers are taken too.
        is_bfloat16: its elements are bfloat16, which may come as uint16 that holds the bits.
    """

    name: str
    shape: tuple[Any, ...]
    dtype: np.dtype[np.generic]
    role: str
    is_number: bool = False
    is_bfloat16: bool = False

    @property
    def is_read(self) -> bool:
        """Whether the caller gives values."""
        return self.role != "out"

    @property
    def is_written(self) -> bool:
        """Whether a call writes it."""
        return self.role != "in"


def views_of(
    kernel: str,
    arguments: Sequence[Argument],
    arrays: Sequence[object],
    where: _Place,
    shareable: Collection[tuple[int, int]] = (),
) -> list[Array]:
    """One array per argument, checked.

    Args:
        kernel: its name.
        arguments: what it takes.
        arrays: what the caller gave.
        where: the caller's line.
        shareable: (output, input), positions of arguments that may be one array.

    Returns:
        Views of the caller's memory.

    Raises:
        ArgumentMismatchError: what does not fit, with both values.
    """
    if len(arrays) != len(arguments):
        raise ArgumentMismatchError(
            f"{kernel} takes {len(arguments)} arrays",
            f"got {len(arrays)}",
            f"pass {', '.join(a.name for a in arguments)}",
            where,
        )
    views = [_view(*pair, where) for pair in zip(arguments, arrays, strict=True)]
    _require_no_overlap(kernel, arguments, views, where, shareable)
    return views


def as_array(array: object) -> Array | None:
    """A view of `array` without a copy; None when there is no such view."""
    if isinstance(array, np.ndarray):
        return array
    if hasattr(array, "__array_interface__"):
        return np.asarray(array)
    if hasattr(array, "__dlpack__"):
        try:
            return np.from_dlpack(array)
        except (BufferError, RuntimeError):
            return _bits_or_none(array)
    return None


def array_of(argument: Argument, array: object, where: _Place) -> Array | None:
    """A view of what a call gives for an argument, of any shape.

    Args:
        argument: of the kernel.
        array: what the caller gave; None for an output that is to be allocated.
        where: the caller's line.

    Returns:
        The view; None for a number, and where there is no array yet.

    Raises:
        ArgumentMismatchError: it is neither.
    """
    is_number = argument.is_number and type(array) in (int, float)
    if is_number or (array is None and not argument.is_read):
        return None
    view = as_array(array)
    if view is None:
        raise _no_view(argument, array, where)
    return view


def _bits_or_none(array: object) -> Array | None:
    """A bfloat16 array that speaks DLPack, as its bits; None when there is no such view."""
    try:
        return bits_of_bfloat16(array)
    except (BufferError, RuntimeError):
        return None


def _no_view(argument: Argument, array: object, where: _Place) -> ArgumentMismatchError:
    kind = type(array).__name__
    if hasattr(array, "__dlpack__"):
        why, fix = f"the {kind} lies in other memory", "pass a copy that NumPy can read"
        if getattr(array, "requires_grad", False):
            why, fix = f"the {kind} tracks a gradient", "pass it without: .detach()"
        what = f"argument '{argument.name}' gives no view of its elements"
        return ArgumentMismatchError(what, why, fix, where)
    return ArgumentMismatchError(
        f"argument '{argument.name}' is no {'number' if argument.is_number else 'array'}",
        f"expected a NumPy array{' or a number' if argument.is_number else ''}, got {kind}",
        f"pass np.asarray(..., {str(argument.dtype)!r})",
        where,
    )


def _view(argument: Argument, array: object, where: _Place) -> Array:
    if argument.is_number and type(array) in (int, float):
        return _number(argument, array, where)
    view = as_array(array)
    if view is None:
        raise _no_view(argument, array, where)
    if isinstance(array, np.ma.MaskedArray):
        raise ArgumentMismatchError(
            f"argument '{argument.name}' is a masked array",
            "a kernel reads and writes all elements, and knows no masks",
            "pass its elements: .data, or .filled(value) with another one where they are masked",
            where,
        )
    if argument.is_bfloat16 and view.dtype.name in ("uint16", "bfloat16"):
        view = view.view(argument.dtype)
    if view.dtype != argument.dtype:
        raise _other_type(argument, array, view, where)
    if view.shape != argument.shape:
        raise _mismatch(argument, "shape", str(argument.shape), str(view.shape), where)
    if not view.flags.c_contiguous:
        strides = f"strides {view.strides} in bytes"
        raise _mismatch(argument, "layout", "a C-contiguous array", strides, where)
    if not view.flags.aligned:
        wanted, behind = f"a multiple of {view.itemsize}", view.ctypes.data % view.itemsize
        raise _mismatch(argument, "alignment", f"{wanted} as address", f"{behind} past one", where)
    is_scalar = isinstance(array, np.generic)  # its view is a copy
    if argument.is_written and (is_scalar or not view.flags.writeable):
        raise ArgumentMismatchError(
            f"argument '{argument.name}' is {'a number' if is_scalar else 'read-only'}",
            "the kernel writes it",
            f"pass {'an array of shape ()' if is_scalar else 'a writable array'}",
            where,
        )
    return view


def _other_type(
    argument: Argument, array: object, view: Array, where: _Place
) -> ArgumentMismatchError:
    wanted = "bfloat16" if argument.is_bfloat16 else str(argument.dtype)
    has_bits = view.dtype == np.uint16 and not hasattr(array, "__array_interface__")
    got = "bfloat16" if has_bits and _bits_or_none(array) is not None else str(view.dtype)
    if argument.is_bfloat16:
        fix = "convert it: .astype(ml_dtypes.bfloat16), or pass its bits in an array of uint16"
    elif hasattr(array, "astype"):
        fix = f"convert it: .astype({wanted!r})"
    elif type(array).__module__.startswith("torch"):
        fix = f"convert it: .to(torch.{wanted})"
    else:
        fix = f"convert it to {wanted}"
    return _mismatch(argument, "dtype", wanted, got, where, fix)


def _number(argument: Argument, value: object, where: _Place) -> Array:
    """A Python number as a scalar of its argument's type."""
    if isinstance(value, float) and argument.dtype.kind != "f":
        raise _mismatch(argument, "type", f"a number of {argument.dtype}", repr(value), where)
    try:
        return np.array(value, argument.dtype)
    except OverflowError:
        raise _mismatch(
            argument, "value", f"a number of {argument.dtype}", repr(value), where
        ) from None


def _require_no_overlap(
    kernel: str,
    arguments: Sequence[Argument],
    views: Sequence[Array],
    where: _Place,
    shareable: Collection[tuple[int, int]],
) -> None:
    for o, (out, written) in enumerate(zip(arguments, views, strict=True)):
        if not out.is_written:
            continue
        for i, (other, view) in enumerate(zip(arguments, views, strict=True)):
            if (o, i) in shareable and written.ctypes.data == view.ctypes.data:
                continue
            if other is not out and np.may_share_memory(written, view):
                behind = written.ctypes.data - view.ctypes.data
                side = "before" if behind < 0 else "after"
                raise ArgumentMismatchError(
                    f"output '{out.name}' of {kernel} overlaps '{other.name}'",
                    f"'{out.name}' has {written.nbytes} bytes and begins {abs(behind)} bytes "
                    f"{side} '{other.name}', which has {view.nbytes}",
                    "pass separate arrays; an output may be exactly an input only where every "
                    "element is read before it is stored",
                    where,
                )


def _mismatch(
    argument: Argument, what: str, expected: str, got: str, where: _Place, fix: str | None = None
) -> ArgumentMismatchError:
    # What a conversion makes is another array, which the caller does not see written.
    new = f"pass a new array, np.empty({argument.shape}, {str(argument.dtype)!r}), and copy from it"
    if argument.is_written and what in ("dtype", "layout", "alignment"):
        fixes = {what: new}
    else:
        fixes = {
            "shape": f"pass an array of shape {argument.shape}",
            "layout": "pass np.ascontiguousarray(...)",
            "alignment": "pass a copy: .copy()",
        }
    return ArgumentMismatchError(
        f"argument '{argument.name}' has another {what}",
        f"expected {expected}, got {got}",
        fixes.get(what, fix or f"pass a number that {argument.dtype} holds"),
        where,
    )
