"""Programs that run on several core groups of a Sunway machine."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import solway as sw
from solway._limits import limits_of

KERNELS = Path(__file__).parents[1] / "emulator"
PRO = KERNELS / "pro"
ONES = np.ones(4096, "float32")


def pro_kernel(tmp_path, case, mpe=None):
    """A hand kernel out of tests/emulator/pro with its MPE program, or this one."""
    folder = tmp_path / "planted"
    shutil.copytree(PRO, folder, dirs_exist_ok=True)
    source = folder / f"{case}.mpe.c"
    if mpe is not None:
        source.write_text(mpe)
    toml = (PRO / "planted.toml").read_text().replace("bad/CASE.c", f"{case}.c")
    (folder / "kernel.toml").write_text(toml.replace('"mpe.c"', f'"{case}.mpe.c"'))
    return sw.hand_kernel(folder)


def test_target_files_say_how_many_groups_there_are():
    assert [sw.Target.load(name).cores.groups for name in ("sw26010", "sw26010pro")] == [4, 6]
    assert sw.Target.load("example-cluster").cores.groups == 1


def test_counters_are_those_of_all_groups(tmp_path):
    kernel = pro_kernel(tmp_path, "good/groups_product")
    kernel.run(ONES, ONES.copy())
    assert kernel.last_run.bytes["put"] == 384 * 16
    assert kernel.last_run.bytes["get"] == 384 * 6 * 16
    # Each row and each column of each group hands a tile on in each of 8 rounds.
    assert kernel.last_run.bytes["rma"] == 6 * 8 * 16 * 16


def test_time_is_the_same_in_every_run(tmp_path):
    kernel = pro_kernel(tmp_path, "good/groups_product")
    cycles = set()
    for seed in (0, 3, 8):
        with sw.emulator("timed", seed=seed):
            kernel.run(ONES, ONES.copy())
        cycles.add((kernel.last_run.cycles, kernel.last_run.cpe_cycles))
    assert len(cycles) == 1


def test_roofline_is_that_of_the_groups_used(tmp_path):
    six = pro_kernel(tmp_path, "good/groups_product")
    with sw.emulator("timed"):
        comparison = sw.compare({"six": six}, inputs=[ONES, np.ones_like(ONES)])
    six_groups = comparison.measurements["six"].limits
    one = limits_of(sw.Target.load("sw26010pro")._machine)
    assert six_groups.gflops == pytest.approx(6 * one.gflops)
    assert six_groups.gb_per_s == pytest.approx(6 * one.gb_per_s)


GROUPS = """
#include <athread.h>
#include "parameters.h"
extern void SLAVE_FUN(work)(void *);
void entry(const float *x, float *y) {{
  Parameters parameters = {{x, y}};
  athread_init_cgs();
  athread_spawn_cgmask({mask}, work, &parameters);
  athread_join_cgmask({mask});
}}
"""

STREAM = """
#include "cpe.h"
__thread_local float block[1024];
void work(Parameters *p) {
  for (int i = 0; i < 8; ++i) athread_dma_get(block, p->x, sizeof block);
}
"""


def test_each_group_has_main_memory_of_its_own(tmp_path):
    shutil.copytree(PRO, tmp_path / "planted")
    (tmp_path / "planted" / "good" / "stream.c").write_text(STREAM)
    cycles = {}
    for mask in (0x1, 0x20, 0x3F):
        kernel = pro_kernel(tmp_path, "good/stream", GROUPS.format(mask=mask))
        kernel.run(ONES, ONES.copy(), mode="timed")
        cycles[mask] = kernel.last_run.cycles
    assert cycles[0x1] == cycles[0x20] == cycles[0x3F]
    assert kernel.last_run.bytes["get"] == 384 * 8 * 4096


def test_timelines_name_the_groups(tmp_path):
    kernel = pro_kernel(tmp_path, "good/groups_product")
    kernel.run(ONES, ONES.copy(), mode="timed")
    timeline = kernel.last_run.timeline
    assert timeline.groups == 6 and len(timeline.cores) == 384
    assert all(core.running for core in timeline.cores)
    assert timeline.core_name(2 * 64 + 17) == "group 2, CPE 17"
    assert ", 384 cores in 6 groups" in str(timeline)
    assert timeline.imbalance == pytest.approx(1, abs=0.1)
    events = json.loads(timeline.to_chrome(tmp_path / "t.json").read_text())["traceEvents"]
    names = {e["args"]["name"] for e in events if e["name"] == "thread_name" and e["pid"] == 0}
    assert len(names) == 384 and "group 5, CPE 63" in names
    page = timeline.to_html(tmp_path / "t.html").read_text()
    assert re.search(r'"core_names":\["group 0, CPE 0"', page)


def test_an_error_says_the_group(tmp_path):
    kernel = pro_kernel(tmp_path, "bad/main_memory_race/groups_not_met")
    with pytest.raises(sw.EmulatorError, match="of group") as caught:
        kernel.run(ONES, ONES.copy(), mode="hazard")
    assert caught.value.cpe in range(64)
    assert caught.value.group in range(6)
    assert f"CPE {caught.value.cpe} of group {caught.value.group} gets them" in caught.value.why
    assert "athread_ssync_node" in caught.value.fix


def test_a_program_of_one_group_names_none(tmp_path):
    kernel = pro_kernel(tmp_path, "bad/deadlock/lock_stays", (PRO / "mpe.c").read_text())
    with pytest.raises(sw.EmulatorError) as caught:
        kernel.run(ONES, ONES.copy())
    assert caught.value.group is None
    assert "of group" not in caught.value.why


def test_a_mask_of_groups_that_are_not_there(tmp_path):
    kernel = pro_kernel(tmp_path, "good/groups_product", GROUPS.format(mask="0x40"))
    with pytest.raises(sw.DslError, match="mask 64") as caught:
        kernel.run(ONES, ONES.copy())
    assert "6 groups" in caught.value.why


def thread_kernel(tmp_path, case):
    """A hand kernel of SW26010 out of tests/emulator with threads of the MPE."""
    folder = tmp_path / "planted"
    shutil.copytree(KERNELS / "bad", folder)
    shutil.copytree(KERNELS / "good", folder / "good")
    toml = (folder / "planted.toml").read_text().replace("CASE", case)
    (folder / "kernel.toml").write_text(toml.replace('"mpe.c"', f'"{case}.mpe.c"'))
    return sw.hand_kernel(folder)


def test_threads_of_the_mpe_use_a_group_each(tmp_path):
    kernel = thread_kernel(tmp_path, "good/mpe_threads")
    cycles = set()
    for seed in (0, 4):
        with sw.emulator("timed", seed=seed):
            kernel.run(ONES, ONES.copy())
        cycles.add((kernel.last_run.cycles, kernel.last_run.cpe_cycles))
    assert len(cycles) == 1
    timeline = kernel.last_run.timeline
    assert timeline.groups == 4
    # The first thread starts its group once, and two rounds of four threads three times each.
    starts = [sum(1 for run in timeline.runs if run.core == 64 * group) for group in range(4)]
    assert sorted(starts) == [6, 6, 6, 7] and starts[0] == 7
    assert kernel.last_run.bytes["get"] == 25 * 16 * 256


def test_threads_of_the_mpe_work_at_the_same_time(tmp_path):
    kernel = thread_kernel(tmp_path, "good/mpe_threads")
    kernel.run(ONES, ONES.copy(), mode="timed")
    runs = kernel.last_run.timeline.runs
    first = [next(run for run in runs if run.core == 64 * group) for group in (1, 2, 3)]
    assert max(run.begin for run in first) < min(run.end for run in first)


@pytest.mark.parametrize("case", ["good/mpe_threads", "good/mpe_threads_meet"])
@pytest.mark.parametrize("mode", ["functional", "hazard"])
@pytest.mark.parametrize("landing", ["at_wait", "at_issue", "random"])
def test_threads_of_the_mpe_in_every_order(tmp_path, case, mode, landing):
    kernel = thread_kernel(tmp_path, case)
    for seed in (0, 1, 9):
        with sw.emulator(mode, landing=landing, seed=seed):
            kernel.run(ONES, ONES.copy())


def test_a_deadlock_names_the_threads_and_what_they_wait_for(tmp_path):
    kernel = thread_kernel(tmp_path, "deadlock/two_groups")
    with pytest.raises(sw.EmulatorError, match="pthread_join waits") as caught:
        kernel.run(ONES, ONES.copy())
    assert caught.value.kind == "deadlock"
    for text in ("CPE 0 of group 0", "thread 1 of the MPE waits in athread_join", "two_groups.mpe"):
        assert text in caught.value.why
