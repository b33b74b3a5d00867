"""Layers without a schedule by hand: `auto_buffer`, beside the same program without buffers.

    python bench/sunway/new_layers.py                    all layers
    python bench/sunway/new_layers.py --layer softmax    those whose name contains it
    python bench/sunway/new_layers.py --polybench MINI   the 30 kernels of PolyBench instead
    python bench/sunway/new_layers.py --greedy           the greedy planner's cycles as well
    python bench/sunway/new_layers.py --planned-only     not the program without buffers
    python bench/sunway/new_layers.py --target sw26010pro

Thousands of cycles of timed mode, start and end of the cores included: by the model, as planned,
how far the model is off, of the greedy plan, and without buffers, where the longest loop of each
stage runs on the cores, and every access goes to main memory. The limit is the longer of two times:
for the operations at the peak, and for moving each input and the output once at the best bandwidth.
Every result is compared with NumPy's; a wrong one ends the run. What cannot be planned says so in
its row, and the last line says how far the model is off in the median and at worst.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
sys.path.append(str(Path(__file__).parents[1] / "polybench"))

import suite  # noqa: E402
from auto_layers import MACHINES, predicted_cycles  # noqa: E402
from count_operations import count_operations  # noqa: E402
from layer_programs import Layer, layers  # noqa: E402

TARGET = "sw26010"
BANDWIDTH = {"sw26010": 32.05, "sw26010pro": 49.7}  # GB/s of gets of 4 KB, from targets/


class Options(NamedTuple):
    """What is measured beside the optimal plan, and for which machine."""

    target: str = TARGET
    with_greedy: bool = False
    with_plain: bool = True


class Cells(NamedTuple):
    """What a row has of a program: its cells, and how far the model is off (None: not counted)."""

    text: str
    error: float | None


def limit(operations: int, least_bytes: int, target: str = TARGET) -> float:
    """Cycles below which no program can come."""
    machine = MACHINES[target]
    seconds = max(operations / machine.peak, least_bytes / BANDWIDTH[target])  # in 1e-9
    return machine.start + machine.clock_ghz * seconds


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
    s: sw.Schedule,
    tensors: list[sw.Tensor],
    arrays: list[np.ndarray],
    check: Callable[..., None],
    target: str = TARGET,
) -> sw.kernel.LastRun:
    """A timed run whose results `check` has looked at."""
    kernel = sw.build(s, tensors, target=target, name="layer")
    check(kernel.run(*arrays, mode="timed"))
    assert kernel.last_run is not None
    return kernel.last_run


def cells(
    plan: sw.auto_buffer.AutoBuffer,
    cycles: float,
    greedy: float | None,
    plain: float | None,
    target: str,
) -> Cells:
    """By the model, planned, its error, the greedy plan and without buffers."""
    predicted = predicted_cycles(plan, target)
    error = None if predicted is None else predicted / cycles - 1
    model = "" if predicted is None else f"{predicted / 1000:,.0f}"
    off = "" if error is None else f"{error:+.1%}"
    by_greedy = "" if greedy is None else f"{greedy / 1000:,.0f}"
    without = "" if plain is None else f"{plain / 1000:,.0f} ({plain / cycles:,.1f} x)"
    return Cells(f"{model} | {cycles / 1000:,.0f} | {off} | {by_greedy} | {without}", error)


def measure(layer: Layer, options: Options) -> Cells:
    """A line of the table."""
    target = options.target
    arrays = layer.inputs()
    expected = layer.expected(*(a.astype("f8") for a in arrays))

    def check(found: np.ndarray) -> None:
        error = np.abs(found - expected).max()
        assert error <= layer.tolerance * np.abs(expected).max(), (layer.name, error)

    def run(s: sw.Schedule) -> sw.kernel.LastRun:
        return cycles_of(s, layer.tensors, arrays, check, target)

    s = sw.create_schedule(layer.tensors[-1])
    begin = time.process_time()
    try:
        plan = s.auto_buffer(target)
    except (sw.UnsupportedError, sw.CapacityError) as error:
        return Cells(f"| {layer.name} | not planned: {error.what} |{' |' * 9}", None)
    planning = time.process_time() - begin
    found = run(s)
    assert found.cycles is not None
    plain = run(without_buffers([layer.tensors[-1]])).cycles if options.with_plain else None
    greedy = None
    if options.with_greedy:
        by_greedy = sw.create_schedule(layer.tensors[-1])
        by_greedy.auto_buffer(target, planner="greedy")
        greedy = run(by_greedy).cycles
    row = cells(plan, found.cycles, greedy, plain, target)
    least = limit(layer.operations, layer.least_bytes(), target)
    kept = sum("main memory" in verdict for _, verdict, _ in plan.remarks)
    return Cells(
        f"| {layer.name} | {row.text} | {least / 1000:,.0f} | {least / found.cycles:.0%} "
        f"| {found.ldm_peak_bytes:,} | {kept} | {planning:.1f} |",
        row.error,
    )


def measure_polybench(name: str, dataset: str, options: Options) -> Cells:
    """A line of the table of PolyBench."""
    target = options.target
    module = suite.load(name)
    size = module.SIZES[dataset]
    rng = np.random.default_rng(0)
    arguments, outputs = module.program(*size)
    values = module.data(rng, *size)
    right = module.reference(size, *(v.copy() for v in values))

    def run(s: sw.Schedule) -> sw.kernel.LastRun:
        kernel = sw.build(s, arguments, target=target, name="kernel")
        held = suite.arrays_of(arguments, values)
        with sw.emulator(mode="timed"):
            kernel(*held.values())
        error = suite.error_of(outputs, held, right)
        assert error <= suite.TOLERANCE, (name, error)
        assert kernel.last_run is not None
        return kernel.last_run

    s = sw.create_schedule(outputs)
    begin = time.process_time()
    try:
        plan = s.auto_buffer(target)
    except (sw.UnsupportedError, sw.CapacityError) as error:
        return Cells(f"| {name} | not planned: {error.why} |{' |' * 8}", None)
    planning = time.process_time() - begin
    found = run(s)
    assert found.cycles is not None
    plain = run(sw.create_schedule(outputs)).cycles if options.with_plain else None
    greedy = None
    if options.with_greedy:
        by_greedy = sw.create_schedule(outputs)
        by_greedy.auto_buffer(target, planner="greedy")
        greedy = run(by_greedy).cycles
    row = cells(plan, found.cycles, greedy, plain, target)
    moved = sum(v.nbytes for v in values) + sum(v.nbytes for v in right)
    least = limit(count_operations(outputs), moved, target)
    cores = sum("on one core" in verdict for _, verdict, _ in plan.remarks)
    return Cells(
        f"| {name} | {row.text} | {least / 1000:,.1f} | {found.ldm_peak_bytes:,} "
        f"| {cores} of {len(plan.stages)} | {planning:.1f} |",
        row.error,
    )


BY_MODEL = "by the model | planned | error | greedy"


def main() -> None:
    """Prints a row for each layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", help="only those whose name contains this")
    parser.add_argument("--polybench", choices=["MINI", "SMALL"], help="its kernels instead")
    parser.add_argument("--planned-only", action="store_true", help="leave out the other program")
    parser.add_argument("--greedy", action="store_true", help="run the greedy plan, too")
    parser.add_argument("--target", choices=MACHINES, default=TARGET)
    given = parser.parse_args()
    options = Options(given.target, given.greedy, not given.planned_only)
    errors: list[float] = []

    def is_asked(name: str) -> bool:
        return not given.layer or any(text in name for text in given.layer)

    def show(row: Cells) -> None:
        print(row.text, flush=True)
        if row.error is not None:
            errors.append(abs(row.error))

    if given.polybench:
        print(f"| kernel | {BY_MODEL} | as written | limit | LDM | stages on one core | s |")
        print("|" + "---|" * 10)
        for name in filter(is_asked, suite.NAMES):
            show(measure_polybench(name, given.polybench, options))
    else:
        print(f"| layer | {BY_MODEL} | without buffers | limit | of it | LDM | not staged | s |")
        print("|" + "---|" * 11)
        for layer in layers():
            if is_asked(layer.name):
                show(measure(layer, options))
    if errors:
        median = statistics.median(errors)
        print(f"\nerror of the model: median {median:.1%}, worst {max(errors):.1%}")


if __name__ == "__main__":
    main()
