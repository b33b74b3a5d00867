"""Illegal orders by hand: each is refused, with the pair that listing the instances finds first.

Here are recurrences, sums and chains of stages; `test_illegal_updates.py` has what changes in
place, `test_illegal_programs.py` the primitives that change the program.
"""

from __future__ import annotations

import pytest
import solway as sw
from support.illegal_orders import Program, check, lanes, order, parallel
from support.violations import instances

T, N = 4, 6


def inside(*bounds):
    """The reads whose index lies in the tensor."""
    return lambda reads: [
        (name, at)
        for name, at in reads
        if all(0 <= x < extent for x, extent in zip(at, bounds, strict=True))
    ]


def stencil():
    """H[t, i] from its three neighbours one step before."""
    A = sw.placeholder((N,), name="A")

    def step(H, t, i):
        inner = sw.all_of(t > 0, i > 0, i < N - 1)
        return sw.select(inner, H[t - 1, i - 1] + H[t - 1, i] + H[t - 1, i + 1], A[i])

    return [sw.recurrence((T, N), step, name="H")]


def stencil_reads(t, i):
    if t == 0 or i == 0 or i == N - 1:
        return []
    return [("H", (t - 1, i + d)) for d in (-1, 0, 1)]


def seidel():
    """U[t, i] in place of the time step: new to the left, old to the right."""
    A = sw.placeholder((N,), name="A")

    def step(U, t, i):
        inner = sw.all_of(t > 0, i > 0, i < N - 1)
        return sw.select(inner, U[t, i - 1] + U[t - 1, i] + U[t - 1, i + 1], A[i])

    return [sw.recurrence((T, N), step, name="U")]


def seidel_reads(t, i):
    if t == 0 or i == 0 or i == N - 1:
        return []
    return [("U", (t, i - 1)), ("U", (t - 1, i)), ("U", (t - 1, i + 1))]


def wave():
    """W[i, j] from above and from the left."""

    def step(W, i, j):
        return sw.select(sw.all_of(i > 0, j > 0), W[i - 1, j] + W[i, j - 1], 1.0)

    return [sw.recurrence((T, N), step, name="W")]


def wave_reads(i, j):
    return [("W", (i - 1, j)), ("W", (i, j - 1))] if i > 0 and j > 0 else []


def diagonal():
    """V[i, j] from the upper right: the dependence (1, -1)."""

    def step(V, i, j):
        return sw.select(sw.all_of(i > 0, j < N - 1), V[i - 1, j + 1] + 1.0, 1.0)

    return [sw.recurrence((T, N), step, name="V")]


def diagonal_reads(i, j):
    return [("V", (i - 1, j + 1))] if i > 0 and j < N - 1 else []


def scan(distance):
    """S[i] from S[i - distance]."""

    def program():
        A = sw.placeholder((12,), name="A")
        body = lambda S, i: A[i] + sw.select(i >= distance, S[i - distance], 0.0)  # noqa: E731
        return [sw.recurrence((12,), body, name="S")]

    return program


def scan_of(distance):
    reads = lambda i: [("S", (i - distance,))] if i >= distance else []  # noqa: E731
    return Program(scan(distance), list(instances("S", {"i": range(12)}, lambda i: (i,), reads)))


def rows():
    """R[i] = sum of a row."""
    A = sw.placeholder((T, N), name="A")
    k = sw.reduce_axis(N, name="k")
    return [sw.compute((T,), lambda i: sw.sum(A[i, k], axis=k), name="R")]


def rows_listed():
    """As written: the initialisation of each row, then its terms."""
    out = []
    for i in range(T):
        out += instances("R", {"i": range(i, i + 1)}, lambda i: (i,))
        ks = {"i": range(i, i + 1), "k": range(N)}
        out += instances("R", ks, lambda i, k: (i,), is_term=True)
    return out


def chain():
    """C[x] from two elements of P."""
    A = sw.placeholder((N + 1,), name="A")
    P = sw.compute((N + 1,), lambda i: A[i] * 2, name="P")
    C = sw.compute((N,), lambda x: P[x] + P[x + 1], name="C")
    return [C]


