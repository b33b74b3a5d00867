"""The families of the matrix of operators."""

from __future__ import annotations

import numpy as np
import solway as sw
from support.operator_values import FLOATS, INTEGERS, pairs, smallest, smalls, stored
from support.operator_windows import WINDOW_FAMILIES
from support.operators import ARITHMETIC, CASTS, COUNTS, FUNCTIONS, Family, Operator

ODD = 467  # no multiple of any number of lanes; holds all pairs of corners


def _vectors(e):
    return {name: (e["n"],) for name in "ABC"}


def _vector_values(dtype, shapes):
    a, b = pairs(dtype, ODD)
    # What every integer type holds, with fractions and -0 where there are such.
    c = np.abs(np.random.default_rng(2).normal(size=ODD)) * 30
    c[:3] = [-0.0, 100, 0.99]
    (n,) = shapes["A"]
    # An array of one has the first corners that are not zero.
    return {"A": a[:n], "B": b[:n], "C": stored(np.minimum(c, 100), dtype)[:n]}


def _of_vectors(operators):
    n = {"n": (0, 500)}
    runs = [{"n": 0}, {"n": 1}, {"n": 19}]
    return Family(_vectors, _vector_values, operators, {"n": ODD}, n, runs)


def reduction(name, numpys, **about):
    """A reduction over the columns of A, in vectors."""

    def make(T, e, label):
        k = sw.reduce_axis((0, e["k"]), name=f"k_{label}")
        return sw.compute((e["m"],), lambda i: getattr(sw, name)(T["A"][i, k], axis=k), name=label)

    return Operator(make, lambda V, e: numpys(V["A"]), **about)


def _sum(a):
    # bool counts; others wrap in their own type, floats do not round on the way.
    kind = {"b": "int64", "f": "float64"}.get(a.dtype.kind, a.dtype)
    return a.sum(1, dtype=kind)


def _product_of(a):
    return a.prod(1, dtype={"b": "int64", "f": "float64"}.get(a.dtype.kind, a.dtype))


REDUCTIONS = {
    "sum": reduction("sum", _sum, dtype=COUNTS, zeros=False),
    "prod": reduction("prod", _product_of, dtype=COUNTS, zeros=False),
    "min": reduction("min", lambda a: a.min(1), zeros=False),
    "max": reduction("max", lambda a: a.max(1), zeros=False),
    "argmin": reduction("argmin", lambda a: a.argmin(1), dtype="int64"),
    "argmax": reduction("argmax", lambda a: a.argmax(1), dtype="int64"),
    "any": reduction("any", lambda a: a.any(1), dtype="bool"),
    "all": reduction("all", lambda a: a.all(1), dtype="bool"),
}
OF_NOTHING = {
    "sum of none": REDUCTIONS["sum"],
    "prod of none": REDUCTIONS["prod"],
    "any of none": REDUCTIONS["any"],
    "all of none": REDUCTIONS["all"],
}


