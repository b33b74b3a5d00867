"""Illegal orders of updates in place, scatters, affine domains and sums over earlier elements."""

from __future__ import annotations

import pytest
import solway as sw
from support.illegal_orders import Program, check, lanes, order, parallel
from support.violations import Instance, instances

T, N = 3, 6


def listed(stage, extents, index, reads=lambda **_: (), *, tensor, where=lambda **_: True):
    """The instances of an update, which stores one element per step."""
    every = instances(stage, extents, index, reads, tensor=tensor)
    return [instance for instance in every if where(**instance.values)]


def relaxation():
    """X[i + 1] from both neighbours, in place, T times."""
    X = sw.placeholder((N + 2,), name="X")
    mean = lambda t, i: X[i] + X[i + 2]  # noqa: E731
    return [sw.update(X, (T, N), lambda t, i: i + 1, mean, name="U")]


RELAXATION = Program(
    relaxation,
    listed(
        "U",
        {"t": range(T), "i": range(N)},
        lambda t, i: (i + 1,),
        lambda t, i: [("X", (i,)), ("X", (i + 2,))],
        tensor="X",
    ),
)


def paths():
    """Floyd-Warshall: the shortest way over node k."""
    D = sw.placeholder((T, T), name="D")
    shortest = lambda k, i, j: sw.minimum(D[i, j], D[i, k] + D[k, j])  # noqa: E731
    return [sw.update(D, (T, T, T), lambda k, i, j: (i, j), shortest, name="F")]


PATHS = Program(
    paths,
    listed(
        "F",
        {"k": range(T), "i": range(T), "j": range(T)},
        lambda k, i, j: (i, j),
        lambda k, i, j: [("D", (i, j)), ("D", (i, k)), ("D", (k, j))],
        tensor="D",
    ),
)


def scatter():
    """X[k + i] = A[k, i]: the last of several stays."""
    X = sw.placeholder((T + N,), name="X")
    A = sw.placeholder((T, N), name="A")
    return [sw.update(X, (T, N), lambda k, i: k + i, lambda k, i: A[k, i], name="S")]


SCATTER = Program(
    scatter, listed("S", {"k": range(T), "i": range(N)}, lambda k, i: (k + i,), tensor="X")
)


def turned():
    """X[i] from the other end, in place."""
    X = sw.placeholder((2 * N,), name="X")
    return [sw.update(X, (2 * N,), lambda i: i, lambda i: X[2 * N - 1 - i] * 2, name="M")]


TURNED = Program(
    turned,
    listed(
        "M",
        {"i": range(2 * N)},
        lambda i: (i,),
        lambda i: [("X", (2 * N - 1 - i,))],
        tensor="X",
    ),
)


def horner():
    """One number, times two plus the next: no declared reduction."""
    X = sw.placeholder((1,), name="X")
    A = sw.placeholder((N,), name="A")
    return [sw.update(X, (N,), lambda k: 0, lambda k: X[0] * 2 + A[k], name="P")]


HORNER = Program(
    horner,
    listed("P", {"k": range(N)}, lambda k: (0,), lambda k: [("X", (0,))], tensor="X"),
)


def triangle():
    """L[i, j] below the diagonal from above and from the left."""

    def body(L, i, j):
        return sw.select(j > 0, L[i, j - 1], 1.0) + sw.select(i > j, L[i - 1, j], 0.0)

    return [sw.recurrence((N, N), body, where=lambda i, j: j <= i, name="L")]


def triangle_reads(i, j):
    return ([("L", (i, j - 1))] if j > 0 else []) + ([("L", (i - 1, j))] if i > j else [])


TRIANGLE = Program(
    triangle,
    listed(
        "L",
        {"i": range(N), "j": range(N)},
        lambda i, j: (i, j),
        triangle_reads,
        tensor="L",
        where=lambda i, j: j <= i,
    ),
)


def elimination():
    """A[i, j] minus a multiple of row k, below and to the right of k: LU without the division."""
    A = sw.placeholder((4, 4), name="A")
    return [
        sw.update(
            A,
            (4, 4, 4),
            lambda k, i, j: (i, j),
            lambda k, i, j: A[i, j] - A[i, k] * A[k, j],
            where=lambda k, i, j: sw.all_of(i > k, j > k),
            name="E",
        )
    ]


