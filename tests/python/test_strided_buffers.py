"""Buffers of every second row, or third: the holes are neither held nor moved."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import HAZARDS


def integers(shape, seed):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype("float32")


def check(s, args, given, expected):
    """Runs on every target, and under every policy; the emulated bytes by kind."""
    kernel = sw.build(s, args, target="sw26010")
    for policy in HAZARDS:
        with sw.emulator(**policy):
            np.testing.assert_array_equal(kernel.run(*given), expected)
    for target in ("host", "c", "example-cluster"):
        other = sw.build(s, args, target=target)
        np.testing.assert_array_equal(other.run(*given), expected)
    return kernel.last_run.bytes


def shapes(s):
    (ldm,) = s.ldm_report("sw26010").to_dict()["memories"]
    return {b["name"]: tuple(b["shape"]) for b in ldm["buffers"]}


def pointwise(stride, size=23):
    """A convolution by 1 x 1 that takes every so many rows and columns, tiled by rows."""
    out = (size + stride - 1) // stride
    x, w = sw.placeholder((8, size, size), name="X"), sw.placeholder((6, 8), name="W")
    c = sw.reduce_axis(8, name="c")
    y = sw.compute(
        (6, out, out),
        lambda f, i, j: sw.sum(x[c, stride * i, stride * j] * w[f, c], axis=c),
        name="Y",
    )
    s = sw.create_schedule(y)
    io, ii = s[y].split("i", 5)
    s[y].reorder(io, "f", ii)
    data = [integers(x.shape, 1), integers(w.shape, 2)]
    expected = np.einsum("cij,fc->fij", data[0][:, ::stride, ::stride], data[1])
    return s, (x, w, y), io, data, expected


@pytest.mark.parametrize("stride", [2, 3])
def test_a_pointwise_convolution_reads_the_rows_that_it_uses(stride):
    s, (x, w, y), io, data, expected = pointwise(stride)
    s[y].parallel(io)
    s.buffer_read(x, at=io)
    s.buffer_read(w, at=io)
    s.buffer_write(y, at=io)
    assert shapes(s)["XX"] == (8, 5, 23 - (23 - 1) % stride)
    moved = check(s, [x, w, y], data, expected)
    rows, columns = expected.shape[1], 23 - (23 - 1) % stride
    weights = -(-rows // 5) * w.shape[0] * w.shape[1]
    parameters = 64 * 24  # each core reads its own
    assert moved["get"] == 4 * (8 * rows * columns + weights) + parameters


def test_in_slots():
    s, (x, w, y), io, data, expected = pointwise(2)
    s.double_buffer(s.buffer_read(x, at=io))
    s.double_buffer(s.buffer_write(y, at=io))
    assert shapes(s)["XX"] == (2, 8, 5, 23)
    check(s, [x, w, y], data, expected)


def test_in_another_layout():
    s, (x, w, y), io, data, expected = pointwise(2)
    s.buffer_read(x, at=io, layout=[1, 0, 2])
    s.buffer_write(y, at=io)
    assert shapes(s)["XX"] == (5, 8, 23)
    check(s, [x, w, y], data, expected)


def rows_of(reads, out=9, columns=6):
    """A sum of rows of A, `reads` being (distance, first) of each."""
    rows = max(distance * (out - 1) + first for distance, first in reads) + 1
    a = sw.placeholder((rows, columns), name="A")

    def body(i, j):
        terms = [a[distance * i + first, j] for distance, first in reads]
        return sum(terms[1:], terms[0])

    b = sw.compute((out, columns), body, name="B")
    s = sw.create_schedule(b)
    io, _ = s[b].split("i", 4)
    s.buffer_read(a, at=io)
    given = integers(a.shape, 1)
    parts = [
        given[first : first + distance * (out - 1) + 1 : distance] for distance, first in reads
    ]
    return s, (a, b), given, sum(parts[1:], parts[0])


@pytest.mark.parametrize(
    ("reads", "held"),
    [
        ([(2, 0)], 4),
        ([(2, 1), (2, 5)], 6),  # of one parity: rows 1, 3, ..., 11 serve both
        ([(2, 0), (2, 1)], 8),  # of both: whole rows from the first to the last
        ([(3, 0), (3, 1)], 11),
        ([(6, 4)], 4),
        ([(4, 0), (6, 2)], 15),  # of the second tile, rows 16 to 44
    ],
)
def test_several_references_share_a_buffer(reads, held):
    s, (a, b), given, expected = rows_of(reads)
    assert shapes(s)["AA"] == (held, 6)
    check(s, [a, b], [given], expected)


def test_the_loops_show_the_distance():
    s, *_ = rows_of([(2, 1)])
    text = str(s)
    assert "A[i.o*8 + i.i*2 + 1, j]" in text or "A[i.o*8 + 1 + i.i*2, j]" in text, text


@pytest.mark.parametrize("holes", ["rows", "columns", "both"])
def test_what_is_written_with_holes_leaves_them_alone(holes):
    """Every second row, or column, of an array of the caller's is written, and nothing between."""
    step = {"rows": (2, 1), "columns": (1, 3), "both": (2, 3)}[holes]
    shape = (13 * step[0], 8 * step[1])
    t, a = sw.placeholder(shape, name="T"), sw.placeholder((13, 8), name="A")
    u = sw.update(
        t, (13, 8), lambda i, j: (step[0] * i, step[1] * j), lambda i, j: a[i, j] * 2, name="U"
    )
    s = sw.create_schedule(u)
    io, _ = s[u].split("i", 4)
    s[u].parallel(io)
    s.buffer_read(a, at=io)
    s.buffer_write(u, at=io)
    assert (4, 8) in shapes(s).values()
    values, start = integers(a.shape, 1), integers(shape, 2)
    expected = start.copy()
    expected[:: step[0], :: step[1]] = values * 2
    for target in ("host", "c", "sw26010", "example-cluster"):
        kernel = sw.build(s, [t, a], target=target)
        for policy in HAZARDS:
            array = start.copy()
            with sw.emulator(**policy):
                kernel(array, values)
            np.testing.assert_array_equal(array, expected)


def test_in_a_fused_loop():
    """Rows at a distance, of tiles that one loop counts."""
    a = sw.placeholder((3, 20, 14), name="A")
    b = sw.compute((3, 10, 14), lambda n, i, j: a[n, 2 * i, j] + 1, name="B")
    s = sw.create_schedule(b)
    io, ii = s[b].split("i", 4)
    jo, ji = s[b].split("j", 7)
    s[b].reorder("n", io, jo, ii, ji)
    f = s[b].fuse("n", io, jo)
    s[b].parallel(f)
    s.buffer_read(a, at=f)
    s.buffer_write(b, at=f)
    assert set(shapes(s).values()) == {(4, 7)}
    given = integers(a.shape, 1)
    check(s, [a, b], [given], given[:, ::2] + 1)
