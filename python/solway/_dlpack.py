"""bfloat16 by DLPack, which NumPy itself refuses: the bits as uint16, without a copy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["bits_of_bfloat16"]

_CPU, _BFLOAT = 1, 4  # of DLPack's device and type codes
_TENSOR = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("id", ctypes.c_int32))


class _Type(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Owner:
    """Gives memory to NumPy and keeps what owns it."""

    def __init__(self, interface: dict[str, Any], capsule: object) -> None:
        self.__array_interface__ = interface
        self._capsule = capsule


def bits_of_bfloat16(array: object) -> npt.NDArray[np.uint16] | None:
    """The elements of a bfloat16 array that speaks DLPack, as uint16.

    Args:
        array: has ``__dlpack__``.

    Returns:
        A view of its memory; None when it holds another type, or lies on another device.
    """
    capsule = array.__dlpack__()  # type: ignore[attr-defined]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    tensor = _Tensor.from_address(pointer_of(capsule, _TENSOR))
    is_bfloat16 = (tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes) == (_BFLOAT, 16, 1)
    if not is_bfloat16 or tensor.device.kind != _CPU:
        return None
    shape = tuple(tensor.shape[d] for d in range(tensor.ndim))
    strides = tuple(2 * tensor.strides[d] for d in range(tensor.ndim)) if tensor.strides else None
    interface = {
        "version": 3,
        "shape": shape,
        "strides": strides,
        "typestr": np.dtype(np.uint16).str,
        "data": ((tensor.data or 0) + tensor.byte_offset, False),
    }
    return np.asarray(_Owner(interface, capsule))
