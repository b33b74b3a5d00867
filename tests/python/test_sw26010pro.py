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


def test_cycles_are_not_known():
    s, args = product()
    kernel = sw.build(s, args, target="sw26010pro", name="product")
    a = np.ones((SIZE, SIZE), "f4")
    with pytest.raises(sw.UnsupportedError, match="timed"):
        kernel.run(a, a, mode="timed")


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


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("__thread_local float", "__thread_local_share float", "LDM that several CPEs share"),
        ("athread_dma_put", "athread_lock(shared); athread_dma_put", "a lock"),
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
