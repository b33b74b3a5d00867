"""covariance: of the columns of n observations of m variables."""

import numpy as np
import solway as sw

SIZES = {"MINI": (28, 32), "SMALL": (80, 100), "MEDIUM": (240, 260), "LARGE": (1200, 1400)}


def program(m, n):
    D = sw.placeholder((n, m), "float64", name="D")
    a, k = sw.reduce_axis(n, name="a"), sw.reduce_axis(n, name="k")
    mean = sw.compute((m,), lambda j: sw.sum(D[a, j], axis=a) / n, name="mean")
    centred = sw.compute((n, m), lambda i, j: D[i, j] - mean[j], name="centred")
    upper = sw.compute(
        (m, m),
        lambda i, j: sw.sum(centred[k, i] * centred[k, j], axis=k) / (n - 1),
        where=lambda i, j: i <= j,
        name="upper",
    )
    C = sw.compute((m, m), lambda i, j: sw.select(i <= j, upper[i, j], upper[j, i]), name="C")
    return [D, C], [C]


def data(rng, m, n):
    return (rng.random((n, m)),)


def reference(size, D):
    return [np.cov(D, rowvar=False)]
