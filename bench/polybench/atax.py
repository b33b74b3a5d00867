"""atax: y = A'*(A*x)."""

import solway as sw

SIZES = {"MINI": (38, 42), "SMALL": (116, 124), "MEDIUM": (390, 410), "LARGE": (1900, 2100)}


def program(m, n):
    A = sw.placeholder((m, n), "float64", name="A")
    x = sw.placeholder((n,), "float64", name="x")
    j, k = sw.reduce_axis(n, name="j"), sw.reduce_axis(m, name="k")
    Ax = sw.compute((m,), lambda i: sw.sum(A[i, j] * x[j], axis=j), name="Ax")
    y = sw.compute((n,), lambda i: sw.sum(A[k, i] * Ax[k], axis=k), name="y")
    return [A, x, y], [y]


def data(rng, m, n):
    return rng.random((m, n)), rng.random(n)


def reference(size, A, x):
    return [A.T @ (A @ x)]
