"""gramschmidt: Q*R = A, Q orthonormal, R upper triangular, by the modified method; A <- Q.

The published sizes have more columns than rows: steps past the rank would only scale what
rounding left, so they are not taken.
"""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 30), "SMALL": (60, 80), "MEDIUM": (200, 240), "LARGE": (1000, 1200)}


def program(m, n):
    """W is A, which becomes Q, above R. At step (k, j), row 0 of the box gives R[k, j], the others
    column j of A.
    """
    W = sw.placeholder((m + n, n), "float64", name="W")
    l = sw.reduce_axis(m, name="l")

    def value(k, j, s):
        product = sw.sum(W[l, k] * W[l, j], axis=l)
        i = s - 1
        column = sw.select(j == k, W[i, k] / W[m + k, k], W[i, j] - W[i, k] * W[m + k, j])
        return sw.select(s == 0, sw.select(j == k, sw.sqrt(product), product), column)

    QR = sw.update(
        W,
        (min(m, n), n, m + 1),
        lambda k, j, s: (sw.select(s == 0, m + k, s - 1), j),
        value,
        where=lambda k, j, s: j >= k,
        name="QR",
    )
    return [W], [QR]


def data(rng, m, n):
    return (np.concatenate([rng.random((m, n)), np.zeros((n, n))]),)


def reference(size, W):
    m, n = size
    A, R = W[:m].copy(), np.zeros((n, n))
    for k in range(min(m, n)):
        R[k, k] = np.sqrt(A[:, k] @ A[:, k])
        A[:, k] /= R[k, k]
        for j in range(k + 1, n):
            R[k, j] = A[:, k] @ A[:, j]
            A[:, j] -= A[:, k] * R[k, j]
    return [np.concatenate([A, R])]
