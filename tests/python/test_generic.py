"""The dialect generic: schedules, hand kernels, and the implementation for hosts."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
import solway as sw

ROOT = Path(__file__).parents[2]
HOST = ROOT / "examples" / "scratchpad_host"
TARGETS = ("example-cluster", "example-microcontroller")
SIZE = 64


def product(target):
    """A matrix product with every kind of buffer, in columns of 32: rows with a gap between."""
    A = sw.placeholder((SIZE, SIZE), name="A")
    B = sw.placeholder((SIZE, SIZE), name="B")
    k = sw.reduce_axis(SIZE, name="k")
    C = sw.compute((SIZE, SIZE), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C, target=target)
    column, j = s[C].split(C.axis[1], factor=32)
    outer, inner = s[C].split(k, factor=16)
    s[C].reorder(column, C.axis[0], outer, inner, j)
    s.buffer_read(A, [inner])
    s.double_buffer(s.buffer_read(B, [inner, j]))
    s.buffer_write(C, [j])
    s[C].parallel(C.axis[0])
    return s, [A, B, C]


def integers(*shape, seed=0):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype("f4")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mode", ["functional", "hazard"])
@pytest.mark.parametrize("landing", ["at_wait", "at_issue", "random"])
def test_a_schedule_runs(target, mode, landing):
    s, args = product(target)
    kernel = sw.build(s, args, target=target, name="product")
    a, b = integers(SIZE, SIZE), integers(SIZE, SIZE, seed=1)
    with sw.emulator(mode, landing=landing, seed=3):
        np.testing.assert_array_equal(kernel.run(a, b), a @ b)
    # Each core reads the parameters; all else comes by transfers too.
    moved = kernel.last_run.bytes
    assert moved["gld"] == moved["gst"] == 0
    assert moved["put"] == 4 * SIZE * SIZE
    assert "rma" not in moved


def test_only_an_engine_with_blocks_gets_blocks():
    cores = {}
    for target in TARGETS:
        s, args = product(target)
        cores[target] = sw.build(s, args, target=target, name="product").source["product_core.c"]
    assert "scratchpad_get_blocks(&BB" in cores["example-cluster"]
    assert "_blocks" not in cores["example-microcontroller"]
    assert "for (long r = 0; r < 16; ++r) {" in cores["example-microcontroller"]


def three_ranks(folder):
    """The cluster with an engine that moves planes of blocks."""
    text = (ROOT / "targets" / "example-cluster.toml").read_text()
    assert text.count("ranks = 2") == 1
    file = folder / "planes.toml"
    file.write_text(text.replace("ranks = 2", "ranks = 3").replace("example-cluster", "planes"))
    return file


def planes(target):
    """Boxes of a tensor with three dimensions, none of them whole."""
    A = sw.placeholder((16, 12, 40), name="A")
    B = sw.compute((16, 12, 40), lambda i, j, k: A[i, j, k] * 3, name="B")
    s = sw.create_schedule(B, target=target)
    io, _ = s[B].split("i", 2)
    jo, ji = s[B].split("j", 6)
    ko, ki = s[B].split("k", 8)
    s[B].reorder(io, jo, ko, "i.i", ji, ki)
    s[B].parallel(io)
    s.double_buffer(s.buffer_read(A, at=ko))
    s.buffer_write(B, at=ko)
    return s, [A, B]


def test_an_engine_of_three_ranks_moves_planes(tmp_path):
    target = three_ranks(tmp_path)
    s, args = planes(target)
    kernel = sw.build(s, args, target=target, name="planes")
    core = kernel.source["planes_core.c"]
    assert core.count("scratchpad_get_planes(&AA") >= 1
    assert "scratchpad_put_planes(&B[" in core
    assert "for (long r" not in core
    a = integers(16, 12, 40)
    for landing in ("at_wait", "at_issue", "random"):
        with sw.emulator("hazard", landing=landing, seed=3):
            np.testing.assert_array_equal(kernel.run(a), a * 3)
    assert kernel.last_run.bytes["put"] == 4 * a.size
    s, args = planes("example-cluster")
    blocks = sw.build(s, args, target="example-cluster", name="planes")
    assert "_planes(" not in blocks.source["planes_core.c"]
    np.testing.assert_array_equal(blocks.run(a), a * 3)


def test_the_number_of_cores_is_the_targets():
    assert sw.Target.load("example-cluster").cores.count == 8
    s, args = product("example-cluster")
    kernel = sw.build(s, args, target="example-cluster", name="product")
    assert "scratchpad_start(product_core, &args, 8)" in kernel.source["product.c"]
    assert (
        "scratchpad_start(product_core, &args, 1)"
        in (sw.build(s, args, target="example-microcontroller", name="product").source["product.c"])
    )


def two_nests(target):
    A = sw.placeholder((SIZE,), name="A")
    B = sw.compute((SIZE,), lambda i: A[i] + 1, name="B")
    C = sw.compute((SIZE,), lambda i: B[SIZE - 1 - i] * 2, name="C")
    s = sw.create_schedule(C)
    s[B].parallel(B.axis[0])
    s[C].parallel(C.axis[0])
    return sw.build(s, [A, C], target=target, name="two")


@pytest.mark.parametrize("target", TARGETS)
def test_cores_meet_between_nests(target):
    kernel = two_nests(target)
    # One core by itself has nobody to meet.
    meets = kernel.source["two_core.c"].count("scratchpad_meet();")
    assert meets == (1 if target == "example-cluster" else 0)
    a = np.arange(SIZE, dtype="f4")
    np.testing.assert_array_equal(kernel.run(a, mode="hazard"), 2 * (a[::-1] + 1))


def test_a_meeting_that_is_missing_is_found(tmp_path):
    kernel = two_nests("example-cluster")
    folder = tmp_path / "two"
    kernel.save(folder)
    core = folder / "two_core.c"
    text = core.read_text()
    assert text.count("scratchpad_meet();") == 1
    core.write_text(text.replace("scratchpad_meet();", ""))
    hand = sw.hand_kernel(folder, target="example-cluster")
    with pytest.raises(sw.EmulatorError) as caught:
        hand.run(np.ones(SIZE, "f4"), mode="hazard")
    assert caught.value.kind == "main_memory_race"
    assert "scratchpad_meet" in caught.value.fix
    assert caught.value.where.file.endswith("two_core.c")


def test_what_the_engine_cannot_move_is_copied_with_a_remark():
    """Rows of 5 floats are no whole words of 8 bytes."""
    A = sw.placeholder((16, 5), name="A")
    B = sw.compute((16, 5), lambda i, j: A[i, j] * 2, name="B")
    s = sw.create_schedule(B)
    s.buffer_read(A, [B.axis[1]])
    s[B].parallel(B.axis[0])
    kernel = sw.build(s, [A, B], target="example-cluster")
    assert [(r.verdict, r.why) for r in kernel.report()] == [
        (
            "copied by loads and stores",
            "a transfer moves multiples of 8 bytes from multiples of 8 bytes",
        )
    ]
    a = integers(16, 5)
    np.testing.assert_array_equal(kernel.run(a, mode="hazard"), 2 * a)
    assert not sw.build(s, [A, B], target="example-microcontroller").report()


def test_a_long_row_comes_in_pieces():
    """Of at most 4096 bytes."""
    A = sw.placeholder((4, 2048), name="A")
    B = sw.compute((4, 2048), lambda i, j: A[i, j] + 1, name="B")
    s = sw.create_schedule(B)
    s.buffer_read(A, [B.axis[1]])
    kernel = sw.build(s, [A, B], target="example-microcontroller", name="rows")
    core = kernel.source["rows_core.c"]
    assert "scratchpad_get(&AA[0] + r * 1024, (&A[i][0] + r * 1024)" in core
    assert "scratchpad_wait(&AA_get_reply, 2);" in core
    a = integers(4, 2048)
    np.testing.assert_array_equal(kernel.run(a, mode="hazard"), a + 1)


def test_a_mesh_of_the_target():
    A = sw.placeholder((4, 8), name="A")
    B = sw.compute((4, 8), lambda i, j: A[i, j] * 3, name="B")
    s = sw.create_schedule(B)
    s[B].parallel("i", "j", grid=(2, 4))
    a = integers(4, 8)
    kernel = sw.build(s, [A, B], target="example-cluster")
    np.testing.assert_array_equal(kernel.run(a, mode="hazard"), 3 * a)
    with pytest.raises(sw.UnsupportedError, match="has no mesh"):
        sw.build(s, [A, B], target="example-microcontroller")


@pytest.mark.parametrize("target", TARGETS)
def test_a_plan_fits_the_scratchpad(target):
    A = sw.placeholder((96, 128), name="A")
    B = sw.placeholder((128, 80), name="B")
    k = sw.reduce_axis(128, name="k")
    C = sw.compute((96, 80), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C, target=target)
    s.auto_buffer(target, planner="greedy")
    kernel = sw.build(s, [A, B, C], target=target, name="planned")
    a, b = integers(96, 128), integers(128, 80, seed=1)
    np.testing.assert_array_equal(kernel.run(a, b, mode="hazard"), a @ b)
    machine = sw.Target.load(target)
    near = machine.memory(machine.default_scope)
    assert kernel.last_run.bytes["get"] > 0
    assert 0 < kernel.last_run.ldm_peak_bytes <= near.size_bytes


def compiled(kernel, folder):
    """The entry of a kernel, built by its Makefile and linked with the host's implementation."""
    kernel.save(folder)
    flags = "-O1 -std=c99 -pedantic -Wall -Wextra -Werror -fPIC -pthread"
    subprocess.run(["make", f"SCRATCHPAD={HOST}", f"CFLAGS={flags}"], cwd=folder, check=True)
    library = folder / "kernel.so"
    parts = ["-Wl,--whole-archive", f"lib{kernel.name}.a", "-Wl,--no-whole-archive"]
    source = str(HOST / "scratchpad.c")
    command = ["cc", *flags.split(), "-shared", *parts, source, "-lm", "-o", str(library)]
    subprocess.run(command, cwd=folder, check=True)
    return getattr(ctypes.CDLL(str(library)), kernel.name)


