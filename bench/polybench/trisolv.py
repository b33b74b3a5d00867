"""trisolv: x with L*x = b, L lower triangular."""

import numpy as np
import solway as sw

SIZES = {"MINI": (40,), "SMALL": (120,), "MEDIUM": (400,), "LARGE": (2000,)}


def program(n):
    L = sw.placeholder((n, n), "float64", name="L")
    b = sw.placeholder((n,), "float64", name="b")
    k = sw.reduce_axis(n, name="k")
    x = sw.recurrence(
        (n,),
        lambda x, i: (b[i] - sw.sum(sw.select(k < i, L[i, k] * x[k], 0.0), axis=k)) / L[i, i],
        "float64",
        name="x",
    )
    return [L, b, x], [x]


def data(rng, n):
    return rng.random((n, n)) + n * np.eye(n), rng.random(n)


def reference(size, L, b):
    return [np.linalg.solve(np.tril(L), b)]
