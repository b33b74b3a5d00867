"""floyd-warshall: the lengths of all shortest paths."""

import numpy as np
import solway as sw

SIZES = {"MINI": (60,), "SMALL": (180,), "MEDIUM": (500,), "LARGE": (2800,)}


def program(n):
    P = sw.placeholder((n, n), "int32", name="P")
    P2 = sw.update(
        P,
        (n, n, n),
        lambda k, i, j: (i, j),
        lambda k, i, j: sw.minimum(P[i, j], P[i, k] + P[k, j]),
    )
    return [P], [P2]


def data(rng, n):
    return (rng.integers(1, 1000, (n, n), dtype=np.int32),)


def reference(size, P):
    P = P.copy()
    for k in range(len(P)):
        P = np.minimum(P, P[:, k : k + 1] + P[k])
    return [P]
