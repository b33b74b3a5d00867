"""PolyBench's kernels as they are defined, planned by `auto_buffer` and run in hazard mode."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import solway as sw

sys.path.append(str(Path(__file__).parents[2] / "bench" / "polybench"))

import suite

# What their iterations depend on keeps the order of their loops.
IN_ORDER = {
    "adi", "cholesky", "durbin", "fdtd-2d", "floyd-warshall", "gramschmidt", "heat-3d", "jacobi-1d",
    "jacobi-2d", "lu", "ludcmp", "nussinov", "seidel-2d", "trisolv", "trmm",
}  # fmt: skip


def check(name: str, planner: str) -> sw.auto_buffer.AutoBuffer:
    module = suite.load(name)
    size = module.SIZES["MINI"]
    arguments, outputs = module.program(*size)
    s = sw.create_schedule(outputs)
    plan = s.auto_buffer("sw26010", planner=planner)
    kernel = sw.build(s, arguments, target="sw26010")
    data = module.data(np.random.default_rng(42), *size)
    arrays = suite.arrays_of(arguments, data)
    with sw.emulator(mode="hazard", landing="at_wait"):
        kernel(*arrays.values())
    assert suite.error_of(outputs, arrays, module.reference(size, *data)) <= suite.TOLERANCE
    return plan


@pytest.mark.parametrize("name", suite.NAMES)
def test_every_kernel_is_planned(name: str) -> None:
    plan = check(name, "greedy")
    in_order = {stage.stage for stage in plan.stages if stage.planner == "in order"}
    assert bool(in_order) == (name in IN_ORDER)
    assert all(stage.buffers for stage in plan.stages)
    for stage in in_order:
        assert any(what == f"auto_buffer on '{stage}'" and why for what, _, why in plan.remarks)


@pytest.mark.parametrize("name", suite.NAMES)
def test_the_search_plans_them_too(name: str) -> None:
    plan = check(name, "optimal")
    planners = {stage.planner for stage in plan.stages}
    assert planners <= {"in order", "optimal"}
    assert ("in order" in planners) == (name in IN_ORDER)


def test_a_remark_names_neighbours_of_many_pairs() -> None:
    module = suite.load("adi")
    plan = sw.create_schedule(module.program(20, 20)[1]).auto_buffer("sw26010")
    (why,) = [why for what, _, why in plan.remarks if "W2" in what]
    assert why.endswith(
        "would run W2[t=0, phase=2, row=0, j=0] before W2[t=0, phase=0, row=0, j=1], "
        "which still reads what it overwrites"
    )