ELIMINATION = Program(
    elimination,
    listed(
        "E",
        {"k": range(4), "i": range(4), "j": range(4)},
        lambda k, i, j: (i, j),
        lambda k, i, j: [("A", (i, j)), ("A", (i, k)), ("A", (k, j))],
        tensor="A",
        where=lambda k, i, j: i > k and j > k,
    ),
)


def plate():
    """H[t, i, j] from itself and its four neighbours one step before."""

    def body(H, t, i, j):
        inner = sw.all_of(t > 0, i > 0, i < 3, j > 0, j < 3)
        around = H[t - 1, i - 1, j] + H[t - 1, i + 1, j] + H[t - 1, i, j - 1] + H[t - 1, i, j + 1]
        return sw.select(inner, around + H[t - 1, i, j], 1.0)

    return [sw.recurrence((T, 4, 4), body, name="H")]


def plate_reads(t, i, j):
    if t == 0 or not (0 < i < 3 and 0 < j < 3):
        return []
    around = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
    return [("H", (t - 1, i + a, j + b)) for a, b in around]


PLATE = Program(
    plate,
    listed(
        "H",
        {"t": range(T), "i": range(4), "j": range(4)},
        lambda t, i, j: (t, i, j),
        plate_reads,
        tensor="H",
    ),
)


def solve():
    """x[i] from the sum over those before: forward substitution."""
    A = sw.placeholder((N, N), name="A")
    k = sw.reduce_axis(N, name="k")
    earlier = lambda x, i: sw.sum(sw.select(k < i, A[i, k] * x[k], 0.0), axis=k)  # noqa: E731
    return [sw.recurrence((N,), lambda x, i: 1 - earlier(x, i), name="x")]


def sums_of(stage, at, point, terms, reads, temporary):
    """A value with its sum: the initialisation, the terms, then what is made of them."""
    place = (temporary, tuple(at.values()))
    yield Instance(stage, tuple(at.items()), frozenset({place}), values={**at, "part": 0})
    for k in terms:
        both = {**at, "k": k}
        read = frozenset({place, reads(k)})
        yield Instance(
            stage, tuple(both.items()), frozenset({place}), read, place, {**both, "part": 1}
        )
    value = frozenset({(stage, point)})
    yield Instance(stage, tuple(at.items()), value, frozenset({place}), values={**at, "part": 2})


SOLVE = Program(
    solve,
    [
        instance
        for i in range(N)
        for instance in sums_of("x", {"i": i}, (i,), range(i), lambda k: ("x", (k,)), "x_r0")
    ],
)


def layers():
    """H[t, i] from all of the row before."""
    A = sw.placeholder((4, 4), name="A")
    k = sw.reduce_axis(4, name="k")

    def body(H, t, i):
        return sw.select(t > 0, sw.sum(A[i, k] * H[t - 1, k], axis=k), A[0, i])

    return [sw.recurrence((T, 4), body, name="H")]


def layers_listed():
    for t in range(T):
        for i in range(4):
            at = {"t": t, "i": i}
            if t == 0:
                written = frozenset({("H", (t, i))})
                yield Instance("H", tuple(at.items()), written, values={**at, "part": 2})
            else:
                reads = lambda k, row=t - 1: ("H", (row, k))  # noqa: E731
                yield from sums_of("H", at, (t, i), range(4), reads, "H_r0")


LAYERS = Program(layers, list(layers_listed()))


def overwritten():
    """R reads X from both ends before U changes it."""
    X = sw.placeholder((N,), name="X")
    R = sw.compute((N,), lambda i: X[i] + X[N - 1 - i], name="R")
    return [R, sw.update(X, (N,), lambda x: x, lambda x: X[x] * 3, name="U")]


