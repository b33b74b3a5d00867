"""Layers with the schedules that solway chooses, beside other libraries, on one thread.

For each layer the kernels of `auto_schedule`, by the model and by the search, take turns in one
process with OpenBLAS (`OPENBLAS_CORETYPE=SkylakeX`), oneDNN, NumPy, and PyTorch where it is
installed, with a probe of multiply-adds and with a copy of as many bytes as the layer touches. The
limit is the longer of these two; ratios are to it. oneDNN's convolutions take and give images in
rows and columns, so their time has the copies to and from the layouts that it works in; solway's
and PyTorch's keep blocked layouts.

    python bench/cpu.py [--layer TEXT ...] [--rounds 20] [--json FILE] [--seconds 10]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")  # read when the library is loaded

from measuring import (
    PROBE_FLOPS,
    Candidate,
    aligned,
    of_kernel,
    probe,
    run_in_turns,
    stack_accesses,
)

import numpy as np  # isort: skip (after measuring, which sets the number of its threads)
import solway as sw
from cpu_layers import LAYERS, Layer

SOLWAY = ("model", "search")
LIMITS = ("multiply-adds", "copy")


def numbers(layer: Layer) -> list[np.ndarray]:
    """Values of the inputs: whole, unless the result is none."""
    rng = np.random.default_rng(0)
    if layer.tolerance:
        return [aligned(rng.standard_normal(t.shape)) for t in layer.inputs]
    return [aligned(rng.integers(-2, 3, t.shape)) for t in layer.inputs]


def built(layer: Layer, seconds: float) -> tuple[sw.Kernel, dict[str, Any]]:
    """A kernel, and what it took to make it; no `seconds`: by the model alone."""
    start = time.perf_counter()
    s = sw.create_schedule(layer.output)
    chosen = s.auto_schedule("host", search=bool(seconds), seconds=seconds)
    planned = time.perf_counter()
    kernel = sw.build(s, [*layer.inputs, layer.output], name="layer")
    about = {
        "planned_seconds": planned - start,
        "built_seconds": time.perf_counter() - planned,
        "spills": stack_accesses(kernel),
        "tried": len(chosen.trials),
    }
    return kernel, about


def timed(call: Callable[[], object]) -> Candidate:
    """Seconds of a call, by the wall clock."""

    def run() -> float:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    return run


def libraries(layer: Layer) -> dict[str, Candidate]:
    """OpenBLAS and oneDNN, where they have the layer and are installed."""
    out: dict[str, Candidate] = {}
    if layer.plain is None:
        return out
    is_product = len(layer.plain[0].shape) == 2
    names = ("openblas_sgemm", "onednn_sgemm") if is_product else ("onednn_convolution",)
    arrays = [aligned(np.ones(t.shape)) for t in layer.plain]
    for name in names:
        try:
            kernel = getattr(sw.library, name)(*layer.plain)
            kernel(*arrays)
        except sw.UnsupportedError as error:
            print(f"  without {name}: {error.why}", file=sys.stderr)
            continue
        out[name] = of_kernel(kernel, *arrays)
    return out


def by_torch(layer: Layer) -> dict[str, Candidate]:
    """PyTorch on one thread; products and convolutions, where it is installed."""
    try:
        import torch
    except ImportError:
        return {}
    if layer.plain is None:
        return {}
    torch.set_num_threads(1)
    a, b = (torch.ones(t.shape) for t in layer.plain[:2])
    if len(layer.plain[0].shape) == 2:
        return {f"torch {torch.__version__}": timed(lambda: torch.mm(a, b))}
    stride = (a.shape[1] - b.shape[2]) // max(1, layer.plain[2].shape[1] - 1)
    image = a[None].contiguous(memory_format=torch.channels_last)
    convolve = torch.nn.Conv2d(b.shape[1], b.shape[0], b.shape[2], stride, bias=False)
    convolve = convolve.to(memory_format=torch.channels_last).eval()

    def run() -> None:
        with torch.inference_mode():
            convolve(image)

    return {f"torch {torch.__version__}": timed(run)}


def measured(name: str, layer: Layer, rounds: int, seconds: float) -> dict[str, Any]:
    """All candidates of a layer; exits where a kernel is wrong."""
    arrays = numbers(layer)
    right = np.ascontiguousarray(layer.expected(*arrays), np.float32)
    candidates: dict[str, Candidate] = {}
    about: dict[str, Any] = {}
    for way in SOLWAY:
        kernel, about[way] = built(layer, seconds if way == "search" else 0.0)
        out = aligned(np.zeros(right.shape))
        kernel(*arrays, out)
        if not np.allclose(out, right, rtol=0, atol=layer.tolerance):
            raise SystemExit(f"{name}, {way}: wrong result")
        candidates[way] = of_kernel(kernel, *arrays, out)
    candidates.update(libraries(layer))
    candidates.update(by_torch(layer))
    candidates["numpy"] = timed(lambda: layer.expected(*arrays))
    count = sum(a.size for a in arrays) + right.size
    source, target = aligned(np.ones(count // 2)), aligned(np.ones(count // 2))
    candidates["multiply-adds"] = probe()
    candidates["copy"] = timed(lambda: np.copyto(target, source))
    times, share = run_in_turns(candidates, rounds)
    factor = {"multiply-adds": layer.operations / PROBE_FLOPS, "copy": 1.0}
    limit = max(min(times[which]) * factor[which] for which in LIMITS)
    rows = {
        which: {
            "min_us": min(taken) * 1e6,
            "median_us": float(np.median(taken)) * 1e6,
            "gflops": layer.operations / min(taken) * 1e-9,
            "of_limit": limit / min(taken),
            **about.get(which, {}),
        }
        for which, taken in times.items()
        if which not in LIMITS
    }
    rates = {
        "probe_gflops": PROBE_FLOPS / min(times["multiply-adds"]) * 1e-9,
        "copy_gb_per_s": 8.0 * (count // 2) / min(times["copy"]) * 1e-9,
    }
    others = {"limit_us": limit * 1e6, "other_cores": share, "is_idle": share < 0.1}
    return {"layer": name, **rates, **others, "candidates": rows}


def show(row: dict[str, Any]) -> None:
    """One layer as text."""
    idle = "idle" if row["is_idle"] else "NOT idle: take the ratios, not the rates"
    print(
        f"{row['layer']}: limit {row['limit_us']:,.1f} us "
        f"(probe {row['probe_gflops']:.0f} GFLOP/s, "
        f"copy {row['copy_gb_per_s']:.0f} GB/s); others {row['other_cores']:.2f} cores ({idle})"
    )
    for which, found in row["candidates"].items():
        spills = f", {found['spills']} spills" if found.get("spills") else ""
        made = (
            f"; planned in {found['planned_seconds']:.1f} s" if "planned_seconds" in found else ""
        )
        print(
            f"  {which:20} {found['min_us']:12,.1f} us {found['median_us']:12,.1f} median "
            f"{found['gflops']:8.1f} GFLOP/s {found['of_limit']:7.1%} of the limit{spills}{made}"
        )


def main() -> None:
    """Measures, prints, and writes JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--layer", nargs="*", default=[""], help="a part of its name")
    parser.add_argument("--rounds", type=int, default=20, help="times of each candidate")
    parser.add_argument("--seconds", type=float, default=10.0, help="of the search of a layer")
    parser.add_argument("--json", type=Path, help="where to write all figures")
    args = parser.parse_args()
    rows = []
    for name, make in LAYERS.items():
        if not any(part in name for part in args.layer):
            continue
        rows.append(measured(name, make(), max(10, args.rounds), args.seconds))
        show(rows[-1])
    if args.json:
        about = {"machine": platform.processor() or platform.machine(), "solway": sw.__version__}
        args.json.write_text(json.dumps({**about, "layers": rows}, indent=1))


if __name__ == "__main__":
    main()
