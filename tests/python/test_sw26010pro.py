"""SW26010-Pro: schedules and hand kernels, emulated."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

SIZE = 64


def product():
    A = sw.placeholder((SIZE, SIZE), name="A")
    B = sw.placeholder((SIZE, SIZE), name="B")
    k = sw.reduce_axis(SIZE, name="k")
    C = sw.compute((SIZE, SIZE), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C, target="sw26010pro")
    outer, inner = s[C].split(k, factor=16)
    s[C].reorder(C.axis[0], outer, inner, C.axis[1])
    s.buffer_read(A, [inner])
    s.double_buffer(s.buffer_read(B, [inner, C.axis[1]]))
    s.buffer_write(C, [C.axis[1]])
    s[C].parallel(C.axis[0])
    return s, [A, B, C]


@pytest.mark.parametrize("mode", ["functional", "hazard"])
@pytest.mark.parametrize("landing", ["at_wait", "at_issue", "random"])
def test_a_schedule_runs(mode, landing):
    s, args = product()
    kernel = sw.build(s, args, target="sw26010pro", name="product")
    a, b = (np.random.default_rng(i).integers(-4, 5, (SIZE, SIZE)).astype("f4") for i in (0, 1))
    with sw.emulator(mode, landing=landing, seed=3):
        np.testing.assert_array_equal(kernel.run(a, b), a @ b)
    assert kernel.last_run.bytes["rma"] == 0


def test_barriers_are_the_machines_own():
    A = sw.placeholder((SIZE,), name="A")
    B = sw.compute((SIZE,), lambda i: A[i] + 1, name="B")
    C = sw.compute((SIZE,), lambda i: B[SIZE - 1 - i] * 2, name="C")
    s = sw.create_schedule(C)
    s[B].parallel(B.axis[0])
    s[C].parallel(C.axis[0])
    kernel = sw.build(s, [A, C], target="sw26010pro", name="two")
    assert "athread_ssync_array();" in kernel.source["two_cpe.c"]
    assert 'target = "sw26010pro"' in kernel.source["kernel.toml"]
    assert "swgcc -mslave" not in kernel.source["Makefile"]
    assert "$(SWGCC) -mslave" in kernel.source["Makefile"]
    a = np.arange(SIZE, dtype="f4")
    np.testing.assert_array_equal(kernel.run(a), 2 * (a[::-1] + 1))


def test_the_scratchpad_is_larger():
    A = sw.placeholder((4, 40000), name="A")
    B = sw.compute((4, 40000), lambda i, j: A[i, j] + 1, name="B")
    s = sw.create_schedule(B)
    s.buffer_read(A, [B.axis[1]])
    s[B].parallel(B.axis[0])
    assert not s.ldm_report("sw26010").fits
    a = np.ones((4, 40000), "f4")
    np.testing.assert_array_equal(sw.build(s, [A, B], target="sw26010pro").run(a), a + 1)


def test_cycles_are_counted():
    s, args = product()
    kernel = sw.build(s, args, target="sw26010pro", name="product")
    a, b = (np.random.default_rng(i).integers(-4, 5, (SIZE, SIZE)).astype("f4") for i in (0, 1))
    cycles = set()
    for seed in (0, 3):
        with sw.emulator("timed", seed=seed):
            np.testing.assert_array_equal(kernel.run(a, b), a @ b)
        cycles.add(kernel.last_run.cpe_cycles)
    assert len(cycles) == 1
    # Each core makes 64 x 64 products of numbers, one after the other: no vectors are used.
    assert cycles.pop() > SIZE * SIZE
    assert kernel.last_run.stalls["transfer"] > 0


EXCHANGE = """
#include <crts.h>
#include <simd.h>

__thread_local float block[256] __attribute__((aligned(64)));
__thread_local athread_rply_t sent, got;

