"""bicg: s = A'*r, q = A*p."""

import solway as sw

SIZES = {"MINI": (38, 42), "SMALL": (116, 124), "MEDIUM": (390, 410), "LARGE": (1900, 2100)}


def program(m, n):
    A = sw.placeholder((n, m), "float64", name="A")
    p = sw.placeholder((m,), "float64", name="p")
    r = sw.placeholder((n,), "float64", name="r")
    j, k = sw.reduce_axis(m, name="j"), sw.reduce_axis(n, name="k")
    s = sw.compute((m,), lambda i: sw.sum(r[k] * A[k, i], axis=k), name="s")
    q = sw.compute((n,), lambda i: sw.sum(A[i, j] * p[j], axis=j), name="q")
    return [A, p, r, s, q], [s, q]


def data(rng, m, n):
    return rng.random((n, m)), rng.random(m), rng.random(n)


def reference(size, A, p, r):
    return [A.T @ r, A @ p]
