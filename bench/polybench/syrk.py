"""syrk: C <- alpha*A*A' + beta*C, on the lower triangle."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 30), "SMALL": (60, 80), "MEDIUM": (200, 240), "LARGE": (1000, 1200)}
ALPHA, BETA = 1.5, 1.2


def program(m, n):
    A = sw.placeholder((n, m), "float64", name="A")
    C = sw.placeholder((n, n), "float64", name="C")
    k = sw.reduce_axis(m, name="k")
    C2 = sw.update(
        C,
        (n, n),
        lambda i, j: (i, j),
        lambda i, j: BETA * C[i, j] + sw.sum(ALPHA * A[i, k] * A[j, k], axis=k),
        where=lambda i, j: j <= i,
    )
    return [A, C], [C2]


def data(rng, m, n):
    return rng.random((n, m)), rng.random((n, n))


def reference(size, A, C):
    return [np.tril(ALPHA * A @ A.T + BETA * C) + np.triu(C, 1)]
