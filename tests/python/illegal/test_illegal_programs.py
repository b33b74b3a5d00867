"""Illegal placements, copies and pipelines by hand: each is refused, and what it reports is true.

A case gives a program as a user writes it and as its instances, and the steps that the refused
schedule asks for, with its copies. Going through them finds all that would be wrong; the pair and
the element that the error names are among it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import solway as sw
from support.traces import Trace
from support.violations import Instance, instances, race

N = 8


class Case(NamedTuple):
    """What a user does, and the steps that it asks for."""

    name: str
    outputs: Callable[[], list[sw.Tensor]]
    listed: list[Instance]
    allowed: Callable[[sw.Schedule, Any], object]
    refused: Callable[[sw.Schedule, Any], object]
    steps: Callable[[Trace], None]


# P reads X, which U then overwrites with it: a temporary that may be computed too late.


def temporary(offset):
    def outputs():
        X = sw.placeholder((N,), name="X")
        other = lambda i: sw.select(  # noqa: E731
            sw.all_of(i + offset >= 0, i + offset < N), X[i + offset], 0.0
        )
        P = sw.compute((N,), lambda i: X[i] + other(i), name="P")
        return [sw.update(X, (N,), lambda i: i, lambda i: P[i], name="U")]

    return outputs


def temporary_listed(offset):
    reads = lambda i: [("X", (e,)) for e in (i, i + offset) if 0 <= e < N]  # noqa: E731
    return [
        *instances("P", {"i": range(N)}, lambda i: (i,), reads),
        *instances("U", {"i": range(N)}, lambda i: (i,), lambda i: [("P", (i,))], tensor="X"),
    ]


def in_blocks(order, block=1):
    """Blocks of the loop of U, in an order: of each first P, then U."""

    def steps(trace):
        for begin in order:
            for i in range(begin, begin + block):
                trace.run("P", i=i)
            for i in range(begin, begin + block):
                trace.run("U", i=i)

    return steps


def temporary_case(name, offset, order, block, allowed, refused):
    steps = in_blocks(order, block)
    return Case(name, temporary(offset), temporary_listed(offset), allowed, refused, steps)


# P reads T, then T changes, then C reads both.


def changed():
    A = sw.placeholder((N,), name="A")
    T = sw.compute((N,), lambda i: A[i] * 2, name="T")
    P = sw.compute((N,), lambda i: T[i] + 1, name="P")
    T2 = sw.update(T, (N,), lambda i: i, lambda i: T[i] * 3, name="T2")
    return [sw.compute((N,), lambda i: P[i] + T2[i], name="C")]


CHANGED = [
    *instances("T", {"i": range(N)}, lambda i: (i,)),
    *instances("P", {"i": range(N)}, lambda i: (i,), lambda i: [("T", (i,))]),
    *instances("T2", {"i": range(N)}, lambda i: (i,), lambda i: [("T", (i,))], tensor="T"),
    *instances("C", {"i": range(N)}, lambda i: (i,), lambda i: [("P", (i,)), ("T", (i,))]),
]


def changed_late(block):
    """T and all of T2, then P in the blocks of C."""

    def steps(trace):
        for stage in ("T", "T2"):
            for i in range(N):
                trace.run(stage, i=i)
        in_blocks_of(trace, "P", "C", block)

    return steps


def in_blocks_of(trace, first, then, block):
    for begin in range(0, N, block):
        for stage in (first, then):
            for i in range(begin, begin + block):
                trace.run(stage, i=i)


def changed_case(name, allowed, refused, block):
    return Case(name, changed, CHANGED, allowed, refused, changed_late(block))


# S[i] from S[i - distance].


def scan(distance, extent=12):
    def outputs():
        A = sw.placeholder((extent,), name="A")
        step = lambda S, i: A[i] + sw.select(i >= distance, S[i - distance], 0.0)  # noqa: E731
        return [sw.recurrence((extent,), step, name="S")]

    return outputs


def scan_listed(distance, extent=12):
    reads = lambda i: [("S", (i - distance,))] if i >= distance else []  # noqa: E731
    return list(instances("S", {"i": range(extent)}, lambda i: (i,), reads))


def scan_reads(distance, block, depth, extent=12):
    """What a block reads is copied `depth - 1` blocks early and awaited before the block."""
    blocks = range(extent // block)
    cells = {
        o: {
            ("SS", (o % depth, i)): ("S", (o * block + i - distance,))
            for i in range(block)
            if o * block + i >= distance
        }
        for o in blocks
    }

    def steps(trace):
        ahead = depth - 1
        for o in range(min(ahead, len(blocks))):
            trace.issue("SS", cells[o], p0=o)
        for o in blocks:
            if o + ahead in cells:
                trace.issue("SS", cells[o + ahead], p0=o + ahead)
            trace.wait("SS", p0=o)
            via = {element: cell for cell, element in cells[o].items()}
            for i in range(o * block, (o + 1) * block):
                trace.run("S", reads=via, i=i)

    return steps


def scan_case(name, distance, block, depth, refused):
    return Case(
        name,
        scan(distance),
        scan_listed(distance),
        lambda s, t: s[t["S"]].split("i", block),
        refused,
        scan_reads(distance, block, depth),
    )


# H[t, i] from the row before.


def stencil():
    A = sw.placeholder((6,), name="A")

    def step(H, t, i):
        inner = sw.all_of(t > 0, i > 0, i < 5)
        return sw.select(inner, H[t - 1, i - 1] + H[t - 1, i + 1], A[i])

    return [sw.recurrence((4, 6), step, name="H")]


def stencil_reads(t, i):
    return [("H", (t - 1, i - 1)), ("H", (t - 1, i + 1))] if t > 0 and 0 < i < 5 else []


STENCIL = list(instances("H", {"t": range(4), "i": range(6)}, lambda t, i: (t, i), stencil_reads))


def whole_stencil_first(trace):
    """All of H is copied before any of it is there."""
    cells = {("HH", (t, i)): ("H", (t, i)) for t in range(4) for i in range(6)}
    trace.get("HH", cells)
    for t in range(4):
        for i in range(6):
            trace.run("H", reads={element: cell for cell, element in cells.items()}, t=t, i=i)


def stencil_rows_early(ahead):
    """The row that a step reads is asked for `ahead` steps before."""

    def row(t):
        rows = {("HH", (t % (ahead + 1), i)): ("H", (t - 1, i)) for i in range(6)}
        return rows if t > 0 else {}

    def steps(trace):
        for t in range(min(ahead, 4)):
            trace.issue("HH", row(t), p0=t)
        for t in range(4):
            if t + ahead < 4:
                trace.issue("HH", row(t + ahead), p0=t + ahead)
            trace.wait("HH", p0=t)
            via = {element: cell for cell, element in row(t).items()}
            for i in range(6):
                trace.run("H", reads=via, t=t, i=i)

    return steps


# X[i + 1] from X[i], in place, three times.


def passes():
    X = sw.placeholder((N + 1,), name="X")
    return [sw.update(X, (3, N), lambda t, i: i + 1, lambda t, i: X[i] + 1, name="U")]


PASSES = list(
    instances(
        "U",
        {"t": range(3), "i": range(N)},
        lambda t, i: (i + 1,),
        lambda t, i: [("X", (i,))],
        tensor="X",
    )
)


def row_of_passes(trace):
    """What a pass reads is copied before it."""
    cells = {("XX", (i,)): ("X", (i,)) for i in range(N)}
    for t in range(3):
        trace.get("XX", cells, p0=t)
        for i in range(N):
            trace.run("U", reads={("X", (i,)): ("XX", (i,))}, t=t, i=i)


def elements_of_passes_early(trace):
    """What a step reads is asked for one step before."""

    def cells(i):
        return {("XX", (i % 2,)): ("X", (i,))}

    for t in range(3):
        trace.issue("XX", cells(0), p0=t, p1=0)
        for i in range(N):
            if i + 1 < N:
                trace.issue("XX", cells(i + 1), p0=t, p1=i + 1)
            trace.wait("XX", p0=t, p1=i)
            trace.run("U", reads={("X", (i,)): ("XX", (i % 2,))}, t=t, i=i)


def passes_in_turns(trace):
    """Each pass in a buffer: it is loaded, and the last one stored, while another one runs."""

    def cells(t):
        return {("XX", (t % 2, i)): ("X", (i,)) for i in range(N + 1)}

    def stored(t):
        return {cell: e for cell, e in cells(t).items() if e[1][0] > 0}

    trace.issue("XX", cells(0), p0=0)
    for t in range(3):
        if t + 1 < 3:
            trace.issue("XX", cells(t + 1), p0=t + 1)
        trace.wait("XX", p0=t)
        via = {element: cell for cell, element in cells(t).items()}
        for i in range(N):
            trace.run("U", reads=via, writes=via, t=t, i=i)
        trace.put("XX", stored(t), p0=t)


# C[x] from P[x] and P[x + 2].


def pair_of_stages():
    A = sw.placeholder((18,), name="A")
    P = sw.compute((18,), lambda i: A[i] * 2, name="P")
    return [sw.compute((16,), lambda x: P[x] + P[x + 2], name="C")]


PAIR = [
    *instances("P", {"i": range(18)}, lambda i: (i,)),
    *instances("C", {"x": range(16)}, lambda x: (x,), lambda x: [("P", (x,)), ("P", (x + 2,))]),
]


def in_one_loop(s, t):
    s[t["P"]].shift("i", -2)
    s[t["P"]].fuse_with(t["C"], "x")


def in_one_loop_in_blocks(s, t):
    in_one_loop(s, t)
    s[t["C"]].split("x", 4)


def window(x, slot=0):
    """What C reads at x, in a buffer."""
    return {("PP", (slot, n)): ("P", (x + n,)) for n in (0, 2)}


def all_of_p_first(trace):
    cells = {("PP", (i,)): ("P", (i,)) for i in range(18)}
    trace.get("PP", cells)
    for x in range(-2, 16):
        if x + 2 < 18:
            trace.run("P", i=x + 2)
        if x >= 0:
            trace.run("C", reads={element: cell for cell, element in cells.items()}, x=x)


def windows_early(trace):
    """What C reads at x is asked for one iteration before."""
    for x in range(-3, 16):
        if x >= -2:
            trace.run("P", i=x + 2)
        if 0 <= x + 1 < 16:
            trace.issue("PP", window(x + 1, (x + 1) % 2), p0=x + 1)
        if x >= 0:
            trace.wait("PP", p0=x)
            via = {element: cell for cell, element in window(x, x % 2).items()}
            trace.run("C", reads=via, x=x)


BLOCKS = [range(begin, begin + 4) for begin in range(-2, 16, 4)]  # the loop of both begins there


def windows_of_blocks(trace):
    """What C reads in a block is copied before it."""
    for o, block in enumerate(BLOCKS):
        inside = [x for x in block if 0 <= x < 16]
        cells = {("PP", (i,)): ("P", (i,)) for x in inside for i in (x, x + 2)}
        trace.get("PP", cells, p0=o)
        for x in block:
            if x + 2 < 18:
                trace.run("P", i=x + 2)
            if x in inside:
                trace.run("C", reads={element: cell for cell, element in cells.items()}, x=x)


def stores_of_blocks(trace, late=False):
    """What P computes in a block is stored behind it, or while the next one runs."""

    def cells(o):
        return {("PP", (o % 2, x + 2)): ("P", (x + 2,)) for x in BLOCKS[o] if x + 2 < 18}

    for o, block in enumerate(BLOCKS):
        via = {element: cell for cell, element in cells(o).items()}
        for x in block:
            if x + 2 < 18:
                trace.run("P", writes=via, i=x + 2)
            if 0 <= x < 16:
                trace.run("C", x=x)
        if not late:
            trace.put("PP", cells(o), p0=o)
            continue
        if o > 0:
            trace.wait("PP", p0=o - 1)
        trace.issue("PP", cells(o), is_put=True, p0=o)


def tiles_on_cores(trace):
    """The tile of P, here P', is computed once, and what reads it runs on four cores."""
    for o in range(4):
        via = {("P", (4 * o + n,)): ("P", (n,)) for n in range(6)}
        for n in range(6):
            moved = {("P", (4 * o + n,)): ("P'", (n,))}
            trace.run("P", core=9, writes=moved, inside=(("x.o", o),), i=4 * o + n)
        for n in range(4):
            moved = {element: ("P'", cell[1]) for element, cell in via.items()}
            trace.run("C", core=n, reads=moved, x=4 * o + n)


