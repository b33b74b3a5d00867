"""trmm: B <- alpha*A'*B, A unit lower triangular."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 30), "SMALL": (60, 80), "MEDIUM": (200, 240), "LARGE": (1000, 1200)}
ALPHA = 1.5


def program(m, n):
    A = sw.placeholder((m, m), "float64", name="A")
    B = sw.placeholder((m, n), "float64", name="B")
    k = sw.reduce_axis(m, name="k")
    B2 = sw.update(  # a row reads rows below it, which have not changed yet
        B,
        (m, n),
        lambda i, j: (i, j),
        lambda i, j: ALPHA * (B[i, j] + sw.sum(sw.select(k > i, A[k, i] * B[k, j], 0.0), axis=k)),
    )
    return [A, B], [B2]


def data(rng, m, n):
    return rng.random((m, m)), rng.random((m, n))


def reference(size, A, B):
    return [ALPHA * (np.tril(A, -1) + np.eye(len(A))).T @ B]
