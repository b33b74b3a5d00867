"""gemm: C <- alpha*A*B + beta*C."""

import solway as sw

SIZES = {
    "MINI": (20, 25, 30),
    "SMALL": (60, 70, 80),
    "MEDIUM": (200, 220, 240),
    "LARGE": (1000, 1100, 1200),
}
ALPHA, BETA = 1.5, 1.2


def program(ni, nj, nk):
    A = sw.placeholder((ni, nk), "float64", name="A")
    B = sw.placeholder((nk, nj), "float64", name="B")
    C = sw.placeholder((ni, nj), "float64", name="C")
    k = sw.reduce_axis(nk, name="k")
    C2 = sw.update(
        C,
        (ni, nj),
        lambda i, j: (i, j),
        lambda i, j: BETA * C[i, j] + sw.sum(ALPHA * A[i, k] * B[k, j], axis=k),
    )
    return [A, B, C], [C2]


def data(rng, ni, nj, nk):
    return rng.random((ni, nk)), rng.random((nk, nj)), rng.random((ni, nj))


def reference(size, A, B, C):
    return [ALPHA * A @ B + BETA * C]