def chain_listed():
    return [
        *instances("P", {"i": range(N + 1)}, lambda i: (i,)),
        *instances("C", {"x": range(N)}, lambda x: (x,), lambda x: [("P", (x,)), ("P", (x + 1,))]),
    ]


def mirrored():
    """C[x] from the other end of P, and D from C: each stage turned round."""
    A = sw.placeholder((N,), name="A")
    P = sw.compute((N,), lambda i: A[i] * 2, name="P")
    C = sw.compute((N,), lambda x: P[N - 1 - x], name="C")
    return [C]


def mirrored_listed():
    return [
        *instances("P", {"i": range(N)}, lambda i: (i,)),
        *instances("C", {"x": range(N)}, lambda x: (x,), lambda x: [("P", (N - 1 - x,))]),
    ]


def box(name, reads, axes):
    extents = dict(zip(axes, (range(T), range(N)), strict=True))
    return list(instances(name, extents, lambda **at: tuple(at.values()), reads))


STENCIL = Program(stencil, box("H", stencil_reads, ("t", "i")))
SEIDEL = Program(seidel, box("U", seidel_reads, ("t", "i")))
WAVE = Program(wave, box("W", wave_reads, ("i", "j")))
DIAGONAL = Program(diagonal, box("V", diagonal_reads, ("i", "j")))
ROWS = Program(rows, rows_listed())
CHAIN = Program(chain, chain_listed())
MIRRORED = Program(mirrored, mirrored_listed())


def term(i):
    """Whether an instance of ROWS adds a term, which comes after the initialisation."""
    return 0 if i.group is None else 1


def k_of(i):
    """The reduction's iteration; the initialisation has none."""
    return i.values.get("k", 0)


def swap(a, b):
    """The order of two axes exchanged."""
    return lambda i: (getattr(i, a), getattr(i, b))


def is_p(i):
    """Whether an instance belongs to the producer."""
    return i.stage == "P"


def along(i):
    """The only axis of an instance of CHAIN or MIRRORED."""
    return next(iter(i.values.values()))


def fused(shift=0, scale=1, add=0):
    """P and C in one loop, P first; C at x, P at scale * i + add + shift."""
    return lambda i: (scale * along(i) + add + shift, 0) if is_p(i) else (along(i), 1)


