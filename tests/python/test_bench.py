"""The benchmarks of the host run, with small sizes: each compares its values before it measures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import solway as sw
from support.programs import load_program

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize(
    "command",
    [
        ["gemm_host.py", "--shape", "32x96x40", "--rounds", "1"],
        ["convolution_host.py", "--rounds", "1"],
        ["emulator_speed.py", "--rounds", "1", "--layers", "none"],
        ["jacobi_host.py", "--size", "90", "--steps", "9", "--rounds", "1", "--tile", "4x8x16"],
    ],
    ids=lambda command: command[0],
)
def test_runs(command):
    name, *arguments = command
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(BENCH / name), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env=env,
    )
    assert done.returncode == 0, done.stderr
    assert (
        "fma probe" if name.endswith("_host.py") else "| product of 512, by hand |"
    ) in done.stdout


@pytest.mark.isa("avx512_vnni")
@pytest.mark.skipif(
    "avx512_vnni" not in Path("/proc/cpuinfo").read_text(), reason="no AVX-512 VNNI here"
)
def test_products_of_bytes_are_held_against_the_peak_of_their_instruction():
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    command = [sys.executable, str(BENCH / "dot_products.py"), "--shape", "30x70x42"]
    done = subprocess.run(
        [*command, "--rounds", "2"], capture_output=True, text=True, timeout=300, env=env
    )
    assert done.returncode == 0, done.stderr
    for name in ("vpdpbusd probe", "uint8 x int8, model", "int8 x int8, 14 x 32", "float32, model"):
        assert name in done.stdout


def test_chosen_schedules_are_compared_with_libraries(tmp_path):
    path = tmp_path / "cpu.json"
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1]), "SOLWAY_CACHE": "off"}
    command = [sys.executable, str(BENCH / "cpu.py"), "--layer", "101 x 77", "--rounds", "10"]
    command += ["--seconds", "1", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stderr
    (layer,) = json.loads(path.read_text())["layers"]
    assert {"model", "search", "numpy"} <= set(layer["candidates"])
    for found in layer["candidates"].values():
        assert 0 < found["min_us"] <= found["median_us"]
        assert found["of_limit"] == pytest.approx(layer["limit_us"] / found["min_us"])


def test_new_layers_are_planned_and_compared():
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    command = [sys.executable, str(BENCH / "sunway" / "new_layers.py"), "--layer", "5 points"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stderr
    (row,) = (line for line in done.stdout.splitlines() if "stencil" in line)
    planned, without = (float(cell.split()[0].replace(",", "")) for cell in row.split("|")[2:4])
    assert 10 * planned < without


@pytest.mark.parametrize("style", ["openacc", "athread", "mesh"])
def test_layers_by_hand(style):
    layers = load_program("bench/hand_layers.py")
    assert layers.cell(layers.Convolution("small", 8, 8, 9), style).endswith("%)")
    assert layers.cell(layers.FullyConnected("small", 64, 64), style).endswith("GB/s)")


def test_operators_by_hand():
    operators = load_program("bench/hand_operators.py")
    sizes = operators.pool_sizes(8, 11, 3, 2)
    row = operators.row(
        operators.Operator("pool", operators.pooling(3, 2), [(8, 11, 11)], sizes, "small")
    )
    assert row.startswith("| `pool`, small | ")
    assert row.endswith("% |")


def test_planning_time_names_every_layer_that_is_asked_for():
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    script = [sys.executable, str(BENCH / "planning_time.py"), "--repeats", "1"]
    done = subprocess.run(
        [*script, "--layer", "product"], capture_output=True, text=True, timeout=300, env=env
    )
    assert done.returncode == 0, done.stderr
    assert "| product 512 x 512 x 512 | 1 | 11 |" in done.stdout
