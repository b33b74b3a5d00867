"""Values at the corners of element types, and when a result of them is right."""

from __future__ import annotations

import itertools

import numpy as np

INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
DTYPES = (*FLOATS, *INTEGERS, "bool")
LEAST = {"bfloat16": (2.0**-133, 2.0**-126, 2.0**127 * (2 - 2.0**-7))}  # as np.finfo has others


def storage(dtype):
    """The type of the arrays that hold elements of `dtype`; bfloat16 is its bits."""
    return np.dtype("uint16" if dtype == "bfloat16" else dtype)


def to_bfloat16(values):
    """Bits of the nearest bfloat16, ties to even."""
    wide = np.asarray(values, "float64")
    with np.errstate(all="ignore"):
        near = wide.astype("float32")
        # Rounded to odd first, so that rounding twice is rounding once.
        above = np.abs(near.astype("float64")) > np.abs(wide)
        near = np.where(above, np.nextafter(near, np.float32(0)), near)
    bits = near.view("uint32")
    is_inexact = (near.astype("float64") != wide) & np.isfinite(wide)
    bits = (bits | is_inexact.astype("uint32")).astype("uint64")
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("uint16")
    return np.where(np.isnan(wide), np.uint16(0x7FC0), rounded)


def numeric(array, dtype):
    """An array as numbers that NumPy computes with."""
    if dtype != "bfloat16":
        return array
    return (array.astype("uint32") << 16).view("float32")


def stored(values, dtype):
    """Numbers as an array of `dtype`."""
    if dtype == "bfloat16":
        return to_bfloat16(values)
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(dtype)


def smallest(dtype):
    """The least positive number of a type of floats, a denormal."""
    return LEAST[dtype][0] if dtype in LEAST else float(np.finfo(dtype).smallest_subnormal)


def corners(dtype):
    """The values at which something begins, ends or is special."""
    if dtype == "bool":
        return [False, True]
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        around = [limits.min, limits.min + 1, limits.max - 1, limits.max, 0, 1, 2, 3, 7]
        return [*around, *([-1, -2, -7] if limits.min < 0 else [])]
    if dtype in LEAST:
        denormal, normal, largest = LEAST[dtype]
    else:
        about = np.finfo(dtype)
        denormal, normal, largest = map(float, (about.smallest_subnormal, about.tiny, about.max))
    positive = [0.0, denormal, normal - denormal, normal, 0.5, 1.0, 2.5, 3.0, largest, np.inf]
    return [*positive, *(-x for x in positive), np.nan]


def pairs(dtype, count, seed=0):
    """`count` values for each of two operands: pairs of corners first, then others."""
    rng = np.random.default_rng(seed)
    special = list(itertools.product(corners(dtype), repeat=2))
    rng.shuffle(special)
    if dtype == "bool":
        rest = rng.integers(0, 2, (count, 2))
    elif dtype in INTEGERS:
        limits = np.iinfo(dtype)
        rest = rng.integers(limits.min, limits.max, (count, 2), dtype=dtype, endpoint=True)
    else:
        rest = rng.normal(size=(count, 2)) * 4
    chosen = [*special, *rest.tolist()][:count]
    return tuple(stored([pair[side] for pair in chosen], dtype) for side in (0, 1))


def smalls(dtype, shape, seed=0):
    """Whole numbers whose sums of products every type holds, in any order."""
    rng = np.random.default_rng(seed)
    low = 0 if dtype in ("uint8", "bool") else -1
    return stored(rng.integers(low, 2, shape), dtype)


def _ordered(array, dtype):
    """Bit patterns of floats as integers in the order of their values."""
    unsigned = {2: "uint16", 4: "uint32", 8: "uint64"}[array.dtype.itemsize]
    bits = array.view(unsigned)
    bottom = np.array(1, unsigned) << np.array(8 * array.dtype.itemsize - 1, unsigned)
    magnitude = (bits & ~bottom).astype("int64")
    return np.where(bits & bottom, -magnitude, magnitude)


def wrong(got, expected, dtype, ulps=0, *, zeros=True):
    """What is wrong with an array of `dtype`; "" when nothing is.

    Args:
        got: as the kernel stored it.
        expected: numbers, in any type that holds them.
        dtype: of the elements.
        ulps: how many neighbours apart they may be.
        zeros: whether the signs of zeros count.
    """
    right = stored(expected, dtype)
    if got.shape != right.shape:
        return f"shape {got.shape} is not {right.shape}"
    if dtype not in FLOATS:
        differ = got != right
    else:
        a, b = numeric(got, dtype), numeric(right, dtype)
        far = np.abs(_ordered(got, dtype) - _ordered(right, dtype)) > ulps
        is_nan = np.isnan(b)
        differ = np.where(is_nan, ~np.isnan(a), far | np.isnan(a))
        if zeros:
            differ |= (a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b))
    if not differ.any():
        return ""
    at = tuple(int(x[0]) for x in np.nonzero(differ))
    a, b = numeric(got, dtype)[at], numeric(right, dtype)[at]
    return f"{int(differ.sum())} of {differ.size} differ; at {at}: {a!r} is not {b!r}"
