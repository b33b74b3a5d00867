"""Buffers that hold several regions: values on every target, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import solway as sw

TARGETS = ["host", "c", "sw26010"]


def integers(shape, seed, dtype="float32"):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def tiled_matmul(m, n, depth, tiles=(3, 8, 4), dtype="float32"):
    a = sw.placeholder((m, depth), dtype=dtype, name="A")
    b = sw.placeholder((depth, n), dtype=dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((m, n), lambda x, y: sw.sum(a[x, k] * b[k, y], axis=k), name="C")
    s = sw.create_schedule(c)
    xo, xi = s[c].split("x", tiles[0])
    yo, yi = s[c].split("y", tiles[1])
    ko, ki = s[c].split("k", tiles[2])
    s[c].reorder(xo, yo, ko, xi, yi, ki)
    return s, SimpleNamespace(a=a, b=b, c=c, xo=xo, yo=yo, ko=ko, xi=xi, yi=yi, ki=ki)


def check(s, a, b, c, target, poison):
    left, right = integers(a.shape, 1, a.dtype), integers(b.shape, 2, b.dtype)
    kernel = sw.build(s, [a, b, c], target=target, poison_transfers=poison)
    np.testing.assert_array_equal(kernel.run(left, right), left @ right)
    return kernel


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("poison", [False, True])
@pytest.mark.parametrize("depths", [(2, 2, 2), (3, 2, 1), (1, 4, 3)])
def test_every_buffer_of_a_matmul(target, poison, depths):
    s, m = tiled_matmul(7, 20, 18)
    s[m.c].parallel(m.xo)
    s.buffer_read(m.a, [m.xi, m.ki], depth=depths[0])
    s.buffer_read(m.b, [m.ki, m.yi], depth=depths[1])
    s.buffer_write(m.c, [m.xi, m.yi], depth=depths[2])
    check(s, m.a, m.b, m.c, target, poison)


@pytest.mark.parametrize("target", TARGETS)
def test_positions_in_different_loops(target):
    s, m = tiled_matmul(6, 32, 12)
    aa = s.buffer_read(m.a, at=m.xo)
    bb = s.buffer_read(m.b, at=m.ko)
    cc = s.buffer_write(m.c, at=m.yo)
    s.prefetch(aa)
    s.prefetch(bb, distance=2)
    s.double_buffer(cc)
    check(s, m.a, m.b, m.c, target, True)


@pytest.mark.parametrize("target", TARGETS)
def test_fewer_iterations_than_slots(target):
    s, m = tiled_matmul(4, 8, 4)
    s.buffer_read(m.a, at=m.ko, depth=4)
    s.buffer_read(m.b, at=m.ko, depth=2)
    s.buffer_write(m.c, at=m.yo, depth=3)
    check(s, m.a, m.b, m.c, target, True)


@pytest.mark.parametrize("target", TARGETS)
def test_loads_that_are_stored_too(target):
    """Tiles that are loaded, added to and stored, each once: loads overlap, and stores with 3."""
    a = sw.placeholder((6, 20), name="A")
    k = sw.reduce_axis(20, name="k")
    b = sw.compute((6,), lambda i: sw.sum(a[i, k], axis=k), name="B")
    for depth in (2, 3):
        s = sw.create_schedule(b)
        ko, ki = s[b].split("k", 20)
        s[b].reorder(ko, "i", ki)
        s.buffer_write(b, at=s[b].axis[0], depth=depth)
        values = integers(a.shape, 3)
        np.testing.assert_array_equal(
            sw.build(s, [a, b], target=target, poison_transfers=True).run(values), values.sum(1)
        )


def test_the_stages_of_a_pipeline():
    a = sw.placeholder((1024,), name="A")
    b = sw.compute((1024,), lambda i: a[i] + 1, name="B")
    s = sw.create_schedule(b)
    _, ii = s[b].split("i", 128)
    s.buffer_read(a, [ii], depth=3)
    s.buffer_write(b, [ii], depth=2)
    assert str(s) == (
        "For i.o in range(-2, 0)\n"
        "  Issue AA_get: AA[i.o + 2, 0] <- A[i.o*128 + 256]  # 128\n"
        "For i.o in range(8)\n"
        "  If i.o <= 5\n"
        "    Issue AA_get: AA[(i.o + 2) % 3, 0] <- A[i.o*128 + 256]  # 128\n"
        "  Wait AA_get\n"
        "  For i.i in range(128)\n"
        "    BB[i.o % 2, i.i] = AA[i.o % 3, i.i] + 1.0\n"
        "  Issue BB_put: B[i.o*128] <- BB[i.o % 2, 0]  # 128\n"
        "  If i.o >= 1\n"
        "    Wait BB_put\n"
        "Wait BB_put\n"
    )


def test_every_slot_counts_against_the_scratchpad():
    s, m = tiled_matmul(64, 256, 256, (16, 64, 64))
    s.buffer_read(m.b, [m.ki, m.yi])
    one = s.ldm_report("sw26010").to_dict()["memories"][0]["total_bytes"]
    s.double_buffer("BB")
    two = s.ldm_report("sw26010").to_dict()["memories"][0]["total_bytes"]
    assert (one, two) == (64 * 64 * 4, 2 * 64 * 64 * 4)
    s.prefetch("BB", distance=3)
    with pytest.raises(sw.CapacityError):
        sw.build(s, [m.a, m.b, m.c], target="sw26010")


def test_copies_on_a_cpu_are_remarked_on():
    s, m = tiled_matmul(6, 16, 12)
    s.buffer_read(m.b, [m.ki, m.yi], depth=2)
    kernel = check(s, m.a, m.b, m.c, "host", False)
    assert "'BB' is copied when it is asked for" in str(kernel.report())
    assert "'BB'" not in str(check(s, m.a, m.b, m.c, "sw26010", False).report())


def test_a_step_of_the_log():
    s, m = tiled_matmul(6, 16, 12)
    s.double_buffer(s.buffer_read(m.b, [m.ki, m.yi], depth=3))
    s.prefetch("BB", distance=1)
    assert [str(step) for step in s.log[-3:]] == [
        "BB = s.buffer_read(B, region=[k.i, y.i], at=k.o, depth=3)",
        "s.double_buffer(BB)",
        "s.prefetch(BB, distance=1)",
    ]


def test_refusals():
    s, m = tiled_matmul(6, 16, 12)
    with pytest.raises(sw.ScheduleArgumentError, match="is no buffer of this schedule"):
        s.double_buffer("BB")
    with pytest.raises(sw.ScheduleArgumentError, match="takes a buffer"):
        s.double_buffer(m.b)
    with pytest.raises(sw.ScheduleArgumentError, match="the depth is not positive"):
        s.buffer_read(m.b, [m.ki, m.yi], depth=0)
    with pytest.raises(sw.ScheduleArgumentError, match="how many regions"):
        s.buffer_read(m.b, [m.ki, m.yi], depth="2")
    s[m.c].parallel(m.xo)
    aa = s.buffer_read(m.a, at=m.xo)
    before = str(s)
    with pytest.raises(sw.IllegalScheduleError, match="AA"):
        s.double_buffer(aa)
    assert str(s) == before
    assert not s.legal("double_buffer", aa)
    assert not s.legal("prefetch", aa, distance=2)


def test_sums_that_continue_cannot_be_loaded_early():
    s, m = tiled_matmul(6, 16, 12)
    s.buffer_write(m.c, at=m.ko)
    with pytest.raises(sw.IllegalScheduleError, match="CC"):
        s.double_buffer("CC")
