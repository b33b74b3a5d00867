"""gemver: A2 = A + u1*v1' + u2*v2', x <- x + beta*A2'*y + z, w = alpha*A2*x."""

import numpy as np
import solway as sw

SIZES = {"MINI": (40,), "SMALL": (120,), "MEDIUM": (400,), "LARGE": (2000,)}
ALPHA, BETA = 1.5, 1.2


def program(n):
    A = sw.placeholder((n, n), "float64", name="A")
    vectors = [sw.placeholder((n,), "float64", name=x) for x in ("u1", "v1", "u2", "v2", "y", "z")]
    u1, v1, u2, v2, y, z = vectors
    j, k = sw.reduce_axis(n, name="j"), sw.reduce_axis(n, name="k")
    A2 = sw.update(
        A, (n, n), lambda i, j: (i, j), lambda i, j: A[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    )
    x = sw.compute((n,), lambda i: sw.sum(BETA * A2[k, i] * y[k], axis=k) + z[i], name="x")
    w = sw.compute((n,), lambda i: sw.sum(ALPHA * A2[i, j] * x[j], axis=j), name="w")
    return [A, *vectors, w, x], [w, x, A2]


def data(rng, n):
    return rng.random((n, n)), *rng.random((6, n))


def reference(size, A, u1, v1, u2, v2, y, z):
    A = A + np.outer(u1, v1) + np.outer(u2, v2)
    x = BETA * A.T @ y + z
    return [ALPHA * A @ x, x, A]