void slave_work(const float *x) {
  for (int i = 0; i < 256; ++i) block[i] = x[i] + CRTS_tid;
  sent = got = 0;
  athread_ssync_array();
  unsigned long begin = athread_stime_cycle();
  for (int round = 1; round <= ROUNDS; ++round) {
    if (CRTS_tid != 0 && CRTS_tid != FAR && !EVERY) continue;
    athread_rma_iput(block, &sent, BYTES, CRTS_tid ^ FAR, block + 128, &got);
    athread_rma_wait_value(&sent, round);
    athread_rma_wait_value(&got, round);
  }
  unsigned long taken = athread_stime_cycle() - begin;
  if (CRTS_tid != 0) return;
  float *y = (float *)shared;
  y[0] = (float)taken;
  y[1] = block[128];
}
"""


def exchange_cycles(tmp_path, size, far, every=0):
    """Of CPE 0, while it, or each CPE, exchanges bytes with the one whose number differs in `far`.

    Eight times.
    """
    sizes = {"ROUNDS": 8, "BYTES": size, "FAR": far, "EVERY": every}
    text = "".join(f"#define {name} {value}\n" for name, value in sizes.items()) + EXCHANGE
    cross = "__cross void *shared;\n__thread_local float block"
    folder = tmp_path / f"{size}_{far}_{every}"
    folder.mkdir()
    kernel = sw.hand_kernel(written(folder, text.replace("__thread_local float block", cross)))
    y = kernel.run(np.ones(256, "f4"), mode="timed")
    assert y[1] == 1 + far
    # What is waited for is another core, no transfer.
    assert kernel.last_run.stalls["message"] > 0
    assert kernel.last_run.stalls["transfer"] == 0
    return y[0]


def test_copies_take_longer_by_distance_and_by_bytes(tmp_path):
    near = exchange_cycles(tmp_path, 4, 2)  # the next cluster
    # Corner to corner: three clusters along and three down, 4 cycles each.
    far = exchange_cycles(tmp_path, 4, 63)
    assert far - near == pytest.approx(8 * 20, abs=16)
    # 508 bytes more, at 25.6 per cycle.
    assert exchange_cycles(tmp_path, 512, 63) - far == pytest.approx(8 * 508 / 25.6, abs=16)


def test_the_cores_of_a_cluster_share_its_engine(tmp_path):
    alone = exchange_cycles(tmp_path, 4, 63)
    with_others = exchange_cycles(tmp_path, 4, 63, every=1)
    assert alone < with_others < alone + 8 * 3 * 31 + 16
    # Four of 512 bytes, 20 cycles each, follow each other.
    assert exchange_cycles(tmp_path, 512, 63, every=1) >= 8 * 4 * 512 / 25.6


def test_who_waits_for_a_copy_goes_on_before_its_transfer_is_complete(tmp_path):
    """A third core, which computes for long, sees both arrive at once."""
    cpe = """
#include <crts.h>
#include <simd.h>
__cross void *shared;
__thread_local float block[256] __attribute__((aligned(64)));
__thread_local float word[16] __attribute__((aligned(64)));
__thread_local athread_rply_t sent, got, reply;
void slave_work(const float *x) {
  sent = got = reply = 0;
  word[0] = CRTS_tid;
  athread_ssync_array();
  unsigned long begin = athread_stime_cycle();
  if (CRTS_tid == 0) {
    athread_dma_iget(block, (void *)x, 1024, &reply);
    athread_rma_wait_value(&got, 1);
    ((float *)shared)[0] = (float)(athread_stime_cycle() - begin);
    athread_dma_wait_value(&reply, 1);
    ((float *)shared)[1] = (float)(athread_stime_cycle() - begin);
    ((float *)shared)[2] = word[4];
  }
  if (CRTS_tid == 1) {
    athread_rma_iput(word, &sent, 16, 2, word + 4, &got);
    athread_rma_iput(word, &sent, 16, 0, word + 4, &got);
    athread_rma_wait_value(&sent, 2);
  }
  if (CRTS_tid == 2) {
    athread_rma_wait_value(&got, 1);
    doublev8 v = simd_vcpyfd(1), a = v;
    for (int k = 0; k < 1000; ++k) v = simd_vmad(v, a, a);
    double sums[8] __attribute__((aligned(64)));
    simd_store(v, sums);
    block[0] = (float)sums[7];
    athread_rma_wait_value(&got, 1);
  }
}
"""
    y = sw.hand_kernel(written(tmp_path, cpe)).run(np.ones(256, "f4"), mode="timed")
    assert y[2] == 1
    assert y[0] < 300 < 407 < y[1]  # a copy takes 80 cycles to begin with, a get 407


def test_long_vectors_are_one_instruction_each(tmp_path):
    """A chain of multiply-adds of 8 doubles: 7 cycles each, as the target file says."""
    cpe = """
#include <crts.h>
#include <simd.h>
__cross void *shared;
void slave_work(const float *x) {
  doublev8 v = simd_vcpyfd(x[0]), a = simd_vcpyfd(x[1]), b = simd_vcpyfd(x[2]);
  unsigned long begin = athread_stime_cycle();
  for (int k = 0; k < 1000; ++k) v = simd_vmad(v, a, b);
  unsigned long taken = athread_stime_cycle() - begin;
  double sums[8] __attribute__((aligned(64)));
  simd_store(v, sums);
  if (CRTS_tid != 0) return;
  ((float *)shared)[0] = (float)taken;
  ((float *)shared)[1] = (float)sums[7];
}
"""
    y = sw.hand_kernel(written(tmp_path, cpe)).run(np.ones(256, "f4"), mode="timed")
    assert y[1] == 1001
    assert 7000 <= y[0] < 7100


MPE = """
#include <athread.h>
#include <stdio.h>

