"""heat-3d: the heat equation, from one array to the other and back."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 10), "SMALL": (40, 20), "MEDIUM": (100, 40), "LARGE": (500, 120)}


def program(tsteps, n):
    """Both arrays in one: half a step p goes from U[p] to U[1 - p]."""
    U = sw.placeholder((2, n, n, n), "float64", name="U")

    def value(t, p, i, j, k):
        i, j, k = i + 1, j + 1, k + 1
        here = U[p, i, j, k]
        return (
            0.125 * (U[p, i + 1, j, k] - 2.0 * here + U[p, i - 1, j, k])
            + 0.125 * (U[p, i, j + 1, k] - 2.0 * here + U[p, i, j - 1, k])
            + 0.125 * (U[p, i, j, k + 1] - 2.0 * here + U[p, i, j, k - 1])
            + here
        )

    box = (tsteps, 2, n - 2, n - 2, n - 2)
    U2 = sw.update(U, box, lambda t, p, i, j, k: (1 - p, i + 1, j + 1, k + 1), value)
    return [U], [U2]


def data(rng, tsteps, n):
    return (rng.random((2, n, n, n)),)


def _step(A):
    here = A[1:-1, 1:-1, 1:-1]
    return (
        0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * here + A[:-2, 1:-1, 1:-1])
        + 0.125 * (A[1:-1, 2:, 1:-1] - 2.0 * here + A[1:-1, :-2, 1:-1])
        + 0.125 * (A[1:-1, 1:-1, 2:] - 2.0 * here + A[1:-1, 1:-1, :-2])
        + here
    )


def reference(size, U):
    A, B = U.copy()
    for _ in range(size[0]):
        B[1:-1, 1:-1, 1:-1] = _step(A)
        A[1:-1, 1:-1, 1:-1] = _step(B)
    return [np.stack([A, B])]