CASES = [
    # reorder
    order("stencil: space outside", STENCIL, swap("i", "t"), ("reorder", "i", "t")),
    order("seidel: space outside", SEIDEL, swap("i", "t"), ("reorder", "i", "t")),
    order("diagonal: exchanged", DIAGONAL, swap("j", "i"), ("reorder", "j", "i")),
    order(
        "stencil: tiles in time without a skew",
        STENCIL,
        lambda i: (i.t // 2, i.i // 3, i.t % 2, i.i % 3),
        ("tile", "t", "i", 2, 3),
    ),
    order(
        "stencil: a block of space outside",
        STENCIL,
        lambda i: (i.i // 2, i.t, i.i % 2),
        ("split", "i", 2),
        ("reorder", "i.o", "t"),
    ),
    order(
        "seidel: a block of space outside",
        SEIDEL,
        lambda i: (i.i // 4, i.t, i.i % 4),
        ("split", "i", 4),
        ("reorder", "i.o", "t"),
    ),
    order(
        "wave: inner blocks first",
        WAVE,
        lambda i: (i.i, i.j % 2, i.j // 2),
        ("split", "j", 2),
        ("reorder", "j.i", "j.o"),
    ),
    order(
        "scan: every third first",
        scan_of(1),
        lambda i: (i.i % 3, i.i // 3),
        ("split", "i", 3),
        ("reorder", "i.i", "i.o"),
    ),
    order(
        "scan by 4: every third first",
        scan_of(4),
        lambda i: (i.i % 3, i.i // 3),
        ("split", "i", 3),
        ("reorder", "i.i", "i.o"),
    ),
    order(
        "scan by 4: every sixth first",
        scan_of(4),
        lambda i: (i.i % 6, i.i // 6),
        ("split", "i", 6),
        ("reorder", "i.i", "i.o"),
    ),
    order(
        "diagonal: tiles",
        DIAGONAL,
        lambda i: (i.i // 2, i.j // 2, i.i % 2, i.j % 2),
        ("tile", "i", "j", 2, 2),
    ),
    order(
        "stencil: a skew that is too flat the other way",
        STENCIL,
        lambda i: (i.i - i.t, i.t),
        ("skew", "i", "t", -1),
        ("reorder", "i", "t"),
    ),
    order(
        "diagonal: exchanged after a skew the wrong way",
        DIAGONAL,
        lambda i: (i.j - i.i, i.i),
        ("skew", "j", "i", -1),
        ("reorder", "j", "i"),
    ),
    order(
        "stencil: time outside in blocks after a skew of space",
        STENCIL,
        lambda i: ((i.i - i.t + 3) // 2, i.t, (i.i - i.t + 3) % 2),
        ("skew", "i", "t", -1),
        ("split", "i", 2),
        ("reorder", "i.o", "t"),
    ),
    # skew by an inner loop
    order(
        "stencil: time slanted backwards along space",
        STENCIL,
        lambda i: (i.t - 2 * i.i, i.i),
        ("skew", "t", "i", -2),
    ),
    order(
        "seidel: time slanted backwards along space",
        SEIDEL,
        lambda i: (i.t - i.i, i.i),
        ("skew", "t", "i", -1),
    ),
    order(
        "diagonal: rows slanted along columns",
        DIAGONAL,
        lambda i: (i.i + i.j, i.j),
        ("skew", "i", "j", 1),
    ),
    order(
        "diagonal: rows slanted steeply along columns",
        DIAGONAL,
        lambda i: (i.i + 2 * i.j, i.j),
        ("skew", "i", "j", 2),
    ),
    order(
        "wave: rows slanted backwards",
        WAVE,
        lambda i: (i.i - i.j, i.j),
        ("skew", "i", "j", -1),
    ),
    order(
        "wave: rows slanted backwards and steeply",
        WAVE,
        lambda i: (i.i - 3 * i.j, i.j),
        ("skew", "i", "j", -3),
    ),
    order(
        "stencil: time slanted along space",
        STENCIL,
        lambda i: (i.t + i.i, i.i),
        ("skew", "t", "i", 1),
    ),
    order(
        "rows: terms before their initialisation",
        ROWS,
        lambda i: (i.i - k_of(i), term(i), k_of(i)),
        ("skew", "i", "k", -1),
    ),
    order(
        "rows: terms far before their initialisation",
        ROWS,
        lambda i: (i.i - 2 * k_of(i), term(i), k_of(i)),
        ("skew", "i", "k", -2),
    ),
    # reverse
    order("stencil: time reversed", STENCIL, lambda i: (-i.t, i.i), ("reverse", "t")),
    order("seidel: time reversed", SEIDEL, lambda i: (-i.t, i.i), ("reverse", "t")),
    order("seidel: space reversed", SEIDEL, lambda i: (i.t, -i.i), ("reverse", "i")),
    order("wave: rows reversed", WAVE, lambda i: (-i.i, i.j), ("reverse", "i")),
    order("wave: columns reversed", WAVE, lambda i: (i.i, -i.j), ("reverse", "j")),
    order("diagonal: rows reversed", DIAGONAL, lambda i: (-i.i, i.j), ("reverse", "i")),
    order("scan reversed", scan_of(1), lambda i: -i.i, ("reverse", "i")),
    order("scan by 5 reversed", scan_of(5), lambda i: -i.i, ("reverse", "i")),
    order(
        "scan: blocks reversed",
        scan_of(1),
        lambda i: (-(i.i // 4), i.i % 4),
        ("split", "i", 4),
        ("reverse", "i.o"),
    ),
    order(
        "scan: inside of blocks reversed",
        scan_of(1),
        lambda i: (i.i // 4, -(i.i % 4)),
        ("split", "i", 4),
        ("reverse", "i.i"),
    ),
    order(
        "scan by 3: inside of blocks of 4 reversed",
        scan_of(3),
        lambda i: (i.i // 4, -(i.i % 4)),
        ("split", "i", 4),
        ("reverse", "i.i"),
    ),
    order(
        "stencil: all in one loop, reversed",
        STENCIL,
        lambda i: -(i.t * N + i.i),
        ("fuse", "t", "i"),
        ("reverse", "t.i"),
    ),
    # affine
    order(
        "stencil: exchanged by a map",
        STENCIL,
        swap("i", "t"),
        ("affine", "{ [t, i] -> [i, t] }"),
    ),
    order(
        "stencil: anti-diagonals",
        STENCIL,
        lambda i: (i.t - 2 * i.i, i.t),
        ("affine", "{ [t, i] -> [t - 2i, t] }"),
    ),
    order(
        "seidel: diagonals that are too flat",
        SEIDEL,
        lambda i: (i.t + i.i, -i.t),
        ("affine", "{ [t, i] -> [t + i, -t] }"),
    ),
    order(
        "wave: anti-diagonals",
        WAVE,
        lambda i: (i.i - i.j, i.i),
        ("affine", "{ [i, j] -> [i - j, i] }"),
    ),
    order(
        "diagonal: diagonals, from below",
        DIAGONAL,
        lambda i: (i.i + i.j, -i.i),
        ("affine", "{ [i, j] -> [i + j, -i] }"),
    ),
    order("scan: backwards by a map", scan_of(1), lambda i: -i.i, ("affine", "{ [i] -> [-i] }")),
    order(
        "scan: odd after even",
        scan_of(1),
        lambda i: (i.i % 2, i.i // 2),
        ("affine", "{ [i] -> [i mod 2, floor(i/2)] }"),
    ),
    order(
        "rows: terms at the row before",
        ROWS,
        lambda i: (i.i - k_of(i), term(i), k_of(i)),
        ("affine", "{ [i, k] -> [i - k, k] }"),
    ),
    # fuse_with, with what was done to the stages before
    order("chain in one loop", CHAIN, fused(), ("fuse_with", "@C", "x"), stage="P"),
    order(
        "chain: the producer shifted the wrong way",
        CHAIN,
        fused(shift=1),
        ("shift", "i", 1),
        ("fuse_with", "@C", "x"),
        stage="P",
    ),
    order(
        "chain: the producer reversed",
        CHAIN,
        fused(scale=-1, add=N),
        ("reverse", "i"),
        ("fuse_with", "@C", "x"),
        stage="P",
    ),
    order(
        "chain: the consumer shifted backwards",
        CHAIN,
        lambda i: (along(i), 0) if is_p(i) else (along(i) - 2, 1),
        ("on", "C"),
        ("shift", "x", -2),
        ("on", "P"),
        ("fuse_with", "@C", "x"),
        stage="P",
    ),
    order(
        "chain: the consumer joins the producer",
        CHAIN,
        fused(),
        ("fuse_with", "@P", "i"),
        stage="C",
    ),
    order(
        "chain: the loop of both reversed",
        CHAIN,
        lambda i: (-(along(i) - 1), 0) if is_p(i) else (-along(i), 1),
        ("shift", "i", -1),
        ("fuse_with", "@C", "x"),
        ("reverse", "x"),
        stage="P",
    ),
    order(
        "chain: blocks of the shared loop reversed",
        CHAIN,
        lambda i: (
            (-(along(i) // 3), along(i) % 3, 0)
            if is_p(i)
            else (-((along(i) + 1) // 3), (along(i) + 1) % 3, 1)
        ),
        ("shift", "i", -1),
        ("fuse_with", "@C", "x"),
        ("split", "x", 3),
        ("reverse", "x.o"),
        stage="P",
    ),
    order("mirror in one loop", MIRRORED, fused(), ("fuse_with", "@C", "x"), stage="P"),
    order(
        "mirror: the producer shifted too little",
        MIRRORED,
        fused(shift=-2),
        ("shift", "i", -2),
        ("fuse_with", "@C", "x"),
        stage="P",
    ),
    order(
        "mirror: both reversed",
        MIRRORED,
        lambda i: (N - 1 - along(i), 0 if is_p(i) else 1),
        ("reverse", "i"),
        ("on", "C"),
        ("reverse", "x"),
        ("on", "P"),
        ("fuse_with", "@C", "x"),
        stage="P",
    ),
    # parallel
    parallel("stencil: steps on cores", STENCIL, lambda i: (), lambda i: i.t, ("parallel", "t")),
    parallel("seidel: space on cores", SEIDEL, lambda i: (i.t,), lambda i: i.i, ("parallel", "i")),
    parallel("seidel: steps on cores", SEIDEL, lambda i: (), lambda i: i.t, ("parallel", "t")),
    parallel("wave: rows on cores", WAVE, lambda i: (), lambda i: i.i, ("parallel", "i")),
    parallel("wave: columns on cores", WAVE, lambda i: (i.i,), lambda i: i.j, ("parallel", "j")),
    parallel("diagonal: rows on cores", DIAGONAL, lambda i: (), lambda i: i.i, ("parallel", "i")),
    parallel("scan on cores", scan_of(1), lambda i: (), lambda i: i.i, ("parallel", "i")),
    parallel(
        "scan by 4: blocks on cores",
        scan_of(4),
        lambda i: (),
        lambda i: i.i // 4,
        ("split", "i", 4),
        ("parallel", "i.o"),
    ),
    parallel(
        "scan by 4: inside of blocks of 5 on cores",
        scan_of(4),
        lambda i: (i.i // 5,),
        lambda i: i.i % 5,
        ("split", "i", 5),
        ("parallel", "i.i"),
    ),
    parallel(
        "stencil: a skewed loop on cores",
        STENCIL,
        lambda i: (i.t + i.i,),
        lambda i: i.t,
        ("affine", "{ [t, i] -> [t + i, t] }"),
        ("parallel", "t"),
    ),
    parallel(
        "wave: everything in one loop on cores",
        WAVE,
        lambda i: (),
        lambda i: (i.i, i.j),
        ("fuse", "i", "j"),
        ("parallel", "i.j"),
    ),
    parallel(
        "rows: slanted rows on cores",
        ROWS,
        lambda i: (),
        lambda i: i.i + k_of(i),
        ("skew", "i", "k", 1),
        ("parallel", "i"),
    ),
    parallel(
        "chain: the loop of both on cores",
        CHAIN,
        lambda i: (),
        lambda i: along(i) - 1 if is_p(i) else along(i),
        ("shift", "i", -1),
        ("fuse_with", "@C", "x"),
        ("parallel", "x"),
        stage="P",
    ),
    parallel("stencil: steps on rows", STENCIL, lambda i: (), lambda i: i.t, ("bind", "t", "row")),
    parallel(
        "wave: on a grid",
        WAVE,
        lambda i: (),
        lambda i: i.i,
        ("parallel", "i", "j", {"grid": (8, 8)}),
    ),
    parallel(
        "seidel: space on columns",
        SEIDEL,
        lambda i: (i.t,),
        lambda i: i.i,
        ("bind", "i", "column"),
    ),
    # vectorize
    lanes("seidel: space in lanes", SEIDEL, lambda i: (i.t,), lambda i: i.i, ("vectorize", "i")),
    lanes("wave: columns in lanes", WAVE, lambda i: (i.i,), lambda i: i.j, ("vectorize", "j")),
    lanes("stencil: steps in lanes", STENCIL, lambda i: (), lambda i: i.t, ("vectorize", "t")),
    lanes("scan in lanes", scan_of(1), lambda i: (), lambda i: i.i, ("vectorize", "i")),
    lanes("scan by 4 in lanes", scan_of(4), lambda i: (), lambda i: i.i, ("vectorize", "i")),
    lanes(
        "scan by 4: 6 lanes",
        scan_of(4),
        lambda i: (i.i // 6,),
        lambda i: i.i % 6,
        ("split", "i", 6),
        ("vectorize", "i.i"),
    ),
    lanes(
        "scan by 4: blocks in lanes",
        scan_of(4),
        lambda i: (i.i % 2,),
        lambda i: i.i // 2,
        ("split", "i", 2),
        ("vectorize", "i.o"),
    ),
    lanes("diagonal: rows in lanes", DIAGONAL, lambda i: (), lambda i: i.i, ("vectorize", "i")),
    # what a mark forbids later
    parallel(
        "stencil: a parallel loop brought outside time",
        STENCIL,
        lambda i: (),
        lambda i: i.t + i.i,
        ("skew", "i", "t", 1),
        ("parallel", "i"),
        ("reorder", "i", "t"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_refused_with_the_first_pair(case):
    check(case)
