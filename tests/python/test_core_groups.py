"""Programs that run on several core groups of a Sunway machine."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import solway as sw

PRO = Path(__file__).parents[1] / "emulator" / "pro"
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
