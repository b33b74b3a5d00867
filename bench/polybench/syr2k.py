"""syr2k: C <- alpha*A*B' + alpha*B*A' + beta*C, on the lower triangle."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 30), "SMALL": (60, 80), "MEDIUM": (200, 240), "LARGE": (1000, 1200)}
ALPHA, BETA = 1.5, 1.2


def program(m, n):
    A = sw.placeholder((n, m), "float64", name="A")
    B = sw.placeholder((n, m), "float64", name="B")
    C = sw.placeholder((n, n), "float64", name="C")
    k = sw.reduce_axis(m, name="k")

    def value(i, j):
        term = A[j, k] * ALPHA * B[i, k] + B[j, k] * ALPHA * A[i, k]
        return BETA * C[i, j] + sw.sum(term, axis=k)

    C2 = sw.update(C, (n, n), lambda i, j: (i, j), value, where=lambda i, j: j <= i)
    return [A, B, C], [C2]


def data(rng, m, n):
    return rng.random((n, m)), rng.random((n, m)), rng.random((n, n))


def reference(size, A, B, C):
    return [np.tril(ALPHA * (A @ B.T + B @ A.T) + BETA * C) + np.triu(C, 1)]
