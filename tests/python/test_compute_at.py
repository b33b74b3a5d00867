"""Stages inside the loops and the expressions of others: what they compute, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ["host", "c", "sw26010"]


def integers(shape, seed=0, dtype="float32"):
    """Values whose sums and products are exact in every element type."""
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def blur(n, m, dtype="float32"):
    """Sums of three columns, then of three rows."""
    a = sw.placeholder((n + 2, m + 2), dtype=dtype, name="A")
    p = sw.compute((n + 2, m), lambda i, j: a[i, j] + a[i, j + 1] + a[i, j + 2], name="P")
    c = sw.compute((n, m), lambda i, j: p[i, j] + p[i + 1, j] + p[i + 2, j], name="C")
    return a, p, c


def check_blur(s, a, c, target, **options):
    x = integers(a.shape, 1, a.dtype)
    p = x[:, :-2] + x[:, 1:-1] + x[:, 2:]
    kernel = sw.build(s, [a, c], target=target, **options)
    np.testing.assert_array_equal(kernel.run(x), p[:-2] + p[1:-1] + p[2:])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_inline(target, dtype):
    a, p, c = blur(9, 13, dtype)
    s = sw.create_schedule(c)
    s[p].compute_inline()
    s[c].tile("i", "j", 4, 8)
    check_blur(s, a, c, target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("level", range(4))
def test_each_level_of_a_tiled_reader(target, level):
    a, p, c = blur(9, 13)
    s = sw.create_schedule(c)
    loops = s[c].tile("i", "j", 4, 5)
    s[p].compute_at(c, loops[level])
    s[c].parallel(loops[0])
    check_blur(s, a, c, target)


@pytest.mark.parametrize("target", TARGETS)
def test_primitives_apply_to_the_loops_inside(target):
    a, p, c = blur(16, 32)
    s = sw.create_schedule(c)
    io, _, _, ji = s[c].tile("i", "j", 4, 16)
    s[p].compute_at(s[c], io)
    _, jj = s[p].split("j", 8)
    s[p].reorder(jj, "i")
    s[p].vectorize("i")
    s[c].vectorize(ji)
    s[c].parallel(io)
    check_blur(s, a, c, target)


@pytest.mark.parametrize("target", TARGETS)
def test_a_stage_that_was_split_before(target):
    a, p, c = blur(16, 32)
    s = sw.create_schedule(c)
    s[p].split("j", 5)
    io, _ = s[c].split("i", 3)
    s[p].compute_at(c, io)
    check_blur(s, a, c, target)


@pytest.mark.parametrize("target", TARGETS)
def test_chains(target):
    a = sw.placeholder((40,), name="A")
    p = sw.compute((38,), lambda i: a[i] + a[i + 2], name="P")
    q = sw.compute((36,), lambda i: p[i] * 2 + p[i + 2], name="Q")
    c = sw.compute((33,), lambda i: q[i] + q[i + 3], name="C")
    x = integers(40)
    y = x[:-2] + x[2:]
    z = y[:-2] * 2 + y[2:]
    for order in ("inner first", "outer first", "inlined", "nested"):
        s = sw.create_schedule(c)
        io, ii = s[c].split("i", 8)
        if order == "inner first":
            qo, _ = s[q].split("i", 4)
            s[p].compute_at(q, qo)
            s[q].compute_at(c, io)
        elif order == "outer first":
            s[q].compute_at(c, io)
            s[p].compute_at(q, "i")
        elif order == "inlined":
            s[p].compute_inline()
            s[q].compute_at(c, io)
        else:
            s[q].compute_at(c, ii)
            s[p].compute_at(c, io)
        kernel = sw.build(s, [a, c], target=target)
        np.testing.assert_array_equal(kernel.run(x), z[:33] + z[3:], err_msg=order)


def sums(m, n, depth):
    a = sw.placeholder((m, depth), name="A")
    b = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    p = sw.compute((m, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="P")
    d = sw.compute((m, n), lambda i, j: sw.maximum(p[i, j], 0.0) + a[i, 0], name="D")
    return a, b, p, d


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("level", range(4))
def test_a_reduction_inside_its_epilogue(target, level):
    a, b, p, d = sums(7, 10, 6)
    s = sw.create_schedule(d)
    loops = s[d].tile("i", "j", 3, 4)
    s[p].compute_at(d, loops[level])
    if level < 2:
        ko, ki = s[p].split("k", 4)
        s[p].reorder(ko, "i", ki, "j")
    s[d].parallel(loops[0])
    x, y = integers((7, 6), 1), integers((6, 10), 2)
    kernel = sw.build(s, [a, b, d], target=target)
    np.testing.assert_array_equal(kernel.run(x, y), np.maximum(x @ y, 0) + x[:, :1])


@pytest.mark.parametrize("target", TARGETS)
def test_buffers_of_a_placed_stage(target):
    a, b, p, d = sums(8, 12, 16)
    s = sw.create_schedule(d)
    io, jo, _, _ = s[d].tile("i", "j", 4, 6)
    s[p].compute_at(d, jo)
    ko, ki = s[p].split("k", 4)
    s[p].reorder(ko, "i", "j", ki)
    s.buffer_read(b, ["j", ki], readers=[p], at=ko)
    s.buffer_read(a, ["i", ki], readers=[p], at=ko)
    s[d].parallel(io)
    x, y = integers((8, 16), 1), integers((16, 12), 2)
    kernel = sw.build(s, [a, b, d], target=target)
    np.testing.assert_array_equal(kernel.run(x, y), np.maximum(x @ y, 0) + x[:, :1])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_buffer_at_a_loop_of_the_consumer(target, level, depth):
    a, p, c = blur(12, 16)
    s = sw.create_schedule(c)
    io, jo, _, _ = s[c].tile("i", "j", 4, 8)
    s[p].compute_at(c, jo)
    AA = s.buffer_read(a, at=(io, jo)[level], depth=depth)
    assert dict(s.log[-1].arguments)["at"] == ("i.o", "j.o")[level]
    s[p].vectorize("j")
    if level == 1:
        s[c].parallel(io)
    assert AA.name in str(s)
    scope = {"sw": sw, "outputs": [c]}
    exec(s.to_python(), scope)
    assert str(scope["s"]) == str(s)
    check_blur(s, a, c, target)


@pytest.mark.parametrize("target", TARGETS)
def test_a_buffer_of_what_producer_and_consumer_read(target):
    """The loop is the consumer's, which reads the tensor itself: readers= says who else."""
    a = sw.placeholder((40,), name="A")
    p = sw.compute((36,), lambda i: a[i] + a[i + 4], name="P")
    c = sw.compute((32,), lambda i: p[i] * p[i + 4] + a[i], name="C")
    s = sw.create_schedule(c)
    outer, _ = s[c].split("i", 8)
    s[p].compute_at(c, outer)
    s.buffer_read(a, at=outer)
    s.buffer_read(a, at=outer, readers=[p])
    assert [step.stage for step in s.log[-2:]] == ["C", "P"]
    x = integers(40, 2)
    y = x[:36] + x[4:]
    kernel = sw.build(s, [a, c], target=target)
    np.testing.assert_array_equal(kernel.run(x), y[:32] * y[4:36] + x[:32])


