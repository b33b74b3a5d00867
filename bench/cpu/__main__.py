"""Layers with the schedules that solway chooses, beside other libraries, on one thread.

For each layer the kernels of `auto_schedule`, by the model and by the search, take turns in one
process with OpenBLAS (`OPENBLAS_CORETYPE=SkylakeX`, with AVX-512), oneDNN, PyTorch without and with
its compiler, ONNX Runtime and OpenVINO, those that are installed (`bench/cpu/requirements.txt`),
each in the layouts that are best for it and with parameters that it has prepared. All are called
from Python and timed by the wall clock; all results are compared with NumPy's before anything is
timed. A probe of multiply-adds and one of memory take turns with them: the limit of a layer is the
longer of both. The ratio is the time of the best peer by that of the better of solway's kernels.
What is timed stands behind one run of the same, or `--warm` of them: arrays that a cache holds have
been brought back into it after the others' turns. At the end come the geometric means of the groups
beside their goals, and what the searches took beside their limits (without what is remembered:
`SOLWAY_CACHE=off`). With `--threads 1 2` solway's kernels also run on two threads; their ratios to
peers are of one.

    python bench/cpu [--group NAME ...] [--layer TEXT ...] [--rounds 20] [--warm 1] [--seconds 10]
                     [--threads 1 2] [--peers NAME ...] [--json FILE] [--plot FILE]

Groups: dense, other, depthwise, product, connected, memory, attention, call.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

if "avx512vl" in Path("/proc/cpuinfo").read_text():  # kernels of it end elsewhere
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")  # read when the library is loaded
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from measuring import (  # noqa: E402
    PROBE_FLOPS,
    Candidate,
    aligned,
    probe,
    read_probe,
    run_in_turns,
    stack_accesses,
)

import numpy as np  # noqa: E402  # isort: skip (measuring sets the number of its threads)
import peers  # noqa: E402
import solway as sw  # noqa: E402
from calls import measured_calls, show_calls  # noqa: E402
from layers import GROUPS, Group  # noqa: E402
from operations import Convolution, Operation  # noqa: E402
from programs import Program, program  # noqa: E402
from summary import FAST, group_means, search_times, show_summary  # noqa: E402

SOLWAY = ("model", "search")
FAST_TOLERANCE = 4e-5  # of its results, of the largest one
LIMITS = ("multiply-adds", "memory")
CALL = "call"  # the group that is no layer


def built(made: Program, seconds: float) -> tuple[sw.Kernel, dict[str, Any]]:
    """A kernel, and what it took to make it; no `seconds`: by the model alone."""
    start = time.perf_counter()
    s = sw.create_schedule(made.output)
    chosen = s.auto_schedule("host", search=bool(seconds), seconds=seconds)
    planned = time.perf_counter()
    kernel = sw.build(s, [*made.inputs, made.output], name="layer")
    about = {
        "planned_seconds": planned - start,
        "built_seconds": time.perf_counter() - planned,
        "spills": stack_accesses(kernel),
        "tried": len(chosen.trials),
    }
    return kernel, about


def on_threads(name: str, threads: int) -> str:
    """How a kernel on so many threads is named."""
    return name if threads == 1 else f"{name}, {threads} threads"


def solway_ways(
    operation: Operation, arrays: list[np.ndarray], seconds: float, counts: list[int]
) -> tuple[list[peers.Way], dict[str, dict[str, Any]]]:
    """The kernels, each on all numbers of threads, and what is known of each."""
    made = program(operation)
    ways, about = [], {}
    for name in SOLWAY:
        # Arrays of its own: of those that another one has just read, more is in the caches.
        inputs = [aligned(np.ascontiguousarray(a)) for a in made.packed(arrays)]
        kernel, about[name] = built(made, seconds if name == "search" else 0.0)
        out = aligned(np.zeros(made.output.shape))
        ways += [_way(name, kernel, inputs, out, made, threads) for threads in counts]
    return ways, about


def fast_ways(operation: Operation, arrays: list[np.ndarray]) -> list[peers.Way]:
    """By minimal filtering, its weights transformed before; of other layers none."""
    if not isinstance(operation, Convolution) or operation.kernel != 3:
        return []
    made = program(operation)
    try:
        s = sw.create_schedule(made.output, inputs=["C_U"], fast_math=True)
    except sw.ScheduleArgumentError:  # it is computed as it is written, without that stage
        return []
    s.auto_schedule("host", search=False)
    image, weights = (aligned(np.ascontiguousarray(a)) for a in made.packed(arrays))
    transformed = s.tensors["C_U"]
    filters = aligned(np.zeros(transformed.shape))
    sw.build(transformed, search=False)(weights, filters)
    kernel = sw.build(s, [made.inputs[0], transformed, made.output], name="layer")
    out = aligned(np.zeros(made.output.shape))
    return [_way(FAST, kernel, [image, filters], out, made)]


def _way(
    name: str,
    kernel: sw.Kernel,
    inputs: list[np.ndarray],
    out: np.ndarray,
    made: Program,
    threads: int = 1,
) -> peers.Way:
    return peers.Way(
        on_threads(name, threads),
        lambda: kernel(*inputs, out, threads=threads),
        lambda: made.plain(out),
    )


def checked(ways: list[peers.Way], right: np.ndarray, tolerance: float, layer: str) -> None:
    """Runs each once; exits where a result is wrong."""
    for way in ways:
        way.run()
        found = way.result()
        if found.shape != right.shape or not np.allclose(found, right, rtol=0, atol=tolerance):
            raise SystemExit(f"{layer}, {way.name}: wrong result")


def peer_ways(
    modules: list[ModuleType], operation: Operation, arrays: list[np.ndarray]
) -> list[peers.Way]:
    """Of all peers that have the operation."""
    return [way for module in modules for way in module.ways(operation, arrays)]


def measured(
    layer: str,
    operation: Operation,
    modules: list[ModuleType],
    args: argparse.Namespace,
) -> dict[str, Any]:
    """All candidates of a layer."""
    arrays = [aligned(a) for a in operation.numbers()]
    right = np.ascontiguousarray(operation.expected(*arrays), np.float32)
    counts = sorted({1, *args.threads})
    ours, about = solway_ways(operation, arrays, args.seconds, counts)
    theirs = peer_ways(modules, operation, arrays)
    checked([*ours, *theirs], right, operation.tolerance, layer)
    fast = fast_ways(operation, arrays)
    checked(fast, right, FAST_TOLERANCE * float(np.abs(right).max()), layer)
    candidates: dict[str, Candidate] = {way.name: way.seconds for way in [*ours, *fast, *theirs]}
    touched = sum(a.size for a in arrays) + right.size
    candidates |= {"multiply-adds": probe(), "memory": read_probe(touched)}
    times, share = run_in_turns(candidates, max(10, args.rounds), args.warm)
    factor = {"multiply-adds": operation.operations / PROBE_FLOPS, "memory": 1.0}
    limits = {which: min(times[which]) * factor[which] for which in LIMITS}
    limit = max(limits.values())
    rows = {
        which: {
            "min_us": min(taken) * 1e6,
            "median_us": float(np.median(taken)) * 1e6,
            "gflops": operation.operations / min(taken) * 1e-9,
            "of_limit": limit / min(taken),
            **about.get(which, {}),
        }
        for which, taken in times.items()
        if which not in LIMITS
    }
    row = {
        "layer": layer,
        "probe_gflops": PROBE_FLOPS / min(times["multiply-adds"]) * 1e-9,
        "read_gb_per_s": 4.0 * touched / min(times["memory"]) * 1e-9,
        "limit_us": limit * 1e6,
        "limit": max(limits, key=lambda which: limits[which]),
        "other_cores": share,
        "is_idle": share < 0.1,
        "candidates": rows,
    }
    return row | gains(rows, counts) | compared(rows, [way.name for way in theirs])


def gains(rows: dict[str, dict[str, Any]], counts: list[int]) -> dict[str, Any]:
    """How many times as fast the better of the kernels is on more threads than one."""
    least = {
        threads: min(rows[on_threads(name, threads)]["min_us"] for name in SOLWAY)
        for threads in counts
    }
    found = {str(threads): least[1] / us for threads, us in least.items() if threads > 1}
    return {"gains_of_threads": found} if found else {}


def compared(rows: dict[str, dict[str, Any]], theirs: list[str]) -> dict[str, Any]:
    """The best peer and the ratios, where there is a peer."""
    if not theirs:
        return {}
    out: dict[str, Any] = {"best_peer": min(theirs, key=lambda name: rows[name]["min_us"])}
    for ratio, time_of in (("ratio", "min_us"), ("median_ratio", "median_us")):
        least = [min(rows[name][time_of] for name in names) for names in (theirs, SOLWAY)]
        out[ratio] = least[0] / least[1]
        if FAST in rows:
            out[f"{FAST}_{ratio}"] = least[0] / rows[FAST][time_of]
    return out


def goals_met(group: Group, row: dict[str, Any]) -> dict[str, bool | None]:
    """Whether a layer reaches what its group should; None: no peer is there."""
    best = max(row["candidates"][name]["of_limit"] for name in SOLWAY)
    is_met = row["ratio"] >= group.goal.each and best >= group.of_limit if "ratio" in row else None
    out: dict[str, bool | None] = {"meets_goal": is_met}
    if group.fast_goal and f"{FAST}_ratio" in row:
        out[f"{FAST}_meets_goal"] = row[f"{FAST}_ratio"] >= group.fast_goal.each
    return out


def show(row: dict[str, Any], group: Group) -> None:
    """One layer as text."""
    idle = "idle" if row["is_idle"] else "NOT idle: take the ratios, not the rates"
    print(
        f"{row['layer']}: limit {row['limit_us']:,.1f} us by {row['limit']} "
        f"(probe {row['probe_gflops']:.0f} GFLOP/s, "
        f"read {row['read_gb_per_s']:.0f} GB/s); others {row['other_cores']:.2f} cores ({idle})"
    )
    for which, found in row["candidates"].items():
        spills = f", {found['spills']} spills" if found.get("spills") else ""
        made = (
            f"; planned in {found['planned_seconds']:.1f} s" if "planned_seconds" in found else ""
        )
        print(
            f"  {which:26} {found['min_us']:12,.1f} us {found['median_us']:12,.1f} median "
            f"{found['gflops']:8.1f} GFLOP/s {found['of_limit']:7.1%} of the limit{spills}{made}"
        )
    for threads, gain in row.get("gains_of_threads", {}).items():
        print(f"  {gain:.2f} times as fast on {threads} threads")
    if "ratio" in row:
        print(
            f"  {row['ratio']:.2f} of the best peer, {row['best_peer']} "
            f"(medians {row['median_ratio']:.2f}); goal {group.goal.each}",
            flush=True,
        )
    if f"{FAST}_ratio" in row:
        wanted = f"; goal {group.fast_goal.each}" if group.fast_goal else ""
        print(f"  {row[f'{FAST}_ratio']:.2f} of it with {FAST}{wanted}", flush=True)


def plot(groups: list[dict[str, Any]], path: Path) -> None:
    """A bar for the ratio of each layer, and a line for the goal of its group."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    shown = [g for g in groups if any("ratio" in row for row in g["layers"])]
    heights = [len(g["layers"]) + 1 for g in shown]
    figure, places = pyplot.subplots(
        len(shown),
        1,
        figsize=(8, 0.3 * sum(heights) + 1),
        height_ratios=heights,
        squeeze=False,
        layout="constrained",
    )
    for group, place in zip(shown, places[:, 0], strict=True):
        rows = [row for row in group["layers"] if "ratio" in row][::-1]
        place.barh([row["layer"] for row in rows], [row["ratio"] for row in rows])
        place.axvline(1.0, color="grey", linewidth=0.8)
        place.axvline(group["goal"], color="red", linestyle="--", linewidth=0.8)
        place.set_title(group["what"], fontsize="small")
        place.tick_params(labelsize="x-small")
    places[-1, 0].set_xlabel("time of the best peer / time of solway")
    figure.savefig(path)


