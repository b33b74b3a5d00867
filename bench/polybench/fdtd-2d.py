"""fdtd-2d: the electromagnetic field in two dimensions, by finite differences."""

import numpy as np
import solway as sw

SIZES = {
    "MINI": (20, 20, 30),
    "SMALL": (40, 60, 80),
    "MEDIUM": (100, 200, 240),
    "LARGE": (500, 1000, 1200),
}
EY, EX, HZ = 0, 1, 2


def program(tmax, nx, ny):
    """The fields ey, ex and hz in one tensor; a time step goes through them in this order."""
    F = sw.placeholder((3, nx, ny), "float64", name="F")
    source = sw.placeholder((tmax,), "float64", name="source")

    def value(t, f, i, j):
        ey = sw.select(i == 0, source[t], F[EY, i, j] - 0.5 * (F[HZ, i, j] - F[HZ, i - 1, j]))
        ex = F[EX, i, j] - 0.5 * (F[HZ, i, j] - F[HZ, i, j - 1])
        curl = F[EX, i, j + 1] - F[EX, i, j] + F[EY, i + 1, j] - F[EY, i, j]
        hz = F[HZ, i, j] - 0.7 * curl
        return sw.select(f == EY, ey, sw.select(f == EX, ex, hz))

    def where(t, f, i, j):
        inside = sw.all_of(f == HZ, i < nx - 1, j < ny - 1)
        return sw.any_of(f == EY, sw.all_of(f == EX, j > 0), inside)

    F2 = sw.update(F, (tmax, 3, nx, ny), lambda t, f, i, j: (f, i, j), value, where=where)
    return [F, source], [F2]


def data(rng, tmax, nx, ny):
    return rng.random((3, nx, ny)), np.arange(tmax, dtype=np.float64)


def reference(size, F, source):
    ey, ex, hz = F.copy()
    for now in source:
        ey[0] = now
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return [np.stack([ey, ex, hz])]
