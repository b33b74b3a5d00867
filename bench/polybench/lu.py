"""lu: A <- L and U with L*U = A, L unit lower triangular."""

import numpy as np
import solway as sw

SIZES = {"MINI": (40,), "SMALL": (120,), "MEDIUM": (400,), "LARGE": (2000,)}


def program(n):
    A = sw.placeholder((n, n), "float64", name="A")
    k = sw.reduce_axis(n, name="k")

    def value(i, j):
        known = sw.select(k < sw.minimum(i, j), A[i, k] * A[k, j], 0.0)
        rest = A[i, j] - sw.sum(known, axis=k)
        return sw.select(j < i, rest / A[j, j], rest)

    A2 = sw.update(A, (n, n), lambda i, j: (i, j), value)
    return [A], [A2]


def data(rng, n):
    return (rng.random((n, n)) + n * np.eye(n),)


def reference(size, A):
    A = A.copy()
    for k in range(len(A)):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return [A]