def main() -> None:
    """Measures, prints, and writes JSON and a plot."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    choices = [*GROUPS, CALL]
    parser.add_argument("--group", nargs="*", default=choices, choices=choices)
    parser.add_argument("--layer", nargs="*", default=[""], help="a part of its name")
    parser.add_argument("--rounds", type=int, default=20, help="times of each candidate")
    parser.add_argument("--warm", type=int, default=1, help="runs before each that is timed")
    parser.add_argument("--seconds", type=float, default=10.0, help="of the search of a layer")
    parser.add_argument(
        "--threads",
        nargs="*",
        type=int,
        default=[1],
        help="of solway's kernels, beside one; peers stay on one thread",
    )
    parser.add_argument("--peers", nargs="*", default=peers.NAMES, choices=peers.NAMES)
    parser.add_argument("--json", type=Path, help="where to write all figures")
    parser.add_argument("--plot", type=Path, help="where to draw the ratios; needs matplotlib")
    args = parser.parse_args()
    modules, missing = peers.load(args.peers)
    for name, why in missing.items():
        print(f"without {name}: {why}", file=sys.stderr)
    about: dict[str, Any] = {
        "machine": platform.processor() or platform.machine(),
        "solway": sw.__version__,
        "peers": {module.__name__.split(".")[1]: module.versions() for module in modules},
        "missing": missing,
        "groups": [],
    }
    for name in args.group:
        if name != CALL:
            found = group_measured(name, modules, args)
            if found["layers"]:
                about["groups"].append(found)
                about["search"] = search_times(about["groups"])
        elif any(part in CALL for part in args.layer):
            about["calls"] = measured_calls(modules)
            show_calls(about["calls"])
        if args.json:
            args.json.write_text(json.dumps(about, indent=1))
    if about["groups"]:
        show_summary(about["groups"], about["search"])
    if args.plot:
        plot(about["groups"], args.plot)


def group_measured(
    name: str, modules: list[ModuleType], args: argparse.Namespace
) -> dict[str, Any]:
    """The layers of a group that are asked for."""
    group, rows = GROUPS[name], []
    for layer, operation in group.layers.items():
        if not any(part in layer for part in args.layer):
            continue
        row = measured(layer, operation, modules, args)
        show(row, group)
        rows.append(row | goals_met(group, row))
    goals = {"goal": group.goal.each, "goal_of_limit": group.of_limit}
    if group.fast_goal:
        goals[f"{FAST}_goal"] = group.fast_goal.each
    means = group_means(group, rows)
    return {"group": name, "what": group.what, **goals, "means": means, "layers": rows}


if __name__ == "__main__":
    main()
