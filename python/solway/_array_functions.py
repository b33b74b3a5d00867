"""NumPy's functions of what has no values yet: what to write in their place."""

from __future__ import annotations

import sys

import numpy as np

from solway._location import caller
from solway.errors import DslError

__all__ = ["OPERATORS", "no_values"]

# The operators of Python behind NumPy's functions: a NumPy scalar on the left calls these.
OPERATORS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "power": "pow",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "left_shift": "<<",
    "right_shift": ">>",
}
_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "minimum": "min",
    "maximum": "max",
    "logical_and": "all",
    "logical_or": "any",
}
_OTHER_NAMES = {"logical_and": "all_of", "logical_or": "any_of"}


def no_values(function: np.ufunc, method: str, given: str, elements: list[str]) -> DslError:
    """The error of a NumPy function that was called with an expression or a tensor.

    Args:
        function: of NumPy.
        method: which of its methods; "__call__" for itself.
        given: what has no values, as a message names it.
        elements: what solway's function takes in place of its arguments.

    Returns:
        The error, at the user's line.
    """
    name = function.__name__
    if method == "reduce":
        name = _REDUCTIONS.get(name, f"{name}.reduce")
    elif method != "__call__":
        name = f"{name}.{method}"
    own = _OTHER_NAMES.get(name, name)
    arguments = ", ".join(elements + ["axis=k"] * (method == "reduce"))
    fix = "write it with operators and with solway's functions, such as sw.exp"
    if own in OPERATORS:
        sign = OPERATORS[own].replace("pow", "**")
        fix = f"use the operator '{sign}' of elements: " + f" {sign} ".join(elements)
    elif hasattr(sys.modules["solway"], own):
        fix = f"use solway's function: sw.{own}({arguments})"
    return DslError(
        f"np.{name} takes numbers",
        f"{given} has no values before the kernel runs",
        fix,
        caller(),
    )
