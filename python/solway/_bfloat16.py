"""Numbers rounded to bfloat16, without a package that has the type."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
    wide = np.asarray(values, np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        short = wide.astype(np.float32)
        bits = np.atleast_1d(short.view(np.uint32) if short.ndim else short[None].view(np.uint32))
        wide, short = np.atleast_1d(wide), np.atleast_1d(short)
        # Rounded towards zero, with the lowest bit set where something was cut off, a float32
        # rounds on as the number itself would.
        inexact = short.astype(np.float64) != wide
        bits = bits - (inexact & (np.abs(short) > np.abs(wide)))
        bits = bits | inexact
        rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        is_nan = np.isnan(wide)
        rounded = np.where(is_nan, bits >> 16 | 0x40, rounded)
    out: npt.NDArray[np.uint16] = rounded.astype(np.uint16).reshape(np.shape(values))
    return out
