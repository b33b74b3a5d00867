"""Buffers of nests that follow each other have the same bytes of a scratchpad."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

LANDINGS = [("at_issue", 0), ("at_wait", 0), ("random", 1), ("random", 2)]


def check(kernel, inputs, expected):
    """In all modes, whenever transfers land."""
    for mode in ("functional", "hazard"):
        for landing, seed in LANDINGS:
            with sw.emulator(mode, landing=landing, seed=seed):
                np.testing.assert_array_equal(kernel.run(*inputs), expected)
    np.testing.assert_array_equal(kernel.run(*inputs, mode="timed"), expected)


def memory_of(s, target="sw26010"):
    return s.ldm_report(target).to_dict()["memories"][0]


def doubled_then_added(rows):
    a = sw.placeholder((rows, 1024), name="A")
    b = sw.compute((rows, 1024), lambda i, j: a[i, j] * 2, name="B")
    c = sw.compute((rows, 1024), lambda i, j: b[i, j] + 3, name="C")
    return a, b, c


def staged(s, stage, read, factor):
    """Tiles of `factor` rows, in and out."""
    outer, inner = s[stage].split(stage.axis[0], factor=factor)
    s.buffer_read(read, [inner, stage.axis[1]], at=outer, readers=[s[stage]])
    s.buffer_write(stage, [inner, stage.axis[1]], at=outer)
    s[stage].parallel(outer)


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
def test_nests_that_follow_each_other_take_the_larger(target):
    a, b, c = doubled_then_added(64)
    s = sw.create_schedule(c)
    staged(s, b, a, 4)
    staged(s, c, b, 2)
    memory = memory_of(s, target)
    assert sum(buffer["bytes"] for buffer in memory["buffers"]) == 2 * 16384 + 2 * 8192
    assert (memory["total_bytes"], memory["live_bytes"]) == (32768, 32768)
    assert "share bytes: 49152 without, at least 32768 with" in str(s.ldm_report(target))
    k = sw.build(s, [a, c], target=target)
    x = np.arange(64 * 1024, dtype="float32").reshape(64, 1024) % 1001
    k.run(x)
    if target == "sw26010":  # the other one has its stack there too
        assert 32768 <= k.last_run.ldm_peak_bytes < 33500
    check(k, [x], 2 * x + 3)


def test_each_nest_may_use_all_of_the_memory():
    a, b, c = doubled_then_added(128)
    s = sw.create_schedule(c)
    staged(s, b, a, 7)
    staged(s, c, b, 7)
    assert memory_of(s)["total_bytes"] == 2 * 7 * 4096
    k = sw.build(s, [a, c], target="sw26010")
    x = np.arange(128 * 1024, dtype="float32").reshape(128, 1024) % 1001
    check(k, [x], 2 * x + 3)


def test_one_nest_that_is_too_large_is_refused():
    a, b, c = doubled_then_added(64)
    s = sw.create_schedule(c)
    staged(s, b, a, 4)
    staged(s, c, b, 8)
    with pytest.raises(sw.CapacityError, match="need 65536 bytes"):
        sw.build(s, [a, c], target="sw26010")


def test_fused_nests_do_not_share():
    a, b, c = doubled_then_added(64)
    s = sw.create_schedule(c)
    for stage, read in ((b, a), (c, b)):
        outer, inner = s[stage].split(stage.axis[0], factor=2)
        s.buffer_read(read, [inner, stage.axis[1]], at=outer, readers=[s[stage]])
        if stage is b:
            first = outer
    s[c].fuse_with(b, first)
    assert memory_of(s)["total_bytes"] == 2 * 8192
    k = sw.build(s, [a, c], target="sw26010")
    x = np.arange(64 * 1024, dtype="float32").reshape(64, 1024) % 1001
    check(k, [x], 2 * x + 3)


def test_bytes_change_their_type():
    a = sw.placeholder((256, 512), name="A")
    k = sw.reduce_axis(512, name="k")
    at = sw.compute((256,), lambda i: sw.argmax(a[i, k], axis=k), name="at")
    d = sw.compute((256,), lambda i: sw.cast(at[i], "float64") * 0.5, name="D")
    s = sw.create_schedule(d)
    s.auto_buffer("sw26010")
    assert memory_of(s)["total_bytes"] < sum(b["bytes"] for b in memory_of(s)["buffers"])
    kernel = sw.build(s, [a, d], target="sw26010")
    x = np.random.default_rng(3).integers(-9, 9, (256, 512)).astype("float32")
    check(kernel, [x], x.argmax(axis=1) * 0.5)


def test_automatic_plans_give_each_stage_the_whole_memory():
    a, _, c = doubled_then_added(512)
    s = sw.create_schedule(c)
    s.auto_buffer("sw26010", planner="greedy")
    memory = memory_of(s)
    of_stage = {"B": 0, "C": 0}
    for buffer in memory["buffers"]:
        of_stage[buffer["stage"]] += buffer["bytes"]
    assert min(of_stage.values()) > memory["available_bytes"] / 2
    k = sw.build(s, [a, c], target="sw26010")
    x = np.arange(512 * 1024, dtype="float32").reshape(512, 1024) % 1001
    np.testing.assert_array_equal(k.run(x, mode="hazard"), 2 * x + 3)


@pytest.mark.parametrize("seed", range(6))
def test_random_chains(seed):
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(1, 90)), int(rng.integers(1, 300))
    a = sw.placeholder((rows, columns), name="A")
    last, value = a, rng.integers(-5, 6, (rows, columns)).astype("float32")
    x = value
    for n in range(4):
        before, kind = last, int(rng.integers(3))
        shape = last.shape
        if kind == 0:
            last = sw.compute(shape, lambda i, j, t=before: t[i, j] * 2 - 1, name=f"T{n}")
            value = value * 2 - 1
        elif kind == 1:
            last = sw.compute(shape[::-1], lambda i, j, t=before: t[j, i], name=f"T{n}")
            value = value.T
        else:
            dtype = "int32" if value.dtype == np.float32 else "float32"
            last = sw.compute(
                shape, lambda i, j, t=before, d=dtype: sw.cast(t[i, j], d), name=f"T{n}"
            )
            value = value.astype(dtype)
    s = sw.create_schedule(last)
    s.auto_buffer("sw26010", planner=["optimal", "greedy"][seed % 2])
    check(sw.build(s, [a, last], target="sw26010"), [x], value)


@pytest.mark.parametrize("target", ["sw26010", "sw26010pro"])
def test_what_cores_pass_on_shares_bytes(target):
    # Another core may be a nest ahead, but is not served before this one takes part.
    a = sw.placeholder((64, 64), name="A")
    b = sw.placeholder((64, 64), name="B")
    k = sw.reduce_axis(64, name="k")
    p = sw.compute((64, 64), lambda i, j: a[i, j] * 2, name="P")
    c = sw.compute((64, 64), lambda i, j: sw.sum(p[i, k] * b[k, j], axis=k), name="C")
    d = sw.compute((64, 64), lambda i, j: sw.maximum(c[i, j], 0), name="D")
    s = sw.create_schedule(d)
    staged(s, p, a, 1)
    io, ii = s[c].split("i", factor=8)
    jo, ji = s[c].split("j", factor=8)
    ko, ki = s[c].split(k, factor=16)
    s[c].reorder(io, jo, ko, ii, ki, ji)
    s[c].parallel(io, jo, grid=(8, 8))
    pp = s.buffer_read(p, [ii, ki], readers=[s[c]])
    bb = s.buffer_read(b, [ki, ji])
    s.buffer_write(c, [ii, ji])
    s.broadcast(pp, over="row")
    s.broadcast(bb, over="column")
    staged(s, d, c, 1)
    buffers = {x["name"]: (x["offset"], x["offset"] + x["bytes"]) for x in memory_of(s)["buffers"]}
    begin, end = buffers.pop(pp.name)
    assert any(begin < y and x < end for x, y in buffers.values())
    x, y = np.random.default_rng(5).integers(-4, 5, (2, 64, 64)).astype("float32")
    check(sw.build(s, [a, b, d], target=target), [x, y], np.maximum(2 * x @ y, 0))
