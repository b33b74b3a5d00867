"""gesummv: y = alpha*A*x + beta*B*x."""

import solway as sw

SIZES = {"MINI": (30,), "SMALL": (90,), "MEDIUM": (250,), "LARGE": (1300,)}
ALPHA, BETA = 1.5, 1.2


def program(n):
    A = sw.placeholder((n, n), "float64", name="A")
    B = sw.placeholder((n, n), "float64", name="B")
    x = sw.placeholder((n,), "float64", name="x")
    j, k = sw.reduce_axis(n, name="j"), sw.reduce_axis(n, name="k")
    y = sw.compute(
        (n,),
        lambda i: ALPHA * sw.sum(A[i, j] * x[j], axis=j) + BETA * sw.sum(B[i, k] * x[k], axis=k),
        name="y",
    )
    return [A, B, x, y], [y]


def data(rng, n):
    return rng.random((n, n)), rng.random((n, n)), rng.random(n)


def reference(size, A, B, x):
    return [ALPHA * A @ x + BETA * B @ x]
