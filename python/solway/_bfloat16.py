"""Numbers rounded to bfloat16, without a package that has the type."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solway import _core

__all__ = ["bfloat16_bits"]


def bfloat16_bits(values: npt.NDArray[np.generic]) -> npt.NDArray[np.uint16]:
    """The nearest bfloat16 of each number, the even one of two, as its bits.

    Args:
        values: of any shape; numbers of any type.

    Returns:
        Array of the same shape.

    Example:
        >>> from solway._bfloat16 import bfloat16_bits
        >>> [hex(bits) for bits in bfloat16_bits(np.array([1.0, -2.5, 0.1]))]
        ['0x3f80', '0xc020', '0x3dcd']
    """
    bits = _core.bfloat16_bits(np.asarray(values, np.float64).tobytes())
    return np.frombuffer(bits, np.uint16).reshape(np.shape(values))
