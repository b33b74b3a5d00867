"""x * y + z of float64, rounded once, as machines with such an instruction have it."""

from __future__ import annotations

import numpy as np

WIDE = np.longdouble  # has 64 bits for a mantissa
assert np.finfo(WIDE).nmant == 63
UPPER_BITS = WIDE(2.0**32 + 1)


def _halves(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of 32 bits and 21, whose sum is `x`."""
    scaled = UPPER_BITS * x
    upper = scaled - (scaled - x)
    return upper, x - upper


def _sum(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sum, and what rounding it lost."""
    total = x + y
    of_y = total - x
    return total, (x - (total - of_y)) + (y - of_y)


def fused(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Adds without loss, and leaves a last bit of 1 in what was inexact: to round that is exact."""
    x, y, z = (v.astype(WIDE) for v in (x, y, z))
    product = x * y
    (a, b), (c, d) = _halves(x), _halves(y)
    lost = ((a * c - product) + a * d + b * c) + b * d
    total, lost_too = _sum(product, z)
    total, rest = _sum(
        total, np.where(lost + lost_too == 0, np.copysign(0, total), lost + lost_too)
    )
    words = np.ascontiguousarray(total).view(np.uint64)
    is_even = words[0::2] & np.uint64(1) == 0
    beside = np.nextafter(total, np.where(rest > 0, WIDE(np.inf), WIDE(-np.inf)))
    odd = np.where((rest != 0) & is_even, beside, total)
    return np.where(np.isfinite(rest), odd, x * y + z).astype(np.float64)
