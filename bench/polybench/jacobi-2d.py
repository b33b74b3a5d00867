"""jacobi-2d: the mean of five points, from one array to the other and back."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 30), "SMALL": (40, 90), "MEDIUM": (100, 250), "LARGE": (500, 1300)}


def program(tsteps, n):
    """Both arrays in one: half a step p goes from U[p] to U[1 - p]."""
    U = sw.placeholder((2, n, n), "float64", name="U")

    def value(t, p, i, j):
        i, j = i + 1, j + 1
        return 0.2 * (
            U[p, i, j] + U[p, i, j - 1] + U[p, i, j + 1] + U[p, i + 1, j] + U[p, i - 1, j]
        )

    U2 = sw.update(U, (tsteps, 2, n - 2, n - 2), lambda t, p, i, j: (1 - p, i + 1, j + 1), value)
    return [U], [U2]


def data(rng, tsteps, n):
    return (rng.random((2, n, n)),)


def _mean(A):
    return 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])


def reference(size, U):
    A, B = U.copy()
    for _ in range(size[0]):
        B[1:-1, 1:-1] = _mean(A)
        A[1:-1, 1:-1] = _mean(B)
    return [np.stack([A, B])]