OVERWRITTEN = Program(
    overwritten,
    [
        *instances(
            "R",
            {"i": range(N)},
            lambda i: (i,),
            lambda i: [("X", (i,)), ("X", (N - 1 - i,))],
        ),
        *listed("U", {"x": range(N)}, lambda x: (x,), lambda x: [("X", (x,))], tensor="X"),
    ],
)


def blur():
    """C[x, y] from three elements of P: itself, below, to the right."""
    A = sw.placeholder((5, 5), name="A")
    P = sw.compute((5, 5), lambda i, j: A[i, j] * 2, name="P")
    return [sw.compute((4, 4), lambda x, y: P[x, y] + P[x + 1, y] + P[x, y + 1], name="C")]


BLUR = Program(
    blur,
    [
        *instances("P", {"i": range(5), "j": range(5)}, lambda i, j: (i, j)),
        *instances(
            "C",
            {"x": range(4), "y": range(4)},
            lambda x, y: (x, y),
            lambda x, y: [("P", (x, y)), ("P", (x + 1, y)), ("P", (x, y + 1))],
        ),
    ],
)


def transposed():
    """V[i, j] from the upper right, kept by columns."""

    def step(V, i, j):
        return sw.select(sw.all_of(i > 0, j < N - 1), V[i - 1, j + 1] + 1.0, 1.0)

    return [sw.recurrence((T, N), step, name="V")]


TRANSPOSED = Program(
    transposed,
    [
        *instances(
            "V",
            {"i": range(T), "j": range(N)},
            lambda i, j: (j, i),
            lambda i, j: [("V_layout", (j + 1, i - 1))] if i > 0 and j < N - 1 else [],
            tensor="V_layout",
        )
    ],
)


def rows():
    """R[i] = the sum of a row, for `rfactor`."""
    A = sw.placeholder((4, 6), name="A")
    k = sw.reduce_axis(6, name="k")
    return [sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k), name="R")]


def rows_in_parts():
    """Sums of every second element of a row, and the rows made of them."""
    for i in range(4):
        at = {"i": range(i, i + 1)}
        yield from instances("R_rf", {"k_i": range(2), **at}, lambda k_i, i: (k_i, i))
        terms = {**at, "k": range(6)}
        yield from instances("R_rf", terms, lambda i, k: (k % 2, i), is_term=True)
    for i in range(4):
        at = {"i": range(i, i + 1)}
        yield from instances("R", at, lambda i: (i,))
        partial = lambda i, k_i: [("R_rf", (k_i, i))]  # noqa: E731
        yield from instances(
            "R", {**at, "k_i": range(2)}, lambda i, k_i: (i,), partial, is_term=True
        )


PARTS = Program(rows, list(rows_in_parts()))


def merges(partial, merge):
    """A key of PARTS: of partial sums, then of what merges them."""
    key = lambda n: partial(n) if n.stage == "R_rf" else merge(n)  # noqa: E731
    return lambda n: (*key(n), n.group is not None)  # behind its initialisation


def both(p, c):
    """A key of BLUR: of the producer, then of the consumer."""
    return lambda i: p(i) if i.stage == "P" else c(i)


def of_r(r, u):
    """A key of OVERWRITTEN."""
    return lambda i: r(i) if i.stage == "R" else u(i)


def k_of(i):
    """The iteration of a sum; what has none stands before or after, by its part."""
    return (i.part, i.values.get("k", 0))