# A product, whose operands and sums stand in buffers.


def product():
    A = sw.placeholder((3, 4), name="A")
    B = sw.placeholder((4, 3), name="B")
    k = sw.reduce_axis(4, name="k")
    return [sw.compute((3, 3), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")]


def product_listed():
    for i in range(3):
        for j in range(3):
            yield from instances(
                "C", {"i": range(i, i + 1), "j": range(j, j + 1)}, lambda i, j: (i, j)
            )
            extents = {"i": range(i, i + 1), "j": range(j, j + 1), "k": range(4)}
            reads = lambda i, j, k: [("A", (i, k)), ("B", (k, j))]  # noqa: E731
            yield from instances("C", extents, lambda i, j, k: (i, j), reads, is_term=True)


PRODUCT = list(product_listed())


def product_on_cores(axis, operand, at_row):
    """Columns, or rows, on cores; an operand was copied outside of them."""

    def cells(i):
        if operand == "A":
            return {("AA", (k,)): ("A", (i, k)) for k in range(4)}
        return {("BB", (k, j)): ("B", (k, j)) for k in range(4) for j in range(3)}

    def steps(trace):
        if not at_row:
            trace.get(operand * 2, cells(0), core=9)
        for i in range(3):
            if at_row:
                trace.get(operand * 2, cells(i), core=9, p0=i)
            via = {element: cell for cell, element in cells(i).items()}
            for j in range(3):
                core = i if axis == "i" else j
                trace.run("C", core=core, i=i, j=j)
                for k in range(4):
                    trace.run("C", core=core, reads=via, i=i, j=j, k=k)

    return steps


def sums_on_cores(trace):
    """The sums of a row on cores; the row is stored behind them."""
    for i in range(3):
        for j in range(3):
            via = {("C", (i, j)): ("CC", (j,))}
            trace.run("C", core=j, reads=via, writes=via, i=i, j=j)
            for k in range(4):
                trace.run("C", core=j, reads=via, writes=via, i=i, j=j, k=k)
        trace.put("CC", {("CC", (j,)): ("C", (i, j)) for j in range(3)}, core=9, p0=i)


def sums_in_turns(trace):
    """Partial sums of all of C go and come back for each k, in turns."""

    def cells(k):
        return {("CC", (k % 2, i, j)): ("C", (i, j)) for i in range(3) for j in range(3)}

    for i in range(3):
        for j in range(3):
            trace.run("C", i=i, j=j)
    trace.issue("CC", cells(0), p0=0)
    for k in range(4):
        if k + 1 < 4:
            trace.issue("CC", cells(k + 1), p0=k + 1)
        trace.wait("CC", p0=k)
        via = {element: cell for cell, element in cells(k).items()}
        for i in range(3):
            for j in range(3):
                trace.run("C", reads=via, writes=via, i=i, j=j, k=k)
        trace.put("CC", cells(k), p0=k)


def product_case(name, allowed, refused, steps):
    return Case(name, product, PRODUCT, allowed, refused, steps)


def nothing(s, t):
    """No primitive before the one that is refused."""


CASES = [
    # compute_at and compute_inline, later than what they read lives
    temporary_case(
        "a temporary of the element before",
        -1, range(N), 1, nothing,
        lambda s, t: s[t["P"]].compute_at(t["U"], "i"),
    ),
    temporary_case(
        "a temporary of the element behind, backwards",
        1, range(N)[::-1], 1,
        lambda s, t: s[t["U"]].reverse("i"),
        lambda s, t: s[t["P"]].compute_at(t["U"], "i"),
    ),
    temporary_case(
        "a temporary of the element before, in blocks",
        -1, range(0, N, 4), 4,
        lambda s, t: s[t["U"]].split("i", 4),
        lambda s, t: s[t["P"]].compute_at(t["U"], "i.o"),
    ),
    temporary_case(
        "a temporary of an element far before, in blocks",
        -3, range(0, N, 4), 4,
        lambda s, t: s[t["U"]].split("i", 4),
        lambda s, t: s[t["P"]].compute_at(t["U"], "i.o"),
    ),
    temporary_case(
        "a temporary in blocks, backwards",
        2, range(0, N, 2)[::-1], 2,
        lambda s, t: (s[t["U"]].split("i", 2), s[t["U"]].reverse("i.o")),
        lambda s, t: s[t["P"]].compute_at(t["U"], "i.o"),
    ),
    temporary_case(
        "the element before in the expression",
        -1, range(N), 1, nothing,
        lambda s, t: s[t["P"]].compute_inline(),
    ),
    temporary_case(
        "an element far before in the expression",
        -5, range(N), 1, nothing,
        lambda s, t: s[t["P"]].compute_inline(),
    ),
    temporary_case(
        "the element behind in the expression, backwards",
        1, range(N)[::-1], 1,
        lambda s, t: s[t["U"]].reverse("i"),
        lambda s, t: s[t["P"]].compute_inline(),
    ),
    changed_case(
        "computed behind the change",
        nothing, lambda s, t: s[t["P"]].compute_at(t["C"], "i"), 1,
    ),
    changed_case(
        "computed behind the change, in blocks",
        lambda s, t: s[t["C"]].split("i", 4),
        lambda s, t: s[t["P"]].compute_at(t["C"], "i.o"), 4,
    ),
    changed_case(
        "in an expression behind the change",
        nothing, lambda s, t: s[t["P"]].compute_inline(), 1,
    ),
    # copies of what is not there yet
    Case(
        "all steps copied before the first",
        stencil, STENCIL, nothing,
        lambda s, t: s.buffer_read(t["H"], ["t", "i"]),
        whole_stencil_first,
    ),
    scan_case(
        "a block copied before it is there",
        1, 4, 1,
        lambda s, t: s.buffer_read(t["S"], at="i.o"),
    ),
    scan_case(
        "the end of a block is in the next",
        3, 4, 1,
        lambda s, t: s.buffer_read(t["S"], at="i.o"),
    ),
    scan_case(
        "larger blocks than the distance",
        5, 6, 1,
        lambda s, t: s.buffer_read(t["S"], at="i.o"),
    ),
    Case(
        "a pass copied before it",
        passes, PASSES, nothing,
        lambda s, t: s.buffer_read(t["X"], at="t"),
        row_of_passes,
    ),
    Case(
        "all of the producer copied first",
        pair_of_stages, PAIR, in_one_loop,
        lambda s, t: s.buffer_read(t["P"], ["x"], readers=[t["C"]]),
        all_of_p_first,
    ),
    Case(
        "a block copied before its producer",
        pair_of_stages, PAIR, in_one_loop_in_blocks,
        lambda s, t: s.buffer_read(t["P"], at="x.o", readers=[t["C"]]),
        windows_of_blocks,
    ),
    Case(
        "a block stored after its reader",
        pair_of_stages, PAIR, in_one_loop_in_blocks,
        lambda s, t: s.buffer_write(t["P"], at="x.o"),
        stores_of_blocks,
    ),
    # pipelines
    Case(
        "a row asked for while it is computed",
        stencil, STENCIL, nothing,
        lambda s, t: s.buffer_read(t["H"], at="t", depth=2),
        stencil_rows_early(1),
    ),
    Case(
        "a row asked for by double_buffer",
        stencil, STENCIL,
        lambda s, t: s.buffer_read(t["H"], at="t"),
        lambda s, t: s.double_buffer("HH"),
        stencil_rows_early(1),
    ),
    Case(
        "a row asked for two steps before",
        stencil, STENCIL,
        lambda s, t: s.buffer_read(t["H"], at="t"),
        lambda s, t: s.prefetch("HH", distance=2),
        stencil_rows_early(2),
    ),
    scan_case(
        "a block asked for while it is computed",
        4, 4, 2,
        lambda s, t: s.buffer_read(t["S"], at="i.o", depth=2),
    ),
    scan_case(
        "a block asked for two blocks before",
        8, 4, 3,
        lambda s, t: s.buffer_read(t["S"], at="i.o", depth=3),
    ),
    scan_case(
        "a small block asked for too early",
        3, 2, 2,
        lambda s, t: s.buffer_read(t["S"], at="i.o", depth=2),
    ),
    Case(
        "an element asked for while it is computed",
        passes, PASSES, nothing,
        lambda s, t: s.buffer_read(t["X"], at="i", depth=2),
        elements_of_passes_early,
    ),
    Case(
        "a pass loaded while the last one runs",
        passes, PASSES, nothing,
        lambda s, t: s.buffer_write(t["U"], at="t", depth=2),
        passes_in_turns,
    ),
    Case(
        "a window asked for while it is computed",
        pair_of_stages, PAIR, in_one_loop,
        lambda s, t: s.buffer_read(t["P"], at="x", readers=[t["C"]], depth=2),
        windows_early,
    ),
    Case(
        "a block read while it is stored",
        pair_of_stages, PAIR, in_one_loop_in_blocks,
        lambda s, t: s.buffer_write(t["P"], at="x.o", depth=2),
        lambda trace: stores_of_blocks(trace, late=True),
    ),
    product_case(
        "partial sums loaded while they are stored",
        lambda s, t: s[t["C"]].reorder("k", "i", "j"),
        lambda s, t: s.buffer_write(t["C"], at="k", depth=2),
        sums_in_turns,
    ),
    product_case(
        "partial sums loaded early by prefetch",
        lambda s, t: (s[t["C"]].reorder("k", "i", "j"), s.buffer_write(t["C"], at="k")),
        lambda s, t: s.prefetch("CC"),
        sums_in_turns,
    ),
    # a buffer of another core
    product_case(
        "a matrix copied once, rows on cores",
        lambda s, t: s.buffer_read(t["B"], ["k", "j"]),
        lambda s, t: s[t["C"]].parallel("i"),
        product_on_cores("i", "B", at_row=False),
    ),
    product_case(
        "a matrix copied per row, columns on cores",
        lambda s, t: s.buffer_read(t["B"], at="i"),
        lambda s, t: s[t["C"]].parallel("j"),
        product_on_cores("j", "B", at_row=True),
    ),
    product_case(
        "a row copied, columns on columns of the mesh",
        lambda s, t: s.buffer_read(t["A"], at="i"),
        lambda s, t: s[t["C"]].bind("j", "column"),
        product_on_cores("j", "A", at_row=True),
    ),
    product_case(
        "columns on cores, then a row copied outside",
        lambda s, t: s[t["C"]].parallel("j"),
        lambda s, t: s.buffer_read(t["A"], at="i"),
        product_on_cores("j", "A", at_row=True),
    ),
    product_case(
        "sums of several cores stored by one",
        lambda s, t: s.buffer_write(t["C"], at="i"),
        lambda s, t: s[t["C"]].parallel("j"),
        sums_on_cores,
    ),
    Case(
        "a tile for several cores",
        pair_of_stages, PAIR,
        lambda s, t: (s[t["C"]].split("x", 4), s[t["P"]].compute_at(t["C"], "x.o")),
        lambda s, t: s[t["C"]].parallel("x.i"),
        tiles_on_cores,
    ),
    Case(
        "a tile for several rows of cores",
        pair_of_stages, PAIR,
        lambda s, t: (s[t["C"]].split("x", 4), s[t["P"]].compute_at(t["C"], "x.o")),
        lambda s, t: s[t["C"]].bind("x.i", "row"),
        tiles_on_cores,
    ),
    Case(
        "a tile outside of a loop on cores",
        pair_of_stages, PAIR,
        lambda s, t: (s[t["C"]].split("x", 4), s[t["C"]].parallel("x.i")),
        lambda s, t: s[t["P"]].compute_at(t["C"], "x.o"),
        tiles_on_cores,
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_refused_with_what_is_wrong(case):
    s = sw.create_schedule(case.outputs())
    case.allowed(s, s.tensors)
    before = str(s)
    with pytest.raises(sw.IllegalScheduleError) as caught:
        case.refused(s, s.tensors)
    error = caught.value
    assert str(s) == before
    trace = Trace(case.listed)
    case.steps(trace)
    assert trace.wrong, f"the case is legal: {error}"
    wrong = {(a, b, tensor.rstrip("'"), element) for a, b, tensor, element in trace.wrong}
    reported = (error.source, error.sink, error.tensor, tuple(error.element))
    assert reported in wrong, f"{error}\n{reported}\n{sorted(wrong)[:5]}"


def test_there_are_enough():
    assert len(CASES) >= 35


@pytest.mark.parametrize(
    ("listed", "steps"),
    [
        (temporary_listed(1), in_blocks(range(N))),
        (temporary_listed(-1), in_blocks(range(N)[::-1])),
        (scan_listed(4), scan_reads(4, 4, 1)),
        (scan_listed(8), scan_reads(8, 4, 2)),
        (STENCIL, stencil_rows_early(0)),
    ],
)
def test_nothing_is_wrong_with_legal_steps(listed, steps):
    trace = Trace(listed)
    steps(trace)
    assert not trace.wrong


def test_a_tile_in_lanes():
    """Lanes would compute their tiles in one place."""
    s = sw.create_schedule(pair_of_stages())
    P, C = s.tensors["P"], s.tensors["C"]
    s[C].split("x", 4)
    s[P].compute_at(C, "x.i")
    placed = []
    for x in range(16):
        at = {"x.o": x // 4, "x.i": x % 4}
        for n in range(3):
            inside = {**at, "i": x % 4 + n}
            written = frozenset({("P", (n,))})
            placed.append(Instance("P", tuple(inside.items()), written, values=inside))
    outer, lane = lambda n: n.values["x.o"], lambda n: n.values["x.i"]
    with pytest.raises(sw.IllegalScheduleError) as caught:
        s[C].vectorize("x.i")
    source, sink = race(placed, outer, lane)
    assert (caught.value.source, caught.value.sink) == (source.name, sink.name)
    assert (caught.value.tensor, caught.value.element) == ("P", (0,))
