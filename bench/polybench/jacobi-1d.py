"""jacobi-1d: the mean of three points, from one array to the other and back."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 30), "SMALL": (40, 120), "MEDIUM": (100, 400), "LARGE": (500, 2000)}


def program(tsteps, n):
    """Both arrays in one: half a step p goes from U[p] to U[1 - p]."""
    U = sw.placeholder((2, n), "float64", name="U")
    U2 = sw.update(
        U,
        (tsteps, 2, n - 2),
        lambda t, p, i: (1 - p, i + 1),
        lambda t, p, i: 0.33333 * (U[p, i] + U[p, i + 1] + U[p, i + 2]),
    )
    return [U], [U2]


def data(rng, tsteps, n):
    return (rng.random((2, n)),)


def reference(size, U):
    A, B = U.copy()
    for _ in range(size[0]):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
    return [np.stack([A, B])]
