"""ludcmp: x with A*x = b, by A = L*U, L*y = b, U*x = y; A <- L and U."""

import numpy as np
import solway as sw

SIZES = {"MINI": (40,), "SMALL": (120,), "MEDIUM": (400,), "LARGE": (2000,)}


def program(n):
    A = sw.placeholder((n, n), "float64", name="A")
    b = sw.placeholder((n,), "float64", name="b")
    k, l, m = (sw.reduce_axis(n, name=x) for x in "klm")

    def value(i, j):
        known = sw.select(k < sw.minimum(i, j), A[i, k] * A[k, j], 0.0)
        rest = A[i, j] - sw.sum(known, axis=k)
        return sw.select(j < i, rest / A[j, j], rest)

    LU = sw.update(A, (n, n), lambda i, j: (i, j), value)
    y = sw.recurrence(
        (n,),
        lambda y, i: b[i] - sw.sum(sw.select(l < i, LU[i, l] * y[l], 0.0), axis=l),
        "float64",
        name="y",
    )

    def from_the_end(x, r):  # x[r] is the unknown of row n - 1 - r
        i = n - 1 - r
        known = sw.select(m < r, LU[i, n - 1 - m] * x[m], 0.0)
        return (y[i] - sw.sum(known, axis=m)) / LU[i, i]

    reverse = sw.recurrence((n,), from_the_end, "float64", name="reverse")
    x = sw.compute((n,), lambda i: reverse[n - 1 - i], name="x")
    return [A, b, x], [x, LU]


def data(rng, n):
    return rng.random((n, n)) + n * np.eye(n), rng.random(n)


def reference(size, A, b):
    LU = A.copy()
    for k in range(len(A)):
        LU[k + 1 :, k] /= LU[k, k]
        LU[k + 1 :, k + 1 :] -= np.outer(LU[k + 1 :, k], LU[k, k + 1 :])
    return [np.linalg.solve(A, b), LU]
