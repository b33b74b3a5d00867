"""The benchmarks of the host run, with small sizes: each compares its values before it measures."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
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


@pytest.mark.parametrize("search", [[], ["--search"]])
def test_plain_layouts_are_compared_and_measured(search):
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1]), "SOLWAY_CACHE": "off"}
    command = [sys.executable, str(BENCH / "plain_layouts.py"), "--rounds", "1", *search]
    names = ["layer, 64", "5 x 5 each", "causal, 12 of 256", "700 x 1000"]
    done = subprocess.run(
        [*command, "--only", *names], capture_output=True, text=True, timeout=300, env=env
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.startswith(("layer", "5 x 5", "attention", "turned")) for line in lines) == 4
    assert "other processes" in lines[-1]


def test_kernels_for_many_sizes_are_held_against_those_for_one():
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    command = [sys.executable, str(BENCH / "many_sizes.py"), "--rounds", "1"]
    names = ["all three", "softmax", "turned"]
    done = subprocess.run(
        [*command, "--only", *names], capture_output=True, text=True, timeout=300, env=env
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.startswith(("product", "softmax", "turned")) for line in lines) == 6
    assert "other processes" in lines[-1]


def test_large_arrays_are_held_against_numpy():
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    command = [sys.executable, str(BENCH / "large_arrays.py"), "--rounds", "1"]
    done = subprocess.run(
        [*command, "--only", "32 x 1024", "1 x 4096"],
        capture_output=True, text=True, timeout=300, env=env,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.startswith("A B") for line in lines) == 2
    assert "other processes" in lines[-1]


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
    path, picture = tmp_path / "cpu.json", tmp_path / "cpu.png"
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1]), "SOLWAY_CACHE": "off"}
    command = [sys.executable, str(BENCH / "cpu"), "--layer", "101 x 77", "--rounds", "10"]
    command += ["--group", "product", "--peers", "openblas", "onednn", "--seconds", "1"]
    command += ["--threads", "1", "2", "--json", str(path), "--plot", str(picture)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stderr
    found = json.loads(path.read_text())
    assert set(found["peers"]) | set(found["missing"]) == {"openblas", "onednn"}
    assert all(f"without {name}: {why}" in done.stderr for name, why in found["missing"].items())
    (group,) = found["groups"]
    (layer,) = group["layers"]
    ways = {"model", "search"}
    assert ways | {f"{way}, 2 threads" for way in ways} <= set(layer["candidates"])
    for candidate in layer["candidates"].values():
        assert 0 < candidate["min_us"] <= candidate["median_us"]
        assert candidate["of_limit"] == pytest.approx(layer["limit_us"] / candidate["min_us"])
    ours = min(layer["candidates"][way]["min_us"] for way in ways)
    on_two = min(layer["candidates"][f"{way}, 2 threads"]["min_us"] for way in ways)
    assert layer["gains_of_threads"] == {"2": pytest.approx(ours / on_two)}
    searched = layer["candidates"]["search"]["planned_seconds"]
    assert found["search"]["seconds"] == found["search"]["longest_seconds"] == searched
    assert "searches: " in done.stdout
    if found["peers"]:
        best = layer["candidates"][layer["best_peer"]]["min_us"]
        assert layer["ratio"] == pytest.approx(best / ours)
        assert layer["meets_goal"] == (layer["ratio"] >= 0.97)
        assert group["means"]["ratio"]["mean"] == pytest.approx(layer["ratio"])
        assert "products, m x n x depth" in done.stdout
        assert picture.stat().st_size > 0


SMALL = {
    "blocks": "Convolution(32, 48, 9, 3, 2, 1)",
    "pixels": "Convolution(32, 16, 5, 1)",
    "colours": "Convolution(3, 16, 15, 7, 2, 3)",
    "depthwise": "Convolution(32, 32, 9, 5, 2, 2, 32)",
    "panels": "Product(9, 32, 20)",
    "rows": "Product(9, 33, 20)",
    "connected": "FullyConnected(70, 33)",
    "largest": "Pool(16, 9, 3, 2)",
    "mean": "Pool(16, 5, 5, 1, 'mean')",
    "softmax": "Softmax(5, 19)",
    "norm": "LayerNorm(5, 32, residual=True)",
    "gelu": "Gelu(5, 19)",
    "attention": "Attention(2, 17, 16)",
}


CPU_MODULES = ("layers", "operations", "peers", "programs", "summary")


@pytest.fixture
def of_cpu(monkeypatch):
    """The modules of bench/cpu, by name."""
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH / "cpu"))
    yield importlib.import_module
    for name in [n for n in sys.modules if n.split(".")[0] in CPU_MODULES]:
        del sys.modules[name]


@pytest.mark.parametrize("operation", SMALL)
def test_programs_of_the_cpu_benchmark_compute_what_they_say(of_cpu, operation):
    operations, programs = of_cpu("operations"), of_cpu("programs")
    chosen = eval(SMALL[operation], vars(operations))
    arrays = chosen.numbers()
    made = programs.program(chosen)
    inputs = [np.ascontiguousarray(a) for a in made.packed(arrays)]
    found = made.plain(sw.build(made.output).run(*inputs))
    assert found.shape == chosen.result_shape
    np.testing.assert_allclose(found, chosen.expected(*arrays), rtol=0, atol=chosen.tolerance)


@pytest.mark.parametrize("peer", ["openblas", "onednn"])
def test_peers_of_the_cpu_benchmark_compute_the_same(of_cpu, peer):
    operations, peers = of_cpu("operations"), of_cpu("peers")
    found, missing = peers.load([peer])
    if missing:
        pytest.skip(missing[peer])
    count = 0
    for text in SMALL.values():
        operation = eval(text, vars(operations))
        arrays = operation.numbers()
        for way in found[0].ways(operation, arrays):
            way.run()
            expected = operation.expected(*arrays)
            np.testing.assert_allclose(way.result(), expected, rtol=0, atol=operation.tolerance)
            count += 1
    assert count >= (3 if peer == "openblas" else 8)


def of_layers(ratios, seconds):
    """Rows of layers, as far as their summary reads them."""
    return [
        {"layer": f"layer {n}", "candidates": {"search": {"planned_seconds": each}}} | row
        for n, (row, each) in enumerate(zip(ratios, seconds, strict=True))
    ]


def test_means_and_searches_are_held_against_their_goals(of_cpu, capsys):
    layers, summary = of_cpu("layers"), of_cpu("summary")
    dense, other = layers.GROUPS["dense"], layers.GROUPS["other"]
    rows = of_layers(
        [{"ratio": 0.5, "fast_math_ratio": 2.0}, {"ratio": 2.0, "fast_math_ratio": 2.42}, {}],
        [1.0, 1.9, 1.5],
    )
    means = summary.group_means(dense, rows)
    assert means["ratio"] == {"layers": 2, "mean": 1.0, "goal": 1.0, "meets_goal": True}
    fast = means["fast_math_ratio"]
    assert fast["mean"] == pytest.approx(2.2)
    assert (fast["goal"], fast["meets_goal"]) == (2.3, False)
    assert "goal" not in summary.group_means(other, rows)["fast_math_ratio"]
    assert summary.group_means(dense, rows[2:]) == {}
    groups = [{"what": dense.what, "means": means, "layers": rows}]
    search = summary.search_times(groups)
    assert search["seconds"] == pytest.approx(4.4)
    assert search["limit_seconds"] == pytest.approx(4.5)
    assert (search["longest"], search["longest_seconds"]) == ("layer 1", 1.9)
    summary.show_summary(groups, search)
    _, plain, with_fast_math, searches = capsys.readouterr().out.splitlines()
    assert plain.split()[-4:] == ["2", "1.00", "1.0:", "yes"]
    assert with_fast_math.split()[-5:] == ["fast_math", "2", "2.20", "2.3:", "no"]
    assert "4.4 s for 3 layers, limit 4.5" in searches and "1.90 s, limit 2" in searches


def test_a_peer_that_is_not_installed_is_named(of_cpu, monkeypatch):
    peers = of_cpu("peers")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setitem(sys.modules, "onnx", None)
    found, missing = peers.load(["onnx_runtime"])
    assert found == []
    assert "onnx" in missing["onnx_runtime"]


def test_new_layers_are_planned_and_compared():
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    command = [sys.executable, str(BENCH / "sunway" / "new_layers.py"), "--layer", "5 points"]
    done = subprocess.run(
        [*command, "--greedy"], capture_output=True, text=True, timeout=300, env=env
    )
    assert done.returncode == 0, done.stderr
    (row,) = (line for line in done.stdout.splitlines() if "stencil" in line)
    model, planned, off, greedy, without = row.split("|")[2:7]
    planned, greedy, without = (_thousands(cell) for cell in (planned, greedy, without))
    assert float(off.strip(" %")) == pytest.approx(100 * (_thousands(model) / planned - 1), abs=1)
    assert planned < greedy
    assert 10 * planned < without


def test_figures_of_planners_and_of_kernels_by_hand_become_tables(tmp_path):
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    rows = tmp_path / "rows.jsonl"

    def printed_by(*command):
        done = subprocess.run(
            [sys.executable, *map(str, command)],
            capture_output=True,
            text=True,
            timeout=300,
            env=env,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    layers = [BENCH / "sunway" / "auto_layers.py", "--layer", "64 x 55", "--rows", rows]
    printed = printed_by(*layers, "--by", "optimal", "--by", "athread")
    planned, by_hand = ([c.strip() for c in line.split("|")] for line in printed[2:4])
    tables = printed_by(BENCH / "sunway" / "tables_by_style.py", rows)
    assert tables.count("| layer | optimal | by hand, athread |") == 4
    found = [line.split("|") for line in tables if line.startswith("| pool")]
    cycles, rates, moved, room = ([cell.strip() for cell in line[2:4]] for line in found)
    assert cycles == [planned[4], by_hand[4]]
    assert rates == [f"{way[6]} ({way[7]})" for way in (planned, by_hand)]
    assert moved == [planned[8], by_hand[8]]
    assert room == [planned[9], by_hand[9]]


def test_kernels_of_polybench_are_held_against_the_model():
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    command = [sys.executable, str(BENCH / "sunway" / "new_layers.py"), "--planned-only"]
    command += ["--polybench", "MINI", "--layer", "atax", "--layer", "jacobi-1d"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if "%" in line]
    assert len(rows) == 3
    assert all(abs(float(row.split("|")[4].strip(" %"))) < 40 for row in rows[:2])
    assert rows[2].startswith("error of the model: median ")


def _thousands(cell):
    return float(cell.split()[0].replace(",", ""))


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
        [*script, "--layer", "product 512"], capture_output=True, text=True, timeout=300, env=env
    )
    assert done.returncode == 0, done.stderr
    assert "| product 512 x 512 x 512 | 1 | 11 |" in done.stdout
