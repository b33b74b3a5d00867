"""adi: heat in two dimensions by alternating directions, implicit along one of them at a time."""

import numpy as np
import solway as sw

SIZES = {"MINI": (20, 20), "SMALL": (40, 60), "MEDIUM": (100, 200), "LARGE": (500, 1000)}
U, V, Q = 0, 1, 2


def coefficients(tsteps, n):
    """(a, b, c) of the column sweep and (d, e, f) of the row sweep."""
    dx, dt = 1.0 / n, 1.0 / tsteps
    mul1, mul2 = 2.0 * dt / dx**2, dt / dx**2
    return -mul1 / 2, 1 + mul1, -mul1 / 2, -mul2 / 2, 1 + mul2, -mul2 / 2


def program(tsteps, n):
    """u, v and q in one tensor W. A time step has four phases: q and v of the column sweep, q and u
    of the row sweep; v and u go from the last column to the first. The factors p of a sweep are the
    same for every row and step.
    """
    a, b, c, d, e, f = coefficients(tsteps, n)
    W = sw.placeholder((3, n, n), "float64", name="W")

    def factors(low, middle, high, name):
        return sw.recurrence(
            (n - 1,),
            lambda p, j: sw.select(j == 0, 0.0, -high / (low * p[j - 1] + middle)),
            "float64",
            name=name,
        )

    p1, p2 = factors(a, b, c, "p1"), factors(d, e, f, "p2")

    def value(t, phase, row, j):
        i, r = row + 1, n - 1 - j
        before = W[Q, i, j - 1]
        q1 = -d * W[U, j, i - 1] + (1 + 2 * d) * W[U, j, i] - f * W[U, j, i + 1] - a * before
        q2 = -a * W[V, i - 1, j] + (1 + 2 * a) * W[V, i, j] - c * W[V, i + 1, j] - d * before
        q1 = sw.select(j == 0, 1.0, q1 / (a * p1[j - 1] + b))
        q2 = sw.select(j == 0, 1.0, q2 / (d * p2[j - 1] + e))
        edge = sw.any_of(r == 0, r == n - 1)
        v = sw.select(edge, 1.0, p1[r] * W[V, r + 1, i] + W[Q, i, r])
        u = sw.select(edge, 1.0, p2[r] * W[U, i, r + 1] + W[Q, i, r])
        sweeps = sw.select(phase == 2, q2, u)
        return sw.select(phase == 0, q1, sw.select(phase == 1, v, sweeps))

    def index(t, phase, row, j):
        i, r = row + 1, n - 1 - j
        field = sw.select(phase == 1, V, sw.select(phase == 3, U, Q))
        return (
            field,
            sw.select(phase == 1, r, i),
            sw.select(phase == 1, i, sw.select(phase == 3, r, j)),
        )

    def where(t, phase, row, j):
        return sw.any_of(j < n - 1, phase == 1, phase == 3)

    W2 = sw.update(W, (tsteps, 4, n - 2, n), index, value, where=where)
    return [W], [W2]


def data(rng, tsteps, n):
    return (np.stack([rng.random((n, n)), np.zeros((n, n)), np.zeros((n, n))]),)


def _sweep(x, n, low, middle, high, left, centre, right):
    """The tridiagonal systems along the columns of `x`, whose solutions are the columns of the
    result, and their q.
    """
    p, q, out = np.zeros(n), np.zeros((n, n)), np.zeros((n, n))
    inner = slice(1, n - 1)
    q[inner, 0] = 1.0
    for j in range(1, n - 1):
        scale = low * p[j - 1] + middle
        p[j] = -high / scale
        rest = left * x[j, :-2] + centre * x[j, 1:-1] + right * x[j, 2:] - low * q[inner, j - 1]
        q[inner, j] = rest / scale
    out[0, inner] = out[n - 1, inner] = 1.0
    for j in range(n - 2, 0, -1):
        out[j, inner] = p[j] * out[j + 1, inner] + q[inner, j]
    return out, q


def reference(size, W):
    tsteps, n = size
    a, b, c, d, e, f = coefficients(tsteps, n)
    u, v, q = W.copy()
    inner = slice(1, n - 1)
    for _ in range(tsteps):
        new, q[inner, :-1] = _rows(_sweep(u, n, a, b, c, -d, 1 + 2 * d, -f), n)
        v[:, inner] = new[:, inner]
        new, q[inner, :-1] = _rows(_sweep(v.T, n, d, e, f, -a, 1 + 2 * a, -c), n)
        u[inner] = new.T[inner]
    return [np.stack([u, v, q])]


def _rows(swept, n):
    new, q = swept
    return new, q[1 : n - 1, :-1]
