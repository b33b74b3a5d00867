"""3mm: G = (A*B)*(C*D)."""

import solway as sw

SIZES = {
    "MINI": (16, 18, 20, 22, 24),
    "SMALL": (40, 50, 60, 70, 80),
    "MEDIUM": (180, 190, 200, 210, 220),
    "LARGE": (800, 900, 1000, 1100, 1200),
}


def program(ni, nj, nk, nl, nm):
    A = sw.placeholder((ni, nk), "float64", name="A")
    B = sw.placeholder((nk, nj), "float64", name="B")
    C = sw.placeholder((nj, nm), "float64", name="C")
    D = sw.placeholder((nm, nl), "float64", name="D")
    k, m, j = sw.reduce_axis(nk, name="k"), sw.reduce_axis(nm, name="m"), sw.reduce_axis(nj)
    E = sw.compute((ni, nj), lambda x, y: sw.sum(A[x, k] * B[k, y], axis=k), name="E")
    F = sw.compute((nj, nl), lambda x, y: sw.sum(C[x, m] * D[m, y], axis=m), name="F")
    G = sw.compute((ni, nl), lambda x, y: sw.sum(E[x, j] * F[j, y], axis=j), name="G")
    return [A, B, C, D, G], [G]


def data(rng, ni, nj, nk, nl, nm):
    return rng.random((ni, nk)), rng.random((nk, nj)), rng.random((nj, nm)), rng.random((nm, nl))


def reference(size, A, B, C, D):
    return [(A @ B) @ (C @ D)]
