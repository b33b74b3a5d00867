"""doitgen: A[r, q, p] <- sum over s of A[r, q, s]*C4[s, p]."""

import solway as sw

SIZES = {
    "MINI": (8, 10, 12),
    "SMALL": (20, 25, 30),
    "MEDIUM": (40, 50, 60),
    "LARGE": (140, 150, 160),
}


def program(nq, nr, np_):
    A = sw.placeholder((nr, nq, np_), "float64", name="A")
    C4 = sw.placeholder((np_, np_), "float64", name="C4")
    s = sw.reduce_axis(np_, name="s")
    total = sw.compute(
        (nr, nq, np_), lambda r, q, p: sw.sum(A[r, q, s] * C4[s, p], axis=s), name="total"
    )
    A2 = sw.update(
        A, (nr, nq, np_), lambda r, q, p: (r, q, p), lambda r, q, p: total[r, q, p], name="A2"
    )
    return [A, C4], [A2]


def data(rng, nq, nr, np_):
    return rng.random((nr, nq, np_)), rng.random((np_, np_))


def reference(size, A, C4):
    return [A @ C4]