CASES = [
    # in place, over and over
    order("relaxation: space outside", RELAXATION, lambda i: (i.i, i.t), ("reorder", "i", "t")),
    order("relaxation: time reversed", RELAXATION, lambda i: (-i.t, i.i), ("reverse", "t")),
    order("relaxation: space reversed", RELAXATION, lambda i: (i.t, -i.i), ("reverse", "i")),
    order(
        "relaxation: tiles",
        RELAXATION,
        lambda i: (i.t // 2, i.i // 3, i.t % 2, i.i % 3),
        ("tile", "t", "i", 2, 3),
    ),
    order(
        "relaxation: red then black",
        RELAXATION,
        lambda i: (i.t, i.i % 2, i.i // 2),
        ("split", "i", 2),
        ("reorder", "i.i", "i.o"),
    ),
    order(
        "relaxation: exchanged after a skew that is too flat",
        RELAXATION,
        lambda i: (i.i, -i.t),
        ("affine", "{ [t, i] -> [i, -t] }"),
    ),
    order(
        "relaxation: time slanted",
        RELAXATION,
        lambda i: (i.t - i.i, i.i),
        ("skew", "t", "i", -1),
    ),
    parallel(
        "relaxation: space on cores",
        RELAXATION,
        lambda i: (i.t,),
        lambda i: i.i,
        ("parallel", "i"),
    ),
    parallel(
        "relaxation: time on cores", RELAXATION, lambda i: (), lambda i: i.t, ("bind", "t", "row")
    ),
    lanes(
        "relaxation: space in lanes",
        RELAXATION,
        lambda i: (i.t,),
        lambda i: i.i,
        ("vectorize", "i"),
    ),
    lanes(
        "relaxation: steps in lanes after a skew",
        RELAXATION,
        lambda i: (i.i + i.t,),
        lambda i: i.t,
        ("affine", "{ [t, i] -> [t + i, t] }"),
        ("vectorize", "t"),
    ),
    # Floyd-Warshall
    order("paths: k inside", PATHS, lambda n: (n.i, n.j, n.k), ("reorder", "i", "j", "k")),
    order("paths: k between", PATHS, lambda n: (n.i, n.k, n.j), ("reorder", "i", "k", "j")),
    order("paths: k reversed", PATHS, lambda n: (-n.k, n.i, n.j), ("reverse", "k")),
    order("paths: i reversed", PATHS, lambda n: (n.k, -n.i, n.j), ("reverse", "i")),
    order(
        "paths: rows slanted backwards",
        PATHS,
        lambda n: (n.k, n.i - 2 * n.j, n.j),
        ("skew", "i", "j", -2),
    ),
    parallel("paths: k on cores", PATHS, lambda n: (), lambda n: n.k, ("parallel", "k")),
    parallel("paths: i on cores", PATHS, lambda n: (n.k,), lambda n: n.i, ("parallel", "i")),
    lanes("paths: j in lanes", PATHS, lambda n: (n.k, n.i), lambda n: n.j, ("vectorize", "j")),
    # the last of several stays
    order("scatter: exchanged", SCATTER, lambda n: (n.i, n.k), ("reorder", "i", "k")),
    order("scatter: rows reversed", SCATTER, lambda n: (-n.k, n.i), ("reverse", "k")),
    order(
        "scatter: rows slanted",
        SCATTER,
        lambda n: (n.k + n.i, n.i),
        ("skew", "k", "i", 1),
    ),
    parallel("scatter: rows on cores", SCATTER, lambda n: (), lambda n: n.k, ("parallel", "k")),
    parallel(
        "scatter: everything on cores",
        SCATTER,
        lambda n: (),
        lambda n: (n.k, n.i),
        ("fuse", "k", "i"),
        ("parallel", "k.i"),
    ),
    lanes("scatter: rows in lanes", SCATTER, lambda n: (), lambda n: n.k, ("vectorize", "k")),
    # from the other end
    order("turned, reversed", TURNED, lambda n: -n.i, ("reverse", "i")),
    order(
        "turned: even then odd",
        TURNED,
        lambda n: (n.i % 2, n.i // 2),
        ("affine", "{ [i] -> [i mod 2, floor(i/2)] }"),
    ),
    order(
        "turned: halves exchanged",
        TURNED,
        lambda n: (-(n.i // 6), n.i % 6),
        ("split", "i", 6),
        ("reverse", "i.o"),
    ),
    parallel("turned on cores", TURNED, lambda n: (), lambda n: n.i, ("parallel", "i")),
    lanes(
        "turned: 4 lanes across the middle",
        TURNED,
        lambda n: (n.i // 4,),
        lambda n: n.i % 4,
        ("split", "i", 4),
        ("vectorize", "i.i"),
    ),
    # a sum that was not declared as one
    order("horner reversed", HORNER, lambda n: -n.k, ("reverse", "k")),
    order(
        "horner: every second",
        HORNER,
        lambda n: (n.k % 2, n.k // 2),
        ("split", "k", 2),
        ("reorder", "k.i", "k.o"),
    ),
    parallel("horner on cores", HORNER, lambda n: (), lambda n: n.k, ("parallel", "k")),
    lanes("horner in lanes", HORNER, lambda n: (), lambda n: n.k, ("vectorize", "k")),
    # domains
    order("triangle: rows reversed", TRIANGLE, lambda n: (-n.i, n.j), ("reverse", "i")),
    order("triangle: columns reversed", TRIANGLE, lambda n: (n.i, -n.j), ("reverse", "j")),
    order(
        "triangle: anti-diagonals",
        TRIANGLE,
        lambda n: (n.i - n.j, n.j),
        ("skew", "i", "j", -1),
    ),
    parallel("triangle: rows on cores", TRIANGLE, lambda n: (), lambda n: n.i, ("parallel", "i")),
    lanes(
        "triangle: columns in lanes", TRIANGLE, lambda n: (n.i,), lambda n: n.j, ("vectorize", "j")
    ),
    order(
        "elimination: k inside, rows reversed",
        ELIMINATION,
        lambda n: (-n.i, n.j, n.k),
        ("reorder", "i", "j", "k"),
        ("reverse", "i"),
    ),
    order("elimination: k reversed", ELIMINATION, lambda n: (-n.k, n.i, n.j), ("reverse", "k")),
    parallel(
        "elimination: k on cores", ELIMINATION, lambda n: (), lambda n: n.k, ("parallel", "k")
    ),
    lanes("elimination: k in lanes", ELIMINATION, lambda n: (), lambda n: n.k, ("vectorize", "k")),
    # two dimensions of space
    order("plate: rows outside", PLATE, lambda n: (n.i, n.t, n.j), ("reorder", "i", "t")),
    order(
        "plate: one of two skews",
        PLATE,
        lambda n: ((n.i + n.t) // 2, n.j // 2, n.t, (n.i + n.t) % 2, n.j % 2),
        ("skew", "i", "t", 1),
        ("split", "i", 2),
        ("split", "j", 2),
        ("reorder", "i.o", "j.o", "t", "i.i", "j.i"),
    ),
    parallel(
        "plate: time on a grid",
        PLATE,
        lambda n: (),
        lambda n: n.t,
        ("parallel", "t", "i", {"grid": (8, 8)}),
    ),
    # sums over earlier elements
    order("solve: backwards", SOLVE, lambda n: (-n.i, *k_of(n)), ("reverse", "i")),
    order(
        "solve: sums apart from what reads them",
        SOLVE,
        lambda n: (n.part, n.i, k_of(n)),
        ("fission", "i"),
    ),
    order(
        "solve: sums of a block apart",
        SOLVE,
        lambda n: (n.i // 2, n.part, n.i % 2, k_of(n)),
        ("split", "i", 2),
        ("fission", "i.i"),
    ),
    order(
        "solve: blocks of sums apart",
        SOLVE,
        lambda n: (n.part, n.i // 3, n.i % 3, k_of(n)),
        ("split", "i", 3),
        ("fission", "i.o"),
    ),
    parallel("solve: on cores", SOLVE, lambda n: (), lambda n: n.i, ("parallel", "i")),
    lanes("solve: in lanes", SOLVE, lambda n: (), lambda n: n.i, ("vectorize", "i")),
    order(
        "layers: all sums before all values",
        LAYERS,
        lambda n: (n.part, n.t, n.i, k_of(n)),
        ("fission", "t"),
    ),
    order("layers: time reversed", LAYERS, lambda n: (-n.t, n.i, k_of(n)), ("reverse", "t")),
    order("layers: space outside", LAYERS, lambda n: (n.i, n.t, k_of(n)), ("reorder", "i", "t")),
    parallel("layers: time on cores", LAYERS, lambda n: (), lambda n: n.t, ("parallel", "t")),
    # a reader and a writer in one loop
    order(
        "overwritten: in one loop",
        OVERWRITTEN,
        of_r(lambda n: (n.i, 0), lambda n: (n.x, 1)),
        ("fuse_with", "@U", "x"),
        stage="R",
    ),
    order(
        "overwritten: half the way apart",
        OVERWRITTEN,
        of_r(lambda n: (n.i, 0), lambda n: (n.x + 2, 1)),
        ("on", "U"),
        ("shift", "x", 2),
        ("on", "R"),
        ("fuse_with", "@U", "x"),
        stage="R",
    ),
    order(
        "overwritten: the reader reversed",
        OVERWRITTEN,
        of_r(lambda n: (N - 1 - n.i, 0), lambda n: (n.x, 1)),
        ("reverse", "i"),
        ("fuse_with", "@U", "x"),
        stage="R",
    ),
    # two stages over two dimensions
    order(
        "blur: in one row",
        BLUR,
        both(lambda n: (n.i, 0, n.j), lambda n: (n.x, 1, n.y)),
        ("fuse_with", "@C", "x"),
        stage="P",
    ),
    order(
        "blur: rows of both slanted along columns",
        BLUR,
        both(
            lambda n: (n.i - 2 * (n.j - 1), n.j - 1, 0),
            lambda n: (n.x + 1 - 2 * n.y, n.y, 1),
        ),
        ("on", "C"),
        ("shift", "x", 1),
        ("on", "P"),
        ("shift", "j", -1),
        ("fuse_with", "@C", "y"),
        ("skew", "x", "y", -2),
        stage="P",
    ),
    order(
        "blur: a column ahead, but not a row",
        BLUR,
        both(lambda n: (n.i, n.j - 1, 0), lambda n: (n.x, n.y, 1)),
        ("shift", "j", -1),
        ("fuse_with", "@C", "y"),
        stage="P",
    ),
    order(
        "blur: exchanged",
        BLUR,
        both(lambda n: (n.j, n.i, 0), lambda n: (n.x, n.y, 1)),
        ("reorder", "j", "i"),
        ("fuse_with", "@C", "y"),
        stage="P",
    ),
    parallel(
        "blur: rows of both on cores",
        BLUR,
        lambda n: (),
        lambda n: n.i - 1 if n.stage == "P" else n.x,
        ("shift", "i", -1),
        ("fuse_with", "@C", "x"),
        ("parallel", "x"),
        stage="P",
    ),
    lanes(
        "blur: columns of both in lanes",
        BLUR,
        lambda n: (n.i - 1,) if n.stage == "P" else (n.x,),
        lambda n: n.j - 1 if n.stage == "P" else n.y,
        ("shift", "i", -1),
        ("shift", "j", -1),
        ("fuse_with", "@C", "y"),
        ("vectorize", "y"),
        stage="P",
    ),
    # after the program has changed
    order(
        "transposed: exchanged",
        TRANSPOSED,
        lambda n: (n.j, n.i),
        ("transform_layout", "@V", lambda i, j: (j, i)),
        ("reorder", "j", "i"),
    ),
    lanes(
        "transposed: rows in lanes",
        TRANSPOSED,
        lambda n: (),
        lambda n: n.i,
        ("transform_layout", "@V", lambda i, j: (j, i)),
        ("vectorize", "i"),
    ),
    order(
        "parts: merged before they are there",
        PARTS,
        merges(lambda n: (n.i + 1, 0), lambda n: (n.i, 1)),
        ("split", "k", 2),
        ("rfactor", "@R", "k.i"),
        ("on", "R_rf"),
        ("shift", "i", 1),
        ("fuse_with", "@R", "i"),
        stage="R",
    ),
    order(
        "parts: rows of the merge slanted",
        PARTS,
        merges(lambda n: (n.i, 0), lambda n: (n.i - n.values.get("k_i", 0), 1)),
        ("split", "k", 2),
        ("rfactor", "@R", "k.i"),
        ("on", "R_rf"),
        ("fuse_with", "@R", "i"),
        ("on", "R"),
        ("skew", "i", "k_i", -1),
        stage="R",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_refused_with_the_first_pair(case):
    check(case)


def test_there_are_enough():
    assert len(CASES) >= 60
