"""The operators of the matrix: each as a tensor expression and as NumPy.

A family shares its inputs, so that its operators are outputs of one kernel. Extents are given by
name, as integers or as sizes that are known when the kernel runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import solway as sw
from support.operator_values import DTYPES, FLOATS, INTEGERS

Extents = Mapping[str, Any]


class Operator(NamedTuple):
    """One row of the matrix.

    Args:
        make: of the family's tensors and extents: the computed tensor.
        expect: of the family's arrays, as numbers, and extents: what is right.
        dtypes: of the inputs.
        why_not: others are left out; "" where all types are there.
        dtype: of the result; None: that of the inputs; by that of the inputs, where it is another.
        ulps: how many neighbours apart from `expect` a float may be; an eighth for 16 bits.
        zeros: whether the signs of zeros count.
        wide: whether `expect` is given float64.
        in_order: whether its loop cannot be in vectors.
        by_terms: whether the terms of sums are in vectors, not what lies side by side in results.
    """

    make: Callable[..., sw.Tensor]
    expect: Callable[..., Any]
    dtypes: tuple[str, ...] = DTYPES
    why_not: str = ""
    dtype: str | Mapping[str, str] | None = None
    ulps: int = 0
    zeros: bool = True
    wide: bool = False
    in_order: bool = False
    by_terms: bool = False

    def result(self, dtype: str) -> str:
        """The type of the result of inputs of a type."""
        if isinstance(self.dtype, str):
            return self.dtype
        return (self.dtype or {}).get(dtype, dtype)


class Family(NamedTuple):
    """Operators with the same inputs.

    Args:
        shapes: of extents: the shape of each input by name.
        values: of a type and shapes: an array for each input.
        operators: by name.
        extents: of a kernel for one shape.
        sizes: (least, most) of extents that are known when a kernel runs.
        runs: values of these.
        index: inputs that are int32 whatever the type.
        fixed: extents of these kernels that are none of these sizes.
    """

    shapes: Callable[[Extents], dict[str, tuple[Any, ...]]]
    values: Callable[[str, dict[str, tuple[int, ...]]], dict[str, Any]]
    operators: dict[str, Operator]
    extents: dict[str, int]
    sizes: dict[str, tuple[int, int]]
    runs: list[dict[str, int]]
    index: tuple[str, ...] = ()
    fixed: Mapping[str, int] = {}


def elementwise(function, *names):
    """A `make` of a function of elements of vectors."""

    def make(T, e, name):
        return sw.compute((e["n"],), lambda i: function(*(T[x][i] for x in names)), name=name)

    return make


def of_two(function, numpys=None, **about):
    expect = numpys or function
    return Operator(elementwise(function, "A", "B"), lambda V, e: expect(V["A"], V["B"]), **about)


def of_one(function, numpys=None, **about):
    expect = numpys or function
    return Operator(elementwise(function, "A"), lambda V, e: expect(V["A"]), **about)


NUMPY_HAS_NONE = "NumPy has none"
NUMBERS = {"dtypes": (*FLOATS, *INTEGERS), "why_not": NUMPY_HAS_NONE}
WHOLE = {"dtypes": (*INTEGERS, "bool"), "why_not": NUMPY_HAS_NONE}
# NumPy's types of results.
COUNTS = {"bool": "int64"}
NUMBERED = {"bool": "int8"}
FLOAT_OF = {
    **dict.fromkeys(("int8", "uint8", "bool"), "float16"),
    "int16": "float32",
    **dict.fromkeys(("int32", "int64"), "float64"),
}
_WORDS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def _shift(word):
    """Shifts by less than the width of every type."""
    left = word == "<<"

    def solways(a, b):
        return a << (b & 7) if left else a >> (b & 7)

    return solways


_LIMITS = {
    **{word: {} for word in "+*"},
    "-": NUMBERS,
    **{word: {"dtype": NUMBERED} for word in ("//", "%")},
    **{word: {"dtype": "bool"} for word in ("<", "<=", "==", "!=")},
    **{word: WHOLE for word in "&|^"},
}
ARITHMETIC = {
    **{f"a {word} b": of_two(f, **_LIMITS[word]) for word, f in _WORDS.items()},
    "a / b": of_two(lambda a, b: a / b, dtype=dict.fromkeys(WHOLE["dtypes"], "float64")),
    "a << b": of_two(_shift("<<"), dtype=COUNTS, **WHOLE),
    "a >> b": of_two(_shift(">>"), dtype=COUNTS, **WHOLE),
    "a ** (b & 7)": of_two(
        lambda a, b: a ** (b & 7),
        dtypes=WHOLE["dtypes"],
        why_not="of floats it is `power`",
        dtype=COUNTS,
    ),
    "-a": of_one(lambda a: -a, **NUMBERS),
    "~a": of_one(lambda a: ~a, **WHOLE),
    "logical_not": of_one(sw.logical_not, np.logical_not, dtype="bool"),
    "a && b": of_two(
        lambda a, b: sw.all_of(a != 0, b != 0),
        lambda a, b: np.logical_and(a != 0, b != 0),
        dtype="bool",
    ),
    "minimum": of_two(sw.minimum, np.minimum, zeros=False),
    "maximum": of_two(sw.maximum, np.maximum, zeros=False),
    "clip": of_one(
        lambda a: sw.clip(a, 1, 3), lambda a: np.clip(a, 1, 3), dtype=COUNTS, zeros=False
    ),
    "select": of_two(lambda a, b: sw.select(a < b, a, b), lambda a, b: np.where(a < b, a, b)),
    "abs": of_one(sw.abs, np.abs),
    "sign": of_one(sw.sign, np.sign, **NUMBERS),
    "square": of_one(sw.square, np.square, dtype=NUMBERED),
    "fmod": of_two(sw.fmod, np.fmod, dtype=NUMBERED),
    "copysign": of_two(sw.copysign, np.copysign, dtype=FLOAT_OF),
    **{name: of_one(getattr(sw, name), getattr(np, name)) for name in ("floor", "ceil", "trunc")},
    **{
        name: of_one(getattr(sw, name), getattr(np, name), dtype=FLOAT_OF)
        for name in ("rint", "sqrt")
    },
    **{
        name: of_one(getattr(sw, name), getattr(np, name), dtype="bool")
        for name in ("isnan", "isinf", "isfinite")
    },
}


def _sigmoid(x):
    return np.where(x > 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))


_ERF = np.vectorize(math.erf, otypes=[np.float64])
_FUNCTIONS = (
    "cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh "
    "arcsinh arccosh arctanh"
).split()
_ABOUT = {"dtype": FLOAT_OF, "ulps": 3, "wide": True}


FUNCTIONS = {
    **{name: of_one(getattr(sw, name), getattr(np, name), **_ABOUT) for name in _FUNCTIONS},
    "sigmoid": of_one(sw.sigmoid, _sigmoid, **_ABOUT),
    "erf": of_one(sw.erf, _ERF, **_ABOUT),
    "rsqrt": of_one(sw.rsqrt, lambda x: 1 / np.sqrt(x), **_ABOUT),
    "power": of_two(
        sw.power,
        np.power,
        dtypes=FLOATS,
        why_not="of integers it is `a ** (b & 7)`, as NumPy takes no negative exponents of them",
        ulps=3,
        wide=True,
    ),
    **{
        name: of_two(getattr(sw, name), getattr(np, name), **_ABOUT)
        for name in ("arctan2", "hypot")
    },
}


def _cast(to):
    """A conversion; what the type cannot hold has no result that NumPy promises."""

    def make(T, e, name):
        source = T["A" if to in FLOATS or to == "bool" or not _is_float(T["A"]) else "C"]
        return sw.compute((e["n"],), lambda i: source[i].astype(to), name=name)

    def expect(V, e):
        a = V["A" if to in FLOATS or to == "bool" or V["A"].dtype.kind != "f" else "C"]
        return a if to in FLOATS else a.astype(to)

    return Operator(make, expect, dtype=to)


def _is_float(tensor):
    return tensor._node.dtype in FLOATS


CASTS = {f"astype({to})": _cast(to) for to in DTYPES}
