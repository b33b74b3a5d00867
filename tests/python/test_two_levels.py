"""Scope "shared": one buffer for all cores, and what each of them loads from there."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.landings import HAZARDS, assert_equal_in_every_landing

ROOT = Path(__file__).parents[2]
HOST = ROOT / "examples" / "scratchpad_host"
CLUSTER = "example-cluster"
M, N, K = 64, 48, 32


def integers(*shape, seed=0):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype("f4")


def operands():
    A = sw.placeholder((M, K), name="A")
    B = sw.placeholder((K, N), name="B")
    k = sw.reduce_axis(K, name="k")
    C = sw.compute((M, N), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C, k


def whole_operand():
    """All of B for all cores, once; tiles of it for each core."""
    A, B, C, k = operands()
    s = sw.create_schedule(C, target=CLUSTER)
    io, jo, ii, ji = s[C].tile(*C.axis, 8, 16)
    ko, ki = s[C].split(k, 8)
    s[C].reorder(io, jo, ko, ii, ji, ki)
    s[C].parallel(io)
    s.buffer_write(C, [ii, ji])
    BB = s.buffer_read(B, [ko, ki, jo, ji], scope="shared")
    s.buffer_read(A, [ii, ki])
    s.buffer_read(BB, [ki, ji])
    return s, [A, B, C]


def panels(depth=1, local_depth=1, columns=16):
    """Columns of B, one panel after the other, which all cores read before the next one comes."""
    A, B, C, k = operands()
    s = sw.create_schedule(C, target=CLUSTER)
    io, jo, ii, ji = s[C].tile(*C.axis, 8, columns)
    ko, ki = s[C].split(k, 8)
    s[C].reorder(jo, io, ko, ii, ji, ki)
    s[C].parallel(io)
    s.buffer_write(C, [ii, ji])
    BB = s.buffer_read(B, at=jo, scope="shared", depth=depth)
    s.buffer_read(A, [ii, ki], depth=local_depth)
    s.buffer_read(BB, [ki, ji], depth=local_depth)
    return s, [A, B, C]


def read_in_place():
    """Cores read the panel where it is, by plain loads."""
    A, B, C, k = operands()
    s = sw.create_schedule(C, target=CLUSTER)
    io, jo, ii, ji = s[C].tile(*C.axis, 8, 16)
    s[C].reorder(jo, io, ii, ji, k)
    s[C].parallel(io)
    s.buffer_write(C, [ii, ji])
    s.buffer_read(B, at=jo, scope="shared")
    s.buffer_read(A, [ii, k])
    return s, [A, B, C]


def on_a_mesh():
    A, B, C, k = operands()
    s = sw.create_schedule(C, target=CLUSTER)
    io, jo, ii, ji = s[C].tile(*C.axis, 32, 12)
    ko, ki = s[C].split(k, 8)
    s[C].reorder(ko, io, jo, ii, ji, ki)
    s[C].parallel(io, jo, grid=(2, 4))
    s.buffer_write(C, [ii, ji])
    AA = s.buffer_read(A, at=ko, scope="shared")
    s.buffer_read(AA, [ii, ki])
    s.buffer_read(B, [ki, ji])
    return s, [A, B, C]


PRODUCTS = {
    "whole": whole_operand,
    "panels": panels,
    "uneven": lambda: panels(columns=20),
    "double": lambda: panels(depth=2),
    "double-both": lambda: panels(depth=2, local_depth=2),
    "three": lambda: panels(depth=3, local_depth=2, columns=8),
    "in-place": read_in_place,
    "mesh": on_a_mesh,
}


@pytest.mark.parametrize("form", PRODUCTS)
def test_products(form):
    s, args = PRODUCTS[form]()
    kernel = sw.build(s, args, target=CLUSTER, name="product")
    a, b = integers(M, K), integers(K, N, seed=1)
    assert_equal_in_every_landing(kernel, [a, b], a @ b)


def test_all_cores_get_it_from_main_memory_once():
    s, args = whole_operand()
    kernel = sw.build(s, args, target=CLUSTER, name="product")
    core = kernel.source["product_core.c"]
    assert "static SCRATCHPAD_ALIGNED(64) SCRATCHPAD_SHARED float BB[32][48];" in core
    assert core.count("scratchpad_meet();") == 1
    kernel.run(integers(M, K), integers(K, N))
    parameters = 8 * 4 * 8  # each core gets three pointers and the filling behind them
    tiles_of_a = 3 * M * K * 4
    assert kernel.last_run.bytes["get"] - tiles_of_a - K * N * 4 <= parameters
    assert kernel.last_run.bytes["gld"] == 0


def test_cores_meet_before_it_is_read_and_before_it_is_filled_again():
    s, args = panels()
    kernel = sw.build(s, args, target=CLUSTER, name="product")
    core = kernel.source["product_core.c"]
    get, wait = core.index("scratchpad_get_blocks(&BB["), core.index("scratchpad_wait(&BB_get")
    first = core.index("scratchpad_meet();")
    second = core.index("scratchpad_meet();", first + 1)
    assert core.count("scratchpad_meet();") == 2
    assert first < get < wait < second < core.index("scratchpad_get(&BB_buf")
    assert "if (0 < j_o) {" in core[first - 40 : first]


@pytest.mark.parametrize("place", ["before the fill", "before the reads"])
@pytest.mark.parametrize("policy", HAZARDS, ids=[str(k) for k in range(len(HAZARDS))])
def test_a_meeting_that_is_missing_is_found(tmp_path, place, policy):
    s, args = panels()
    sw.build(s, args, target=CLUSTER, name="product").save(tmp_path / "product")
    core = tmp_path / "product" / "product_core.c"
    text = core.read_text()
    first = text.index("scratchpad_meet();")
    at = first if place == "before the fill" else text.index("scratchpad_meet();", first + 1)
    core.write_text(text[:at] + text[at + len("scratchpad_meet();") :])
    hand = sw.hand_kernel(tmp_path / "product", target=CLUSTER)
    with pytest.raises(sw.EmulatorError) as caught, sw.emulator(**policy):
        hand.run(integers(M, K), integers(K, N))
    assert caught.value.kind == "shared_race"
    assert "'BB'" in caught.value.why


def test_a_wait_that_is_missing_is_found(tmp_path):
    s, args = whole_operand()
    sw.build(s, args, target=CLUSTER, name="product").save(tmp_path / "product")
    core = tmp_path / "product" / "product_core.c"
    lines = core.read_text().splitlines(keepends=True)
    kept = [line for line in lines if "scratchpad_wait(&BB_get_reply," not in line]
    assert len(kept) == len(lines) - 1
    core.write_text("".join(kept))
    hand = sw.hand_kernel(tmp_path / "product", target=CLUSTER)
    with pytest.raises(sw.EmulatorError) as caught:
        hand.run(integers(M, K), integers(K, N), mode="hazard")
    assert caught.value.kind == "shared_race"


def test_what_a_stage_computes_is_staged_after_all_cores_have_computed_it():
    A = sw.placeholder((64,), name="A")
    T = sw.compute((64,), lambda i: A[i] * 2, name="T")
    B = sw.compute((16, 64), lambda i, j: T[63 - j] + i, name="B")
    s = sw.create_schedule(B, target=CLUSTER)
    s[T].parallel(T.axis[0])
    s[B].parallel(B.axis[0])
    TT = s.buffer_read(T, [B.axis[1]], scope="shared")
    s.buffer_read(TT, [B.axis[1]])
    s.buffer_write(B, [B.axis[1]])
    kernel = sw.build(s, [A, B], target=CLUSTER, name="stages")
    assert kernel.source["stages_core.c"].count("scratchpad_meet();") == 2
    a = integers(64)
    expected = 2 * a[::-1] + np.arange(16, dtype="f4")[:, None]
    assert_equal_in_every_landing(kernel, [a], expected)


def test_depth_may_follow():
    """Slots of a buffer, and then of one that is filled from it."""
    s, args = panels()
    BB, tile = "BB", "BB_buf"
    s.double_buffer(tile)
    s.double_buffer(BB)
    s.prefetch(BB, distance=2)
    kernel = sw.build(s, args, target=CLUSTER, name="product")
    a, b = integers(M, K), integers(K, N, seed=1)
    assert_equal_in_every_landing(kernel, [a, b], a @ b)


def test_loops_may_change_afterwards():
    """The slots are numbered anew, in the buffer and where it is read."""
    s, args = panels(depth=2, local_depth=2)
    jo, *_ = s[args[2]].axis
    s[args[2]].split(jo, 2)
    kernel = sw.build(s, args, target=CLUSTER, name="product")
    a, b = integers(M, K), integers(K, N, seed=1)
    assert_equal_in_every_landing(kernel, [a, b], a @ b)


def test_the_report_shows_both_memories():
    s, _ = whole_operand()
    report = s.ldm_report(CLUSTER)
    local, shared = report.to_dict()["memories"]
    assert (local["scope"], shared["scope"]) == ("local", "shared")
    assert shared["total_bytes"] == 4 * K * N
    assert shared["available_bytes"] == 524288
    assert [buffer["name"] for buffer in shared["buffers"]] == ["BB"]
    assert "  in C, one for all cores  " in str(report)


def test_explain_tells_the_two_levels_apart():
    s, _ = whole_operand()
    text = str(s.explain(CLUSTER))
    assert "bytes of B from and to main memory: 393,216 -> 6,144 B" in text
    assert "memory of all cores for BB: 0 -> 6,144 B" in text
    assert "bytes of BB into memories of cores: 0 -> 49,152 B" in text
    assert "transfers of BB (get): not modelled" in text
    assert "transfers of BB_buf (get): not modelled" in text


def test_more_than_the_memory_holds():
    A = sw.placeholder((512, 512), name="A")
    B = sw.compute((512, 512), lambda i, j: A[i, j] + 1, name="B")
    s = sw.create_schedule(B, target=CLUSTER)
    s[B].parallel(B.axis[0])
    with pytest.raises(sw.CapacityError) as caught:
        s.buffer_read(A, [*B.axis], scope="shared")
    assert caught.value.needed_bytes == 4 * 512 * 512
    assert caught.value.available_bytes == 524288


def test_a_schedule_can_be_saved_and_loaded(tmp_path):
    s, (_, _, C) = panels(depth=2)
    s.save(tmp_path / "panels.txt")
    assert 'scope="shared"' in (tmp_path / "panels.txt").read_text()
    assert str(sw.load_schedule(tmp_path / "panels.txt", [C])) == str(s)


def test_the_host_runs_it(tmp_path):
    s, args = panels(depth=2, local_depth=2)
    sw.build(s, args, target=CLUSTER, name="product").save(tmp_path)
    flags = "-O1 -std=c99 -pedantic -Wall -Wextra -Werror -fPIC -pthread"
    make = ["make", f"SCRATCHPAD={HOST}", f"CFLAGS={flags}"]
    subprocess.run(make, cwd=tmp_path, check=True)
    parts = ["-Wl,--whole-archive", "libproduct.a", "-Wl,--no-whole-archive"]
    link = ["cc", *flags.split(), "-shared", *parts, str(HOST / "scratchpad.c"), "-lm"]
    subprocess.run([*link, "-o", "product.so"], cwd=tmp_path, check=True)
    a, b, c = integers(M, K), integers(K, N, seed=1), np.zeros((M, N), "f4")
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (a, b, c)]
    assert ctypes.CDLL(str(tmp_path / "product.so")).product(*pointers) == 0
    np.testing.assert_array_equal(c, a @ b)
