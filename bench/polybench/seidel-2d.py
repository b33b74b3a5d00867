"""seidel-2d: Gauss-Seidel, the mean of nine points."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 40), "SMALL": (40, 120), "MEDIUM": (100, 400), "LARGE": (500, 2000)}


def program(tsteps, n):
    A = sw.placeholder((n, n), "float64", name="A")
    window = [(di, dj) for di in (0, 1, 2) for dj in (0, 1, 2)]
    A2 = sw.update(
        A,
        (tsteps, n - 2, n - 2),
        lambda t, i, j: (i + 1, j + 1),
        lambda t, i, j: sum(A[i + di, j + dj] for di, dj in window) / 9.0,
    )
    return [A], [A2]


def data(rng, tsteps, n):
    return (rng.random((n, n)),)


def reference(size, A):
    tsteps, n = size
    A = A.tolist()
    for _ in range(tsteps):
        for i in range(1, n - 1):
            up, row, down = A[i - 1], A[i], A[i + 1]
            for j in range(1, n - 1):
                near = slice(j - 1, j + 2)
                row[j] = (sum(up[near]) + sum(row[near]) + sum(down[near])) / 9.0
    return [np.array(A)]
