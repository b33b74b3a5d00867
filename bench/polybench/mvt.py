"""mvt: x1 <- x1 + A*y1, x2 <- x2 + A'*y2."""

import solway as sw

SIZES = {"MINI": (40,), "SMALL": (120,), "MEDIUM": (400,), "LARGE": (2000,)}


def program(n):
    A = sw.placeholder((n, n), "float64", name="A")
    x1, x2, y1, y2 = (sw.placeholder((n,), "float64", name=x) for x in ("x1", "x2", "y1", "y2"))
    j, k = sw.reduce_axis(n, name="j"), sw.reduce_axis(n, name="k")
    x1_new = sw.update(
        x1, n, lambda i: i, lambda i: x1[i] + sw.sum(A[i, j] * y1[j], axis=j), name="x1_new"
    )
    x2_new = sw.update(
        x2, n, lambda i: i, lambda i: x2[i] + sw.sum(A[k, i] * y2[k], axis=k), name="x2_new"
    )
    return [A, x1, x2, y1, y2], [x1_new, x2_new]


def data(rng, n):
    return rng.random((n, n)), *rng.random((4, n))


def reference(size, A, x1, x2, y1, y2):
    return [x1 + A @ y1, x2 + A.T @ y2]
