"""symm: C <- alpha*S*B + beta*C, S symmetric, of which the lower triangle of A is stored."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 30), "SMALL": (60, 80), "MEDIUM": (200, 240), "LARGE": (1000, 1200)}
ALPHA, BETA = 1.5, 1.2


def program(m, n):
    A = sw.placeholder((m, m), "float64", name="A")
    B = sw.placeholder((m, n), "float64", name="B")
    C = sw.placeholder((m, n), "float64", name="C")
    k = sw.reduce_axis(m, name="k")

    def value(i, j):
        S = sw.select(k <= i, A[i, k], A[k, i])
        return BETA * C[i, j] + ALPHA * sw.sum(S * B[k, j], axis=k)

    C2 = sw.update(C, (m, n), lambda i, j: (i, j), value)
    return [A, B, C], [C2]


def data(rng, m, n):
    return rng.random((m, m)), rng.random((m, n)), rng.random((m, n))


def reference(size, A, B, C):
    S = np.tril(A) + np.tril(A, -1).T
    return [ALPHA * S @ B + BETA * C]
