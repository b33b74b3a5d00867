"""nussinov: the most base pairs of a sequence, by dynamic programming over its parts."""

import numpy as np
import solway as sw

SIZES = {"MINI": (60,), "SMALL": (180,), "MEDIUM": (500,), "LARGE": (2500,)}


def program(n):
    """Row r of T is that of the parts that begin at n - 1 - r."""
    bases = sw.placeholder((n,), "int8", name="bases")
    k = sw.reduce_axis(n, name="k")
    zero = sw.cast(0, "int32")

    def element(T, r, j):
        i = n - 1 - r
        pairs = sw.select(sw.cast(bases[i], "int32") + sw.cast(bases[j], "int32") == 3, 1, 0)
        ends = sw.select(i < j - 1, T[r - 1, j - 1] + sw.cast(pairs, "int32"), zero)
        halves = sw.select(sw.all_of(k > i, k < j), T[r, k] + T[n - 2 - k, j], zero)
        best = sw.maximum(sw.maximum(T[r, j - 1], T[r - 1, j]), ends)
        return sw.select(i < j, sw.maximum(best, sw.max(halves, axis=k)), zero)

    T = sw.recurrence((n, n), element, "int32", where=lambda r, j: r + j >= n - 1, name="T")
    table = sw.compute(
        (n, n), lambda i, j: T[n - 1 - i, j], where=lambda i, j: i <= j, name="table"
    )
    return [bases, table], [table]


def data(rng, n):
    return (rng.integers(0, 4, n, dtype=np.int8),)


def reference(size, bases):
    n = len(bases)
    T = np.zeros((n, n), np.int32)
    for i in reversed(range(n)):
        for j in range(i + 1, n):
            best = max(T[i, j - 1], T[i + 1, j])
            pair = i < j - 1 and int(bases[i]) + int(bases[j]) == 3
            best = max(best, T[i + 1, j - 1] + pair)
            for k in range(i + 1, j):
                best = max(best, T[i, k] + T[k + 1, j])
            T[i, j] = best
    return [T]
