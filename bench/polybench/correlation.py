"""correlation: of the columns of n observations of m variables."""

import numpy as np
import solway as sw

SIZES = {"MINI": (28, 32), "SMALL": (80, 100), "MEDIUM": (240, 260), "LARGE": (1200, 1400)}
EPSILON = 0.1


def program(m, n):
    D = sw.placeholder((n, m), "float64", name="D")
    a, b, k = sw.reduce_axis(n, name="a"), sw.reduce_axis(n, name="b"), sw.reduce_axis(n, name="k")
    mean = sw.compute((m,), lambda j: sw.sum(D[a, j], axis=a) / n, name="mean")
    variance = sw.compute(
        (m,),
        lambda j: sw.sum((D[b, j] - mean[j]) * (D[b, j] - mean[j]), axis=b) / n,
        name="variance",
    )
    # what is nearly constant is not scaled
    deviation = sw.compute(
        (m,),
        lambda j: sw.select(sw.sqrt(variance[j]) <= EPSILON, 1.0, sw.sqrt(variance[j])),
        name="deviation",
    )
    scaled = sw.compute(
        (n, m), lambda i, j: (D[i, j] - mean[j]) / (np.sqrt(n) * deviation[j]), name="scaled"
    )
    upper = sw.compute(
        (m, m),
        lambda i, j: sw.sum(scaled[k, i] * scaled[k, j], axis=k),
        where=lambda i, j: i < j,
        name="upper",
    )
    C = sw.compute(
        (m, m),
        lambda i, j: sw.select(i == j, 1.0, sw.select(i < j, upper[i, j], upper[j, i])),
        name="C",
    )
    return [D, C], [C]


def data(rng, m, n):
    return (rng.random((n, m)),)


def reference(size, D):
    deviation = D.std(axis=0)
    deviation[deviation <= EPSILON] = 1.0
    scaled = (D - D.mean(axis=0)) / (np.sqrt(len(D)) * deviation)
    C = scaled.T @ scaled
    np.fill_diagonal(C, 1.0)
    return [C]
