"""durbin: y with T*y = -r, T the symmetric Toeplitz matrix of 1, r[0], ..., r[n-2]."""

import numpy as np
import solway as sw

SIZES = {"MINI": (40,), "SMALL": (120,), "MEDIUM": (400,), "LARGE": (2000,)}


def program(n):
    """Row k of S is beta, alpha and the solution of size k + 1."""
    r = sw.placeholder((n,), "float64", name="r")
    m = sw.reduce_axis(n, name="m")

    def element(S, k, c):
        i = c - 2
        known = sw.sum(sw.select(m < k, r[k - m - 1] * S[k - 1, m + 2], 0.0), axis=m)
        beta = (1 - S[k - 1, 1] * S[k - 1, 1]) * S[k - 1, 0]
        alpha = -(r[k] + known) / S[k, 0]
        step = sw.select(i < k, S[k - 1, c] + S[k, 1] * S[k - 1, k - 1 - i + 2], S[k, 1])
        first = sw.select(c == 0, 1.0, -r[0])
        later = sw.select(c == 0, beta, sw.select(c == 1, alpha, step))
        return sw.select(k == 0, first, later)

    S = sw.recurrence((n, n + 2), element, "float64", where=lambda k, c: c <= k + 2, name="S")
    y = sw.compute((n,), lambda i: S[n - 1, i + 2], name="y")
    return [r, y], [y]


def data(rng, n):
    return (rng.random(n) / n,)


def reference(size, r):
    t = np.concatenate([[1.0], r[:-1]])
    T = t[np.abs(np.subtract.outer(np.arange(len(r)), np.arange(len(r))))]
    return [np.linalg.solve(T, -r)]