def call(entry, *arrays):
    assert entry(*(ctypes.c_void_p(a.ctypes.data) for a in arrays)) == 0


@pytest.mark.parametrize("target", TARGETS)
def test_generated_code_runs_with_the_hosts_implementation(target, tmp_path):
    s, args = product(target)
    kernel = sw.build(s, args, target=target, name="product")
    entry = compiled(kernel, tmp_path / "product")
    a, b, c = integers(SIZE, SIZE), integers(SIZE, SIZE, seed=1), np.zeros((SIZE, SIZE), "f4")
    call(entry, a, b, c)
    np.testing.assert_array_equal(c, a @ b)
    c[:] = 0
    call(entry, a, b, c)  # it starts cores a second time
    np.testing.assert_array_equal(c, a @ b)


def test_the_host_moves_planes(tmp_path):
    target = three_ranks(tmp_path)
    s, args = planes(target)
    entry = compiled(sw.build(s, args, target=target, name="planes"), tmp_path / "planes")
    a, b = integers(16, 12, 40), np.zeros((16, 12, 40), "f4")
    call(entry, a, b)
    np.testing.assert_array_equal(b, a * 3)


def test_cores_of_the_host_meet(tmp_path):
    kernel = two_nests("example-cluster")
    entry = compiled(kernel, tmp_path / "two")
    a, c = np.arange(SIZE, dtype="f4"), np.zeros(SIZE, "f4")
    for _ in range(20):
        c[:] = 0
        call(entry, a, c)
        np.testing.assert_array_equal(c, 2 * (a[::-1] + 1))