def test_a_loop_that_is_not_around_the_stage_is_no_position():
    a, p, c = blur(12, 16)
    s = sw.create_schedule(c)
    _, jo, ii, _ = s[c].tile("i", "j", 4, 8)
    s[p].compute_at(c, jo)
    with pytest.raises(sw.ScheduleArgumentError, match=r"axis 'i\.i' is not a loop of 'P'"):
        s.buffer_read(a, at=ii)


@pytest.mark.parametrize("target", TARGETS)
def test_a_nested_reduction_moves_with_its_stage(target):
    a = sw.placeholder((9, 5), name="A")
    k = sw.reduce_axis(5, name="k")
    p = sw.compute((9,), lambda i: sw.max(a[i, k], axis=k) * 2, name="P")
    c = sw.compute((8,), lambda i: p[i] + p[i + 1], name="C")
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", 3)
    s[p].compute_at(c, io)
    x = integers((9, 5))
    q = x.max(axis=1) * 2
    np.testing.assert_array_equal(sw.build(s, [a, c], target=target).run(x), q[:-1] + q[1:])


@pytest.mark.parametrize("target", TARGETS)
def test_guarded_reads_of_a_placed_stage(target):
    a = sw.placeholder((10,), name="A")
    p = sw.compute((10,), lambda i: a[i] * 3, name="P")
    c = sw.compute((12,), lambda i: sw.select(sw.all_of(i >= 1, i < 11), p[i - 1], 7.0), name="C")
    x = integers((10,))
    for inline in (False, True):
        s = sw.create_schedule(c)
        io, _ = s[c].split("i", 4)
        if inline:
            s[p].compute_inline()
        else:
            s[p].compute_at(c, io)
        expected = np.concatenate([[7], x * 3, [7]])
        np.testing.assert_array_equal(sw.build(s, [a, c], target=target).run(x), expected)


def test_compute_root_brings_the_values_back():
    a, p, c = blur(9, 13)
    s = sw.create_schedule(c)
    before = str(s)
    s[p].compute_at(c, "i")
    s[p].split("j", 4)
    s[p].compute_root()
    assert str(s) == before
    s[p].split(p.axis[1], 4)
    check_blur(s, a, c, "c")


def test_legal_levels_are_those_around_all_readers():
    a = sw.placeholder((8, 8), name="A")
    p = sw.compute((8, 8), lambda i, j: a[i, j] * 2, name="P")
    c = sw.compute((8, 8), lambda i, j: p[i, j] + p[j, i], name="C")
    d = sw.compute((8, 8), lambda i, j: p[i, j] - c[i, j], name="D")
    s = sw.create_schedule(d)
    assert s[p].legal_levels(d) == ()
    assert [loop.name for loop in s[c].legal_levels(d)] == ["i", "j"]
    s[c].compute_inline()
    assert [loop.name for loop in s[p].legal_levels(d)] == ["i", "j"]


def test_a_refusal_leaves_the_schedule_as_it_was():
    _, p, c = blur(8, 8)
    s = sw.create_schedule([c, p])
    before = str(s)
    with pytest.raises(sw.ScheduleArgumentError, match="'P' is an output"):
        s[p].compute_at(c, "i")
    with pytest.raises(sw.ScheduleArgumentError, match="it is an output"):
        s[p].compute_inline()
    assert str(s) == before
    assert not s.log


def test_the_tile_counts_in_the_scratchpad():
    a, p, c = blur(64, 64)
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", 16)
    s[p].compute_at(c, io)
    report = s.ldm_report("sw26010").to_dict()["memories"][0]
    assert report["total_bytes"] == 18 * 64 * 4
    a, p, c = blur(512, 512)
    s = sw.create_schedule(c)
    io, _ = s[c].split("i", 128)
    s[p].compute_at(c, io)
    with pytest.raises(sw.CapacityError):
        sw.build(s, [a, c], target="sw26010")
