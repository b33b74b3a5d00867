"""Buffers of what is no box: triangles, bands, trapezoids."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import POLICIES

N, M = 29, 37
UNWRITTEN = 77

#: Conditions that all hold, of axes and of arrays of indices.
SETS = {
    "below the diagonal": [lambda i, j: j <= i],
    "above it": [lambda i, j: j >= i],
    "below the other one": [lambda i, j: i + j < 31],
    "band": [lambda i, j: j <= i + 3, lambda i, j: j >= i - 2],
    "trapezoid": [lambda i, j: j <= i + 7],
    "steep": [lambda i, j: j <= 2 * i],
    "parallelogram": [lambda i, j: j >= i, lambda i, j: j < i + 9],
    "slow": [lambda i, j: 2 * j <= i + 9],
}


def assert_exact(s, tensors, expected, target, inputs, name):
    """Runs it into arrays that hold something: nothing but the set may be written."""
    kernel = sw.build(s, tensors, target=target, name=name)
    modes = [{}] if target in ("host", "c") else POLICIES
    for options in modes:
        arrays = [x.copy() for x in inputs]
        out = np.full(expected.shape, UNWRITTEN, expected.dtype)
        with sw.emulator(**options):
            kernel(*arrays, out)
        np.testing.assert_array_equal(out, expected, err_msg=str(options))
    return kernel


def tiles_of(name, rows, columns, depth=1):
    """Twice a matrix where a condition holds, in tiles that a buffer holds."""
    a = sw.placeholder((N, M), "int32", name="A")
    keep = lambda i, j: sw.all_of(*(one(i, j) for one in SETS[name]))  # noqa: E731
    c = sw.compute((N, M), lambda i, j: a[i, j] * 2 + 1, name="C", where=keep)
    s = sw.create_schedule(c)
    io, jo, _, _ = s[c].tile("i", "j", rows, columns)
    s[c].parallel(io)
    s.buffer_write(c, at=jo, depth=depth)
    values = np.arange(N * M, dtype="i4").reshape(N, M)
    is_kept = np.logical_and.reduce([one(*np.indices((N, M))) for one in SETS[name]])
    expected = np.where(is_kept, values * 2 + 1, UNWRITTEN).astype("i4")
    return s, [a, c], values, expected


@pytest.mark.parametrize(("rows", "columns"), [(8, 16), (5, 7), (29, 37), (4, 37)])
@pytest.mark.parametrize("name", SETS)
def test_tiles_are_stored_exactly(name, rows, columns):
    s, tensors, values, expected = tiles_of(name, rows, columns)
    assert_exact(s, tensors, expected, "sw26010", [values], "rows")


@pytest.mark.parametrize("target", ["host", "c", "sw26010pro", "example-cluster"])
@pytest.mark.parametrize("name", ["below the diagonal", "band"])
def test_on_other_targets(name, target):
    s, tensors, values, expected = tiles_of(name, 8, 16)
    assert_exact(s, tensors, expected, target, [values], "rows")


@pytest.mark.parametrize("name", ["below the diagonal", "band", "steep"])
def test_two_regions_take_turns(name):
    s, tensors, values, expected = tiles_of(name, 8, 8, depth=2)
    assert_exact(s, tensors, expected, "sw26010", [values], "rows")


def test_a_whole_tile_is_one_request():
    s, tensors, values, _ = tiles_of("below the diagonal", 8, 8)
    kernel = sw.build(s, tensors, target="sw26010", name="rows")
    cpe = kernel.source["rows_cpe.c"]
    assert "CC_put_reply" in cpe
    assert "CC_put_row_reply" in cpe
    kernel.run(values, mode="timed")


def test_a_product_below_the_diagonal():
    n = 64
    a = sw.placeholder((n, n), "int32", name="A")
    k = sw.reduce_axis(n, name="k")
    c = sw.compute(
        (n, n),
        lambda i, j: sw.sum(a[i, k] * a[j, k], axis=k),
        name="C",
        where=lambda i, j: j <= i,
    )
    s = sw.create_schedule(c)
    io, jo, _, _ = s[c].tile("i", "j", 8, 16)
    s[c].parallel(io)
    s.buffer_write(c, at=jo)
    s.buffer_read(a, at=jo)
    values = np.random.default_rng(5).integers(-4, 5, (n, n)).astype("i4")
    lower = np.tri(n, dtype=bool)
    expected = np.where(lower, values @ values.T, UNWRITTEN).astype("i4")
    assert_exact(s, [a, c], expected, "sw26010", [values], "syrk")


def test_an_update_in_place_loads_first():
    n = 32
    a = sw.placeholder((n, n), "int32", name="A")
    c = sw.placeholder((n, n), "int32", name="C")
    k = sw.reduce_axis(n, name="k")
    d = sw.update(
        c,
        (n, n),
        lambda i, j: (i, j),
        lambda i, j: c[i, j] * 3 + sw.sum(a[i, k] * a[j, k], axis=k),
        where=lambda i, j: j <= i,
        name="D",
    )
    s = sw.create_schedule(d)
    io, jo, _, _ = s[d].tile("i", "j", 8, 16)
    s[d].parallel(io)
    s.buffer_write(d, at=jo)
    rng = np.random.default_rng(6)
    left, old = (rng.integers(-4, 5, (n, n)).astype("i4") for _ in range(2))
    new = np.where(np.tri(n, dtype=bool), old * 3 + left @ left.T, old).astype("i4")
    kernel = sw.build(s, [a, c], target="sw26010", name="update")
    for options in POLICIES:
        out = old.copy()
        with sw.emulator(**options):
            kernel(left, out)
        np.testing.assert_array_equal(out, new, err_msg=str(options))


def test_skewed_tiles_in_place_load_no_more_than_they_touch():
    """Of a parallelogram the box around it has elements that other cores write."""
    n, m = 24, 40
    c = sw.placeholder((n, m), "int32", name="C")
    d = sw.update(c, (n, m), lambda i, j: (i, j), lambda i, j: c[i, j] * 2 + 1, name="D")
    s = sw.create_schedule(d)
    s[d].reorder("j", "i")
    s[d].skew("i", by="j", factor=1)
    jo, io, _, _ = s[d].tile("j", "i", 8, 6)
    s[d].reorder(io, jo)
    s[d].parallel(io)
    s.buffer_write(d, at=jo)
    old = np.arange(n * m, dtype="i4").reshape(n, m)
    kernel = sw.build(s, [c], target="sw26010", name="skewed")
    for options in POLICIES:
        out = old.copy()
        with sw.emulator(**options):
            kernel(out)
        np.testing.assert_array_equal(out, old * 2 + 1, err_msg=str(options))


def test_a_tetrahedron_has_rows_of_two_loops():
    n = 12
    a = sw.placeholder((n, n, n), "int32", name="A")
    c = sw.compute(
        (n, n, n),
        lambda i, j, k: a[i, j, k] + 5,
        name="C",
        where=lambda i, j, k: sw.all_of(j <= i, k <= i - j),
    )
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", 4)
    s[c].parallel(io)
    s.buffer_write(c, at=io)
    values = np.arange(n**3, dtype="i4").reshape(n, n, n)
    i, j, k = np.indices((n, n, n))
    expected = np.where((j <= i) & (k <= i - j), values + 5, UNWRITTEN).astype("i4")
    assert_exact(s, [a, c], expected, "sw26010", [values], "tetrahedron")


def test_rows_of_several_dimensions():
    """Of C[i, j, k] with j <= i a row has all k of all j."""
    n, m = 16, 6
    a = sw.placeholder((n, n, m), "int32", name="A")
    c = sw.compute(
        (n, n, m), lambda i, j, k: a[i, j, k] - 2, name="C", where=lambda i, j, k: j <= i
    )
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", 4)
    s[c].parallel(io)
    s.buffer_write(c, at=io)
    values = np.arange(n * n * m, dtype="i4").reshape(n, n, m)
    i, j, _ = np.indices((n, n, m))
    expected = np.where(j <= i, values - 2, UNWRITTEN).astype("i4")
    assert_exact(s, [a, c], expected, "sw26010", [values], "planes")


def test_strided_rows():
    """Every second row and every third column below a diagonal."""
    n = 20
    c = sw.placeholder((2 * n, 3 * n), "int32", name="C")
    a = sw.placeholder((n, n), "int32", name="A")
    d = sw.update(
        c,
        (n, n),
        lambda i, j: (2 * i, 3 * j),
        lambda i, j: a[i, j] * 7,
        where=lambda i, j: j <= i,
        name="D",
    )
    s = sw.create_schedule(d)
    io, jo, _, _ = s[d].tile("i", "j", 4, 8)
    s[d].parallel(io)
    s.buffer_write(d, at=jo)
    values = np.arange(n * n, dtype="i4").reshape(n, n)
    expected = np.full((2 * n, 3 * n), UNWRITTEN, "i4")
    expected[::2, ::3] = np.where(np.tri(n, dtype=bool), values * 7, UNWRITTEN)
    kernel = sw.build(s, [a, c], target="sw26010", name="strided")
    for options in POLICIES:
        out = np.full_like(expected, UNWRITTEN)
        with sw.emulator(**options):
            kernel(values, out)
        np.testing.assert_array_equal(out, expected, err_msg=str(options))


def test_sizes_that_are_known_when_it_runs():
    n = sw.size("n", max=64)
    a = sw.placeholder((n, n), "int32", name="A")
    c = sw.compute((n, n), lambda i, j: a[i, j] + 1, name="C", where=lambda i, j: j <= i)
    s = sw.create_schedule(c)
    io, jo, _, _ = s[c].tile("i", "j", 8, 8)
    s[c].parallel(io)
    s.buffer_write(c, at=jo)
    kernel = sw.build(s, [a, c], target="sw26010", name="sized")
    for size in (1, 7, 8, 30):
        values = np.arange(size * size, dtype="i4").reshape(size, size)
        expected = np.where(np.tri(size, dtype=bool), values + 1, UNWRITTEN).astype("i4")
        for options in POLICIES:
            out = np.full((size, size), UNWRITTEN, "i4")
            with sw.emulator(**options):
                kernel(values, out)
            np.testing.assert_array_equal(out, expected, err_msg=f"{size} {options}")


def test_every_second_element_in_turn_is_refused():
    a = sw.placeholder((8, 8), "int32", name="A")
    c = sw.compute((8, 8), lambda i, j: a[i, j], name="C", where=lambda i, j: (i + j) % 2 == 0)
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", 4)
    with pytest.raises(sw.UnsupportedError, match="is not a box"):
        s.buffer_write(c, at=io)


def test_what_is_printed_shows_the_rows():
    s, _, _, _ = tiles_of("below the diagonal", 8, 16)
    text = str(s)
    assert "For row in range" in text
    assert text.count("Wait CC_put") == 1
