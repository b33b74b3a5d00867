"""How a value that a user passed is shown in a message: on one line, short."""

from __future__ import annotations

import reprlib

import numpy as np


def shown(value: object) -> str:
    """One short line for `value`; of an array its type and shape."""
    if isinstance(value, np.ndarray) and value.ndim > 0:
        return f"an array of shape {value.shape}"
    return reprlib.repr(value) if isinstance(value, (list, tuple, dict, set, str)) else repr(value)