extern void *shared;
extern void slave_work(void *);

int pro(const float *x, float *y) {
  CRTS_init();
  shared = y;
  __real_athread_spawn((void *)slave_work, (void *)x, 1);
  athread_join();
  athread_halt();
  return 0;
}
"""

CPE = """
#include <crts.h>

__cross void *shared;
__thread_local float block[4];

void slave_work(const float *x) {
  athread_dma_get(block, x + 4 * CRTS_tid, sizeof block);
  for (int i = 0; i < 4; ++i) block[i] *= 2;
  athread_dma_put((float *)shared + 4 * CRTS_tid, block, sizeof block);
}
"""

TOML = """
[kernel]
name = "pro"
target = "sw26010pro"
entry = "pro"
[sources]
mpe = ["mpe.c"]
cpe = ["cpe.c"]
[[argument]]
name = "x"
dtype = "float32"
shape = [256]
role = "in"
[[argument]]
name = "y"
dtype = "float32"
shape = [256]
role = "out"
"""


def written(tmp_path, cpe=CPE):
    (tmp_path / "mpe.c").write_text(MPE)
    (tmp_path / "cpe.c").write_text(cpe)
    (tmp_path / "kernel.toml").write_text(TOML)
    return tmp_path


def test_a_hand_kernel_runs_on_the_machine_that_it_names(tmp_path):
    """With a variable that both sides see, and a CPE function that has the prefix already."""
    kernel = sw.hand_kernel(written(tmp_path))
    assert kernel.target == "sw26010pro"
    x = np.arange(256, dtype="f4")
    np.testing.assert_array_equal(kernel.run(x, mode="hazard"), 2 * x)
    with pytest.raises(sw.UnsupportedError, match="cannot run on target 'sw26010'"):
        sw.hand_kernel(tmp_path, target="sw26010")


SUM = """
#include <crts.h>

__cross void *shared;
__thread_local float own[4], sums[4];
__thread_local double buffer[8];

void slave_work(const float *x) {
  athread_dma_get(own, x + 4 * CRTS_tid, sizeof own);
  CRTS_scoll_redurt(own, sums, 4, CRTS_float, OP_add, buffer, 8);
  athread_dma_put((float *)shared + 4 * CRTS_tid, sums, sizeof sums);
}
"""


def test_a_reduction_over_the_cores(tmp_path):
    x = np.random.default_rng(0).integers(-9, 9, 256).astype("f4")
    kernel = sw.hand_kernel(written(tmp_path, SUM))
    everywhere = np.tile(x.reshape(64, 4).sum(axis=0), 64)
    for landing in ("at_wait", "at_issue", "random"):
        with sw.emulator("hazard", landing=landing):
            np.testing.assert_array_equal(kernel.run(x), everywhere)
    np.testing.assert_array_equal(kernel.run(x, mode="timed"), everywhere)
    assert kernel.last_run.cycles > 6 * 80  # six rounds of copies


def test_reductions_that_do_not_exist(tmp_path):
    kernel = sw.hand_kernel(written(tmp_path, SUM.replace("OP_add", "OP_xor")))
    with pytest.raises(sw.UnsupportedError, match="operation 4 on type 4") as caught:
        kernel.run(np.ones(256, "f4"))
    assert "OP_xor" in caught.value.why and caught.value.where.line == 10


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("__thread_local float", "__thread_local_share float", "LDM that several CPEs share"),
        ("athread_dma_put", "athread_ssync_master_array(); athread_dma_put", "CPEs and the MPE"),
        (
            "athread_dma_get(block",
            "athread_get(BCAST_MODE, (void *)x, block, 16, 0, 0, 0, 0); athread_dma_get(block",
            "BCAST_MODE on SW26010-Pro",
        ),
    ],
)
def test_what_is_not_there_is_said(tmp_path, old, new, what):
    assert old in CPE
    kernel = sw.hand_kernel(written(tmp_path, CPE.replace(old, new, 1)))
    with pytest.raises(sw.UnsupportedError) as caught:
        kernel.run(np.ones(256, "f4"))
    assert what in caught.value.why
    assert caught.value.where.file.endswith("cpe.c") and caught.value.where.line > 0
