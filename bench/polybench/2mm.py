"""2mm: D <- alpha*A*B*C + beta*D."""

import solway as sw

SIZES = {
    "MINI": (16, 18, 22, 24),
    "SMALL": (40, 50, 70, 80),
    "MEDIUM": (180, 190, 210, 220),
    "LARGE": (800, 900, 1100, 1200),
}
ALPHA, BETA = 1.5, 1.2


def program(ni, nj, nk, nl):
    A = sw.placeholder((ni, nk), "float64", name="A")
    B = sw.placeholder((nk, nj), "float64", name="B")
    C = sw.placeholder((nj, nl), "float64", name="C")
    D = sw.placeholder((ni, nl), "float64", name="D")
    k, m = sw.reduce_axis(nk, name="k"), sw.reduce_axis(nj, name="m")
    AB = sw.compute((ni, nj), lambda i, j: sw.sum(ALPHA * A[i, k] * B[k, j], axis=k), name="AB")
    D2 = sw.update(
        D,
        (ni, nl),
        lambda i, j: (i, j),
        lambda i, j: D[i, j] * BETA + sw.sum(AB[i, m] * C[m, j], axis=m),
    )
    return [A, B, C, D], [D2]


def data(rng, ni, nj, nk, nl):
    return rng.random((ni, nk)), rng.random((nk, nj)), rng.random((nj, nl)), rng.random((ni, nl))


def reference(size, A, B, C, D):
    return [ALPHA * A @ B @ C + BETA * D]