def planted(tmp_path, case, target="example-cluster"):
    """A hand kernel out of tests/emulator/generic."""
    shared = ROOT / "tests" / "emulator" / "generic"
    toml = (shared / "planted.toml").read_text().replace("bad/CASE", case)
    for name in ("mpe.c", "core.h", "parameters.h"):
        (tmp_path / name).write_text((shared / name).read_text())
    source = tmp_path / f"{case}.c"
    source.parent.mkdir(exist_ok=True)
    source.write_text((shared / f"{case}.c").read_text())
    (tmp_path / "kernel.toml").write_text(toml)
    return sw.hand_kernel(tmp_path, target=target)


def test_a_hand_kernel_runs_on_the_target_that_is_given(tmp_path):
    kernel = planted(tmp_path, "good/two_buffers")
    x, y = integers(4096), np.zeros(4096, "f4")
    out = kernel.run(x, y, mode="hazard")
    np.testing.assert_array_equal(out[:1024], 3 * x[:1024])


def test_a_machine_with_fewer_cores_than_a_program_starts(tmp_path):
    kernel = planted(tmp_path, "good/two_buffers", "example-microcontroller")
    with pytest.raises(sw.DslError) as caught:
        kernel.run(integers(4096), np.zeros(4096, "f4"))
    assert caught.value.what == "scratchpad_start of 4 cores"
    assert caught.value.why == "the machine has 1"
    assert caught.value.where.file.endswith("mpe.c") and caught.value.where.line == 8


def test_the_command_emulates_on_a_target(capsys, tmp_path):
    from solway.cli import main

    planted(tmp_path, "good/two_buffers")
    assert main(["emulate", str(tmp_path), "--target", "example-cluster"]) == 0
    assert "get" in capsys.readouterr().out


def test_cycles_are_not_known():
    s, args = product("example-cluster")
    kernel = sw.build(s, args, target="example-cluster", name="product")
    with pytest.raises(sw.UnsupportedError, match="timed"):
        kernel.run(integers(SIZE, SIZE), integers(SIZE, SIZE), mode="timed")


def test_a_table_of_times_gives_cycles(tmp_path):
    """Half as many cores need longer."""
    times = "\n".join(
        f"{key} = {value:g}" for key, value in sw.Target.load("sw26010").timing.items()
    )
    machine = (ROOT / "targets" / "example-cluster.toml").read_text()
    path = tmp_path / "timed.toml"
    cycles = []
    for cores in (8, 4):
        fewer = machine.replace("count = 8 ", f"count = {cores} ")
        fewer = fewer.replace("mesh_columns = 4", f"mesh_columns = {cores // 2}")
        path.write_text(f"{fewer}\n[timing]\n{times}\n")
        s, args = product(str(path))
        kernel = sw.build(s, args, target=path, name="product")
        a, b = integers(SIZE, SIZE), integers(SIZE, SIZE, seed=1)
        np.testing.assert_array_equal(kernel.run(a, b, mode="timed"), a @ b)
        cycles.append(kernel.last_run.cycles)
    assert 1.2 * cycles[0] < cycles[1]
