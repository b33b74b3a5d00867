"""The 30 kernels of PolyBench against NumPy, in float64 (two in int32): SMALL on host, else MINI.

The tolerance is `suite.TOLERANCE`, relative to the largest element of a result.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import solway as sw

FOLDER = Path(__file__).parents[2] / "bench" / "polybench"
sys.path.insert(0, str(FOLDER))

import suite  # noqa: E402
from count_operations import count_operations  # noqa: E402

EMULATED = ("gemm", "trisolv", "lu", "jacobi-1d", "syrk", "nussinov")


def test_there_are_thirty():
    assert len(suite.NAMES) == 30


@pytest.mark.parametrize(("target", "dataset"), [("host", "SMALL"), ("c", "MINI")])
@pytest.mark.parametrize("name", suite.NAMES)
def test_kernel(name, target, dataset):
    result = suite.run(name, dataset, target)
    assert result.is_right, f"{name}: relative error {result.error}"


@pytest.mark.parametrize("name", EMULATED)
def test_kernel_emulated(name):
    result = suite.run(name, "MINI", "sw26010")
    assert result.is_right, f"{name}: relative error {result.error}"


def test_sizes_are_those_of_four_data_sets():
    for name in suite.NAMES:
        sizes = suite.load(name).SIZES
        assert list(sizes) == ["MINI", "SMALL", "MEDIUM", "LARGE"], name
        assert all(len(size) == len(sizes["MINI"]) for size in sizes.values()), name


# In numbers of the published algorithm: what its innermost statements are and how often they run.
OPERATIONS = {
    "gemm": lambda m, n, k: m * n * (3 * k + 2),
    "syrk": lambda m, n: n * (n + 1) // 2 * (3 * m + 2),
    "trisolv": lambda n: n * (n - 1) + 2 * n,
    "jacobi-1d": lambda steps, n: 2 * steps * (n - 2) * 3,
    "floyd-warshall": lambda n: 2 * n**3,
    "cholesky": lambda n: sum(2 * j + 2 for i in range(n) for j in range(i + 1)),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_are_those_of_the_algorithm(name):
    module = suite.load(name)
    size = module.SIZES["MINI"]
    _, outputs = module.program(*size)
    assert count_operations(outputs) == OPERATIONS[name](*size)


def test_runner_writes_json(tmp_path):
    out = tmp_path / "out.json"
    command = [sys.executable, FOLDER / "run.py", "atax", "mvt", "--repeats=1", f"--json={out}"]
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert run.returncode == 0, run.stderr
    row = json.loads(out.read_text())
    assert row["dataset"] == "SMALL"
    assert set(row["kernels"]) == {"atax", "mvt"}
    assert all(kernel["is_right"] for kernel in row["kernels"].values())