def _rows_of_corners(dtype, shapes):
    m, k = shapes["A"]
    out = smalls(dtype, (m, k), seed=3)
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        out[1::2] = np.random.default_rng(4).integers(
            info.min, info.max, out[1::2].shape, dtype=dtype, endpoint=True
        )
    if dtype in FLOATS and m > 4 and k > 4:
        for row, (at, value) in enumerate(
            [(k // 2, np.nan), (k - 1, np.inf), (0, -np.inf), (1, np.inf)], start=1
        ):
            out[row, at] = stored(value, dtype)
        out[4, k - 2] = stored(-np.inf, dtype)
        out[5] = stored(0.0, dtype)
        out[5, 2] = stored(-0.0, dtype)
        out[5, k - 1] = stored(smallest(dtype), dtype)
    return {"A": out}


def product(T, e, name):
    """C = A B, a row of C in vectors."""
    k = sw.reduce_axis((0, e["k"]), name=f"k_{name}")
    return sw.compute(
        (e["m"], e["n"]), lambda i, j: sw.sum(T["A"][i, k] * T["B"][k, j], axis=k), name=name
    )


def product_by_transposed(T, e, name):
    """A product with dot products of rows."""
    k = sw.reduce_axis((0, e["k"]), name=f"k_{name}")
    return sw.compute(
        (e["m"], e["n"]), lambda i, j: sw.sum(T["A"][i, k] * T["Bt"][j, k], axis=k), name=name
    )


def _matmul(a, b):
    kind = {"b": "int64", "f": "float64"}.get(a.dtype.kind, a.dtype)  # bool counts
    with np.errstate(all="ignore"):
        return (a.astype(kind)[:, :, None] * b.astype(kind)[None]).sum(1, dtype=kind)


def _matrices(dtype, shapes):
    out = {name: smalls(dtype, shape, seed) for seed, (name, shape) in enumerate(shapes.items())}
    if dtype in INTEGERS and out["A"].size:
        out["A"][-1, -1] = np.iinfo(dtype).max
    if dtype in FLOATS and min(out["A"].shape) > 2:
        out["A"][1, 1] = stored(np.nan, dtype)
        out["A"][2, 2] = stored(np.inf, dtype)
        out["A"][-1, 3] = stored(-np.inf, dtype)
        out["A"][0] = stored(-0.0, dtype)
        out["A"][0, 0] = stored(smallest(dtype), dtype)  # products and sums of it
        out["B"][2, -1] = stored(0.0, dtype)
        out["Bt"][-1, 2] = stored(-0.0, dtype)
    return out


PRODUCTS = {
    "product": Operator(product, lambda V, e: _matmul(V["A"], V["B"]), dtype=COUNTS, zeros=False),
    "product with a transposed operand": Operator(
        product_by_transposed,
        lambda V, e: _matmul(V["A"], V["Bt"].T),
        dtype=COUNTS,
        zeros=False,
        by_terms=True,
    ),
}


def softmax(T, e, name):
    """Of rows, less their largest element."""
    X, (rows, columns) = T["A"], (e["m"], e["k"])
    k, j = (sw.reduce_axis((0, columns), name=f"{x}_{name}") for x in "kj")
    M = sw.compute((rows,), lambda i: sw.max(X[i, k], axis=k), name=f"{name}_max")
    E = sw.compute((rows, columns), lambda i, x: sw.exp(X[i, x] - M[i]), name=f"{name}_exp")
    S = sw.compute((rows,), lambda i: sw.sum(E[i, j], axis=j), name=f"{name}_sum")
    return sw.compute((rows, columns), lambda i, x: E[i, x] / S[i], name=name)


def _softmax(a):
    e = np.exp(a - a.max(1, keepdims=True, initial=-np.inf))
    return e / e.sum(1, keepdims=True)


def layer_norm(T, e, name):
    """Of rows: less the mean, by the root of the variance."""
    X, (rows, columns) = T["A"], (e["m"], e["k"])
    k, j = (sw.reduce_axis((0, columns), name=f"{x}_{name}") for x in "kj")
    one = sw.compute((rows,), lambda i: sw.sum(X[i, k] * 0 + 1, axis=k), name=f"{name}_count")
    k2 = sw.reduce_axis((0, columns), name=f"k2_{name}")
    M = sw.compute((rows,), lambda i: sw.sum(X[i, k2], axis=k2) / one[i], name=f"{name}_mean")
    D = sw.compute((rows, columns), lambda i, x: X[i, x] - M[i], name=f"{name}_less")
    V = sw.compute(
        (rows,), lambda i: sw.sum(D[i, j] * D[i, j], axis=j) / one[i], name=f"{name}_var"
    )
    return sw.compute((rows, columns), lambda i, x: D[i, x] * sw.rsqrt(V[i] + 0.001), name=name)


def _layer_norm(a):
    less = a - a.mean(1, keepdims=True)
    return less / np.sqrt((less * less).mean(1, keepdims=True) + 0.001)


_OF_FLOATS = {
    "dtypes": FLOATS,
    "why_not": "a program converts to floats first, with `astype`",
    "wide": True,
    "zeros": False,
}
ROWS = {
    "softmax": Operator(softmax, lambda V, e: _softmax(V["A"]), ulps=24, **_OF_FLOATS),
    "layer norm": Operator(layer_norm, lambda V, e: _layer_norm(V["A"]), ulps=64, **_OF_FLOATS),
}


def _row_values(dtype, shapes):
    m, k = shapes["A"]
    out = stored(np.random.default_rng(6).integers(-3, 4, (m, k)), dtype)
    if m > 4 and k > 4:
        out[1, 3] = stored(np.nan, dtype)
        out[2, :3] = stored(-np.inf, dtype)
        out[3] = stored(-np.inf, dtype)
        out[4, 2] = stored(np.inf, dtype)
        out[0, :2] = stored([-0.0, smallest(dtype)], dtype)
    return {"A": out}


ROW_SIZES = {"m": (0, 16), "k": (1, 500)}
ROW_RUNS = [{"m": 0, "k": 7}, {"m": 1, "k": 1}, {"m": 7, "k": 19}]


def _matrix(e):
    return {"A": (e["m"], e["k"])}


def _operands(e):
    return {"A": (e["m"], e["k"]), "B": (e["k"], e["n"]), "Bt": (e["n"], e["k"])}


PRODUCT_RUNS = [
    {"m": 0, "n": 3, "k": 2},
    {"m": 3, "n": 0, "k": 2},
    {"m": 3, "n": 19, "k": 0},
    {"m": 1, "n": 1, "k": 1},
    {"m": 3, "n": 19, "k": 5},
]
FAMILIES = {
    "Arithmetic": _of_vectors(ARITHMETIC),
    "Functions": _of_vectors(FUNCTIONS),
    "Conversions": _of_vectors(CASTS),
    "Reductions": Family(
        _matrix, _rows_of_corners, REDUCTIONS, {"m": 7, "k": ODD}, ROW_SIZES, ROW_RUNS
    ),
    "Reductions of nothing": Family(
        _matrix,
        _rows_of_corners,
        OF_NOTHING,
        {"m": 3, "k": 0},
        {"m": (0, 9), "k": (0, 9)},
        [{"m": 0, "k": 0}, {"m": 2, "k": 0}, {"m": 2, "k": 3}],
    ),
    "Products": Family(
        _operands,
        _matrices,
        PRODUCTS,
        {"m": 5, "n": 37, "k": 13},
        {"m": (0, 9), "n": (0, 40), "k": (0, 30)},
        PRODUCT_RUNS,
    ),
    **WINDOW_FAMILIES,
    "Rows": Family(_matrix, _row_values, ROWS, {"m": 6, "k": 37}, ROW_SIZES, ROW_RUNS),
}
