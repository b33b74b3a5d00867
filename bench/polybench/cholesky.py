"""cholesky: the lower triangular L with L*L' = A."""

import numpy as np
import solway as sw

SIZES = {"MINI": (40,), "SMALL": (120,), "MEDIUM": (400,), "LARGE": (2000,)}


def program(n):
    A = sw.placeholder((n, n), "float64", name="A")
    k = sw.reduce_axis(n, name="k")

    def element(L, i, j):
        rest = A[i, j] - sw.sum(sw.select(k < j, L[i, k] * L[j, k], 0.0), axis=k)
        return sw.select(j < i, rest / L[j, j], sw.sqrt(rest))

    L = sw.recurrence((n, n), element, "float64", where=lambda i, j: j <= i, name="L")
    return [A, L], [L]


def data(rng, n):
    half = rng.random((n, n))
    return (half @ half.T + n * np.eye(n),)


def reference(size, A):
    return [np.linalg.cholesky(A)]
