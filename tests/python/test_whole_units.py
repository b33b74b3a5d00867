"""Reads of what no engine moves: in whole units, of which the buffer has room."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
import solway as sw
from support.landings import assert_equal_in_every_landing
from support.random_machines import FOLDER, to_toml

#: Bytes of the units of an engine, the type, rows and columns of a matrix.
ROWS = [
    pytest.param(4, "int8", 61, 67, id="bytes"),
    pytest.param(4, "int8", 64, 68, id="bytes-in-whole-rows"),
    pytest.param(4, "float16", 33, 35, id="halves"),
    pytest.param(16, "int8", 61, 67, id="bytes-16"),
    pytest.param(32, "float32", 24, 96, id="floats-32"),
    pytest.param(128, "float32", 24, 96, id="floats-128"),
    pytest.param(128, "float32", 23, 55, id="floats-128-odd"),
]

#: Those of which a proof of two regions is quick.
TWO_REGIONS = [case for case in ROWS if case.id in ("bytes", "halves", "floats-32")]


def machine(folder, align, ranks=2, base="sw26010"):
    """A machine whose engine moves multiples of so many bytes."""
    table = tomllib.loads((FOLDER / f"{base}.toml").read_text())
    table["name"] = f"{base}-{align}"
    for engine in table["transfer_engines"]:
        engine["alignment_bytes"] = engine["min_size_bytes"] = align
        engine["ranks"] = ranks
    path = folder / f"{base}_{align}_{ranks}.toml"
    path.write_text(to_toml(table))
    return path


def integers(tensor, seed=1):
    return np.random.default_rng(seed).integers(-4, 5, tensor.shape).astype(tensor.dtype)


class Sums:
    """B[i, j] = A[i, j] + A[i, j + 2], so that tiles begin and end anywhere."""

    def __init__(self, dtype, rows, columns):
        self.a = sw.placeholder((rows, columns), dtype, name="A")
        a = self.a
        shape = (rows, columns - 2)
        self.b = sw.compute(shape, lambda i, j: a[i, j] + a[i, j + 2], name="B")
        self.s = sw.create_schedule(self.b)

    def tile(self, rows, columns, align, depth=1, vectors=False):
        s, b = self.s, self.b
        io, ii = s[b].split("i", rows)
        jo, ji = s[b].split("j", columns)
        s[b].reorder(io, jo, ii, ji)
        s[b].parallel(io)
        s.buffer_write(b, at=jo)
        buffer = s.buffer_read(self.a, at=jo, depth=depth, align=align)
        if vectors:
            s[b].vectorize(ji)
        return buffer

    def build(self, target):
        return sw.build(self.s, [self.a, self.b], target=target, name="sums")

    def check(self, kernel):
        values = integers(self.a)
        expected = values[:, :-2] + values[:, 2:]
        if kernel.target in ("host", "c"):
            np.testing.assert_array_equal(kernel.run(values), expected)
        else:
            assert_equal_in_every_landing(kernel, [values], expected)


def verdicts(kernel):
    """What was remarked of the transfer of A, of each place in the code where it is asked for."""
    return {remark.verdict for remark in kernel.report() if "buffer_read(A" in remark.step}


@pytest.mark.parametrize(("align", "dtype", "rows", "columns"), ROWS)
def test_rows_are_read_in_whole_units(tmp_path, align, dtype, rows, columns):
    layer = Sums(dtype, rows, columns)
    layer.tile(3, 12, align)
    kernel = layer.build(machine(tmp_path, align))
    assert verdicts(kernel) == {f"widened to whole units of {align} bytes"}
    layer.check(kernel)


@pytest.mark.parametrize(("align", "dtype", "rows", "columns"), TWO_REGIONS)
def test_regions_take_turns(tmp_path, align, dtype, rows, columns):
    layer = Sums(dtype, rows, columns)
    layer.tile(3, 12, align, depth=2)
    kernel = layer.build(machine(tmp_path, align))
    assert verdicts(kernel) == {f"widened to whole units of {align} bytes"}
    layer.check(kernel)


@pytest.mark.parametrize(("base", "ranks"), [("sw26010", 1), ("example-cluster", 3)])
def test_engines_of_other_ranks_move_units_too(tmp_path, base, ranks):
    layer = Sums("float32", 24, 96)
    layer.tile(4, 8, 64)
    kernel = layer.build(machine(tmp_path, 64, ranks, base=base))
    assert verdicts(kernel) == {"widened to whole units of 64 bytes"}
    layer.check(kernel)


@pytest.mark.parametrize("base", ["sw26010pro", "example-cluster", "example-microcontroller"])
def test_other_machines(tmp_path, base):
    layer = Sums("int8", 30, 67)
    layer.tile(3, 12, 16)
    kernel = layer.build(machine(tmp_path, 16, base=base))
    assert verdicts(kernel) == {"widened to whole units of 16 bytes"}
    layer.check(kernel)


@pytest.mark.parametrize("target", ["host", "c"])
def test_other_targets_copy_what_is_read(target):
    layer = Sums("float32", 23, 55)
    layer.tile(3, 12, 32)
    layer.check(layer.build(target))


def test_vectors_of_rows_that_begin_anywhere(tmp_path):
    layer = Sums("float32", 23, 55)
    layer.tile(3, 8, 32, vectors=True)
    layer.check(layer.build(machine(tmp_path, 32)))


def test_what_the_engine_moves_is_not_widened(tmp_path):
    a = sw.placeholder((24, 64), "int8", name="A")
    b = sw.compute((24, 64), lambda i, j: a[i, j] + 1, name="B")
    s = sw.create_schedule(b)
    io, _ = s[b].split("i", 3)
    s[b].parallel(io)
    buffer = s.buffer_read(a, at=io, align=16)
    s.buffer_write(b, at=io)
    assert buffer.name == "AA"
    kernel = sw.build(s, [a, b], target=machine(tmp_path, 16), name="plain")
    assert verdicts(kernel) == set()
    values = integers(a)
    assert_equal_in_every_landing(kernel, [values], values + 1)


def test_the_end_of_the_array_is_not_overrun(tmp_path):
    # 5 x 13 bytes: the last unit of 16 bytes has one of them.
    layer = Sums("int8", 5, 13)
    layer.tile(2, 4, 16)
    layer.check(layer.build(machine(tmp_path, 16)))


def test_a_tensor_of_planes(tmp_path):
    a = sw.placeholder((6, 7, 11), "int8", name="A")
    b = sw.compute((6, 5, 9), lambda c, y, x: a[c, y, x] + a[c, y + 2, x + 2], name="B")
    s = sw.create_schedule(b)
    co, ci = s[b].split("c", 2)
    yo, yi = s[b].split("y", 3)
    s[b].reorder(co, yo, ci, yi, "x")
    s[b].parallel(co)
    s.buffer_write(b, at=yo)
    s.buffer_read(a, at=yo, depth=2, align=4)
    kernel = sw.build(s, [a, b], target="sw26010", name="planes")
    assert verdicts(kernel) == {"widened to whole units of 4 bytes"}
    values = integers(a)
    expected = values[:, :5, :9] + values[:, 2:, 2:]
    assert_equal_in_every_landing(kernel, [values], expected)


def test_a_part_of_a_row_that_cores_read_together():
    a = sw.placeholder((64, 67), "int8", name="A")
    b = sw.placeholder((64, 64), "int8", name="B")
    k = sw.reduce_axis(64, name="k")
    c = sw.compute((64, 64), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = sw.create_schedule(c)
    io, ii = s[c].split("i", 8)
    jo, ji = s[c].split("j", 8)
    ko, ki = s[c].split(k, 32)
    s[c].reorder(io, jo, ko, ii, ji, ki)
    s[c].parallel(io, jo, grid=(8, 8))
    s.buffer_write(c, at=jo)
    shared = s.buffer_read(a, at=ko, align=4)
    s.buffer_read(b, at=ko)
    s.broadcast(shared, over="row")
    kernel = sw.build(s, [a, b, c], target="sw26010", name="shared")
    assert verdicts(kernel) == {"widened to whole units of 4 bytes"}
    left, right = integers(a, 1), integers(b, 2)
    expected = left[:, :64].astype("int8") @ right
    assert_equal_in_every_landing(kernel, [left, right], expected)


def test_it_stands_in_the_log_and_in_the_report():
    layer = Sums("int8", 61, 67)
    layer.tile(3, 12, 4)
    assert "align=4" in layer.s.to_python()
    (buffer,) = [
        b
        for b in layer.s.ldm_report("sw26010").to_dict()["memories"][0]["buffers"]
        if b["name"] == "AA"
    ]
    assert list(buffer["shape"]) == [4, 19]  # 3 rows of 14
    assert "align=4" in buffer["primitive"]


def written_in_its_nest():
    a = sw.placeholder((8, 67), "int8", name="A")
    b = sw.compute((8, 67), lambda i, j: a[i, j] + 1, name="B")
    c = sw.compute((8, 66), lambda i, j: b[i, j] + b[i, j + 1], name="C")
    return b, c, sw.create_schedule(c)


def test_what_its_nest_writes_is_not_widened():
    b, c, s = written_in_its_nest()
    s[b].fuse_with(c, "i")
    with pytest.raises(sw.UnsupportedError, match="is filled in whole units while 'B' is written"):
        s.buffer_read(b, at="i", readers=[c], align=4)


def test_what_is_widened_is_not_written_in_its_nest():
    b, c, s = written_in_its_nest()
    s.buffer_read(b, at=s[c].axis[0], align=4)
    with pytest.raises(sw.Error):
        s[b].fuse_with(c, "i")


def test_what_another_nest_writes_is_there_before_it_is_read():
    # Each core reads what it has written, and beside it what others have.
    b, c, s = written_in_its_nest()
    s[b].parallel("i")
    s[c].parallel("i")
    s.buffer_read(b, at=s[c].axis[0], align=4)
    a = b.inputs[0]
    kernel = sw.build(s, [a, c], target="sw26010", name="two")
    values = integers(a)
    expected = (values + 1)[:, :-1] + (values + 1)[:, 1:]
    assert_equal_in_every_landing(kernel, [values], expected)


@pytest.mark.parametrize("align", [0, -4, True, 4.0, "16"], ids=repr)
def test_units_are_bytes(align):
    layer = Sums("int8", 61, 67)
    with pytest.raises(sw.ScheduleArgumentError, match="align="):
        layer.s.buffer_read(layer.a, at=layer.s[layer.b].axis[0], align=align)


def planned(layer, target, planner="optimal"):
    s = sw.create_schedule(layer.b)
    layer.s = s
    s.auto_buffer(target, planner=planner)
    return layer.build(target)


def cycles_of(layer, kernel):
    with sw.emulator(mode="timed"):
        values = integers(layer.a)
        np.testing.assert_array_equal(kernel.run(values), values[:, :-2] + values[:, 2:])
    return kernel.last_run.cycles


def test_a_plan_has_rows_that_are_whole_units_together():
    # 4 rows of 67 bytes are units of 4 bytes; one was loaded byte by byte, in 169,515 cycles, where
    # the greedy plan took 100,528.
    layer = Sums("int8", 64, 67)
    kernel = planned(layer, "sw26010")
    assert verdicts(kernel) == set()
    assert cycles_of(layer, kernel) < 50_000
    layer.check(kernel)


@pytest.mark.parametrize(("rows", "columns"), [(64, 67), (61, 67), (64, 35), (7, 131)])
@pytest.mark.parametrize("dtype", ["int8", "float16"])
def test_the_optimal_plan_takes_no_longer_than_the_greedy_one(dtype, rows, columns):
    layer = Sums(dtype, rows, columns)
    by = {how: cycles_of(layer, planned(layer, "sw26010", how)) for how in ("greedy", "optimal")}
    assert by["optimal"] <= by["greedy"]


def test_a_plan_reads_in_whole_units_where_that_pays(tmp_path):
    layer = Sums("float32", 64, 250)
    target = machine(tmp_path, 128)
    kernel = planned(layer, target)
    assert any("align=128" in str(step) for step in layer.s.log)
    assert "copy A: in whole units of 128 bytes" in str(layer.s.explain(target))
    layer.check(kernel)
