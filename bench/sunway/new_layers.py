"""Layers without a schedule by hand: `auto_buffer`, beside the same program without buffers.

    python bench/sunway/new_layers.py                    all layers
    python bench/sunway/new_layers.py --layer softmax    those whose name contains it
    python bench/sunway/new_layers.py --polybench MINI   the 30 kernels of PolyBench instead

Cycles are those of timed mode on sw26010, start and end of the cores included. Without buffers the
longest loop of each stage runs on the cores, and every access goes to main memory. The limit is the
longer of two times: for the operations at the peak, and for moving each input and the output once
at the best bandwidth. Every result is compared with NumPy's; a wrong one ends the run. What cannot
be planned says so in its row.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import solway as sw

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
sys.path.append(str(Path(__file__).parents[1] / "polybench"))

import suite  # noqa: E402
from count_operations import count_operations  # noqa: E402
from hand_layers import CLOCK_GHZ, PEAK  # noqa: E402
from layer_programs import Layer, layers  # noqa: E402

TARGET = "sw26010"
START = 30_000  # cycles: the start and the end of the cores, targets/sw26010.toml
BANDWIDTH = 32.05  # GB/s: gets of blocks of 4 KB, the best of the same file


def limit(operations: int, least_bytes: int) -> float:
    """Cycles below which no program can come."""
    return START + CLOCK_GHZ * max(operations / PEAK, least_bytes / BANDWIDTH)


def without_buffers(outputs: list[sw.Tensor]) -> sw.Schedule:
    """The program with the longest loop of each stage on the cores."""
    s = sw.create_schedule(outputs)
    for stage in stages_of(outputs):
        longest, *others = sorted(s[stage].axis, key=lambda axis: -axis.extent)
        s[stage].reorder(longest, *others)
        s[stage].parallel(longest)
    return s


def stages_of(outputs: list[sw.Tensor]) -> list[sw.Tensor]:
    """The computed tensors, each after what it reads."""
    found: list[sw.Tensor] = []

    def visit(tensor: sw.Tensor) -> None:
        if tensor in found or tensor._node.body is None:
            return
        for read in tensor.inputs:
            visit(read)
        found.append(tensor)

    for output in outputs:
        visit(output)
    return found


def cycles_of(
    s: sw.Schedule, tensors: list[sw.Tensor], arrays: list[np.ndarray], check: Callable[..., None]
) -> sw.kernel.LastRun:
    """A timed run whose results `check` has looked at."""
    kernel = sw.build(s, tensors, target=TARGET, name="layer")
    check(kernel.run(*arrays, mode="timed"))
    assert kernel.last_run is not None
    return kernel.last_run


def measure(layer: Layer, is_both: bool) -> str:
    """A line of the table."""
    arrays = layer.inputs()
    expected = layer.expected(*(a.astype("f8") for a in arrays))

    def check(found: np.ndarray) -> None:
        error = np.abs(found - expected).max()
        assert error <= layer.tolerance * np.abs(expected).max(), (layer.name, error)

    s = sw.create_schedule(layer.tensors[-1])
    begin = time.process_time()
    try:
        plan = s.auto_buffer(TARGET)
    except (sw.UnsupportedError, sw.CapacityError) as error:
        return f"| {layer.name} | not planned: {error.what} | | | | | |"
    planning = time.process_time() - begin
    run = cycles_of(s, layer.tensors, arrays, check)
    assert run.cycles is not None
    plain = ""
    if is_both:
        base = cycles_of(without_buffers([layer.tensors[-1]]), layer.tensors, arrays, check)
        assert base.cycles is not None
        plain = f"{base.cycles / 1000:,.0f} ({base.cycles / run.cycles:.1f} x)"
    least = limit(layer.operations, layer.least_bytes())
    kept = sum("main memory" in verdict for _, verdict, _ in plan.remarks)
    return (
        f"| {layer.name} | {run.cycles / 1000:,.0f} | {plain} | {least / 1000:,.0f} "
        f"| {least / run.cycles:.0%} | {run.ldm_peak_bytes:,} | {kept} | {planning:.0f} |"
    )


def measure_polybench(name: str, dataset: str, is_both: bool) -> str:
    """A line of the table of PolyBench."""
    module = suite.load(name)
    size = module.SIZES[dataset]
    rng = np.random.default_rng(0)
    arguments, outputs = module.program(*size)
    values = module.data(rng, *size)
    right = module.reference(size, *(v.copy() for v in values))

    def run(s: sw.Schedule) -> float:
        kernel = sw.build(s, arguments, target=TARGET, name="kernel")
        held = suite.arrays_of(arguments, values)
        with sw.emulator(mode="timed"):
            kernel(*held.values())
        error = suite.error_of(outputs, held, right)
        assert error <= suite.TOLERANCE, (name, error)
        assert kernel.last_run is not None
        assert kernel.last_run.cycles is not None
        return float(kernel.last_run.cycles)

    s = sw.create_schedule(outputs)
    try:
        plan = s.auto_buffer(TARGET)
    except (sw.UnsupportedError, sw.CapacityError) as error:
        return f"| {name} | not planned: {error.why} | | | |"
    buffers = sum(len(stage.buffers) for stage in plan.stages)
    cycles = run(s)
    plain = f"{run(sw.create_schedule(outputs)) / 1000:,.0f}" if is_both else ""
    left = "; ".join(f"{step}: {verdict}" for step, verdict, _ in plan.remarks)
    moved = sum(v.nbytes for v in values) + sum(v.nbytes for v in right)
    least = limit(count_operations(outputs), moved)
    return (
        f"| {name} | {cycles / 1000:,.0f} | {plain} | {least / 1000:,.1f} "
        f"| {buffers} buffers; {left or 'all staged'} |"
    )


def main() -> None:
    """Prints a row for each layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", help="only those whose name contains this")
    parser.add_argument("--polybench", choices=["MINI", "SMALL"], help="its kernels instead")
    parser.add_argument("--planned-only", action="store_true", help="leave out the other program")
    options = parser.parse_args()

    def is_asked(name: str) -> bool:
        return not options.layer or any(text in name for text in options.layer)

    if options.polybench:
        print("| kernel | planned | as written, on one core | limit | |\n|---|---|---|---|---|")
        for name in filter(is_asked, suite.NAMES):
            print(measure_polybench(name, options.polybench, not options.planned_only), flush=True)
        return
    print("| layer | planned | without buffers | limit | of the limit | LDM | not staged | s |")
    print("|---|---|---|---|---|---|---|---|")
    for layer in layers():
        if is_asked(layer.name):
            print(measure(layer, not options.planned_only), flush=True)


if __name__ == "__main__":
    main()
