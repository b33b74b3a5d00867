"""Layers planned by `auto_buffer`, greedy and optimal, beside the hand-written kernels.

    python bench/sunway/auto_layers.py [--by optimal ...] [--layer "3 x 3" ...]
    python bench/sunway/auto_layers.py --target sw26010pro --by optimal
    python bench/sunway/auto_layers.py --by greedy --by optimal --by openacc --by athread --by mesh
    python bench/sunway/auto_layers.py --by optimal --inner c
    python bench/sunway/auto_layers.py --by openacc --rows rows.jsonl

Prints a row for each layer and planner or style by hand (mesh: by register communication):
thousands of cycles by the model and by the emulator's timed mode, what that is of the peak, bytes
and scratchpad. Every result is compared with NumPy's on small integers. `--rows` adds each row to a
file as well, of which `tables_by_style.py` makes a table for each figure.
Convolutions are three stages: the padded image, the sums, and the ReLU. They are there in two
layouts: with the columns of the sums side by side and weights [filter][channel][line][column], and
with the filters side by side, for which the weights are [channel][line][column][filter].
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw
from solway.kernel import LastRun

sys.path.insert(0, str(Path(__file__).parents[1]))
from hand_layers import CLOCK_GHZ, HAND, LAYERS, PEAK, SECONDS, Convolution, FullyConnected


class Machine(NamedTuple):
    """What its file in targets/ says of a core group."""

    start: int  # cycles: the start and the end of the cores
    clock_ghz: float
    peak: float  # GFLOP/s of float32


MACHINES = {
    "sw26010": Machine(30_000, CLOCK_GHZ, PEAK),
    "sw26010pro": Machine(46_000, 2.25, 64 * 8 * 2 * 2.25),
}


PLANNERS = ["greedy", "optimal"]
#: Of kernels by hand, bench/hand/README.md.
STYLES = {
    "openacc": "by hand, OpenACC",
    "athread": "by hand, athread",
    "mesh": "by hand, register communication",
}


class Program(NamedTuple):
    """What a layer computes, its tensors in the order of arguments, and the expected result."""

    name: str
    tensors: list[sw.Tensor]
    operations: int
    expected: Callable[..., np.ndarray]
    hand: Callable[[str, list[np.ndarray]], sw.HandKernel]
    styles: tuple[str, ...] = ("openacc", "athread")  # that there are kernels of by hand


def product(m: int, n: int, depth: int) -> Program:
    """A product of matrices."""
    a = sw.placeholder((m, depth), name="A")
    b = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((m, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")

    def hand(style: str, inputs: list[np.ndarray]) -> sw.HandKernel:
        sizes = {"M": m, "K": depth, "N": n, "RELU": 0}
        kernel = sw.hand_kernel(HAND / f"matmul_{style}", sizes=sizes)
        kernel.run(*inputs, mode="timed")
        return kernel

    name = f"product {m} x {n} x {depth}"
    return Program(name, [a, b, c], 2 * m * n * depth, lambda a, b: a @ b, hand)


def connected(layer: FullyConnected) -> Program:
    """A fully connected layer with its ReLU."""
    x = sw.placeholder((1, layer.inputs), name="X")
    w = sw.placeholder((layer.inputs, layer.outputs), name="W")
    k = sw.reduce_axis(layer.inputs, name="k")
    shape = (1, layer.outputs)
    s = sw.compute(shape, lambda i, j: sw.sum(x[i, k] * w[k, j], axis=k), name="S")
    y = sw.compute(shape, lambda i, j: sw.maximum(s[i, j], 0.0), name="Y")
    return Program(
        str(layer),
        [x, w, y],
        layer.operations,
        lambda x, w: np.maximum(x @ w, 0),
        lambda style, inputs: layer.run(style, np.random.default_rng(0)),
        ("openacc", "athread", "mesh"),
    )


def convolution(layer: Convolution, filters_last: bool = False) -> Program:
    """A convolution with its padding and its ReLU."""
    size, pad, stride, kernel = layer.size, layer.padding, layer.stride, layer.kernel
    a = sw.placeholder((layer.channels, size, size), name="A")
    rc = sw.reduce_axis(layer.channels, name="rc")
    ry = sw.reduce_axis(kernel, name="ry")
    rx = sw.reduce_axis(kernel, name="rx")

    def inside(c: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        is_inside = sw.all_of(pad <= y, y < size + pad, pad <= x, x < size + pad)
        return sw.select(is_inside, a[c, y - pad, x - pad], 0.0)

    edge = size + 2 * pad
    p = sw.compute((layer.channels, edge, edge), inside, name="P")
    out = (layer.filters, layer.out, layer.out)
    taps = [rc, ry, rx]

    def at(y: sw.Axis, x: sw.Axis) -> sw.Expr:
        return p[rc, y * stride + ry, x * stride + rx]

    if filters_last:
        w = sw.placeholder((layer.channels, kernel, kernel, layer.filters), name="W")
        shape = (*out[1:], out[0])
        s = sw.compute(
            shape, lambda y, x, f: sw.sum(at(y, x) * w[rc, ry, rx, f], axis=taps), name="S"
        )
        b = sw.compute(out, lambda f, y, x: sw.maximum(s[y, x, f], 0.0), name="B")
    else:
        w = sw.placeholder((layer.filters, layer.channels, kernel, kernel), name="W")
        s = sw.compute(
            out, lambda f, y, x: sw.sum(at(y, x) * w[f, rc, ry, rx], axis=taps), name="S"
        )
        b = sw.compute(out, lambda f, y, x: sw.maximum(s[f, y, x], 0.0), name="B")

    def expected(image: np.ndarray, weights: np.ndarray) -> np.ndarray:
        if filters_last:
            weights = np.ascontiguousarray(weights.transpose(3, 0, 1, 2))
        return layer.expected(image, weights)

    return Program(
        f"{layer}, filters side by side" if filters_last else str(layer),
        [a, w, b],
        layer.operations,
        expected,
        lambda style, inputs: layer.run(style, np.random.default_rng(0)),
        () if filters_last else ("openacc", "athread", "mesh"),
    )


def elementwise(n: int) -> Program:
    """Y = max(3 X + Z, 0)."""
    x = sw.placeholder((n,), name="X")
    z = sw.placeholder((n,), name="Z")
    y = sw.compute((n,), lambda i: sw.maximum(x[i] * 3.0 + z[i], 0.0), name="Y")

    def hand(style: str, inputs: list[np.ndarray]) -> sw.HandKernel:
        kernel = sw.hand_kernel(HAND / f"elementwise_{style}", sizes={"N": n})
        kernel.run(inputs[0], inputs[1], 3.0, mode="timed")
        return kernel

    return Program(
        f"elementwise, {n}", [x, z, y], 3 * n, lambda x, z: np.maximum(3 * x + z, 0), hand
    )


def pool(channels: int, size: int, kernel: int, stride: int) -> Program:
    """The greatest of kernel x kernel cells."""
    out = (size - kernel) // stride + 1
    a = sw.placeholder((channels, size, size), name="A")
    ry = sw.reduce_axis(kernel, name="ry")
    rx = sw.reduce_axis(kernel, name="rx")
    p = sw.compute(
        (channels, out, out),
        lambda c, y, x: sw.max(a[c, y * stride + ry, x * stride + rx], axis=[ry, rx]),
        name="P",
    )

    def expected(a: np.ndarray) -> np.ndarray:
        views = np.lib.stride_tricks.sliding_window_view(a, (kernel, kernel), axis=(1, 2))
        return views[:, ::stride, ::stride].max(axis=(3, 4))

    def hand(style: str, inputs: list[np.ndarray]) -> sw.HandKernel:
        sizes = {"CHANNELS": channels, "SIZE": size, "KERNEL": kernel, "STRIDE": stride, "OUT": out}
        made = sw.hand_kernel(HAND / f"pool_{style}", sizes=sizes)
        made.run(inputs[0], mode="timed")
        return made

    name = f"pool {kernel} x {kernel} / {stride}, {channels} x {size}"
    return Program(name, [a, p], channels * (out * kernel) ** 2, expected, hand)


def programs() -> list[Program]:
    """The layers of the table."""
    made = [product(512, 512, 512), product(256, 256, 256), product(1024, 1024, 1024)]
    made += [elementwise(262144), pool(64, 55, 3, 2), pool(64, 224, 2, 2)]
    for layer in LAYERS:
        if isinstance(layer, Convolution):
            made += [convolution(layer), convolution(layer, filters_last=True)]
        else:
            made.append(connected(layer))
    return made


def inputs_of(program: Program) -> list[np.ndarray]:
    """Small integers, of which sums are exact."""
    rng = np.random.default_rng(0)
    return [rng.integers(-3, 4, t.shape).astype("f4") for t in program.tensors[:-1]]


def predicted_cycles(plan: sw.auto_buffer.AutoBuffer, target: str) -> float | None:
    """Cycles by the model, start and end of the cores included; None where it counts not all."""
    cycles = [stage.cycles for stage in plan.stages if stage.cycles is not None]
    return sum(cycles) + MACHINES[target].start if len(cycles) == len(plan.stages) else None


def measure(
    program: Program, planner: str, target: str, inner: str = "auto"
) -> tuple[float | None, LastRun]:
    """Cycles by the model, where the planner counts them, and a run whose result was right."""
    s = sw.create_schedule(program.tensors[-1])
    plan = s.auto_buffer(target, planner=planner, inner=inner)
    kernel = sw.build(s, program.tensors, target=target, name="layer")
    inputs = inputs_of(program)
    with sw.emulator("timed", seconds=SECONDS):
        found = kernel.run(*inputs)
    np.testing.assert_array_equal(found, program.expected(*inputs))
    assert kernel.last_run is not None
    return predicted_cycles(plan, target), kernel.last_run


class Row(NamedTuple):
    """A line of the table."""

    layer: str
    by: str  # a planner, or a style by hand
    model: float | None  # cycles; None where they are not counted
    cycles: float  # of timed mode
    rate: float  # GFLOP/s
    of_peak: float
    megabytes: float  # that the cores moved
    ldm: int  # bytes that one core used at most

    def error(self) -> float | None:
        """How far the model is off."""
        return None if self.model is None else self.model / self.cycles - 1

    def __str__(self) -> str:
        error = self.error()
        model = "" if self.model is None else f"{self.model / 1000:,.0f}"
        off = "" if error is None else f"{error:+.1%}"
        return (
            f"| {self.layer} | {self.by} | {model} | {self.cycles / 1000:,.0f} | {off} "
            f"| {self.rate:.1f} | {self.of_peak:.1%} | {self.megabytes:.1f} | {self.ldm:,} |"
        )


def row_of(
    program: Program, by: str, model: float | None, run: LastRun | None, machine: Machine
) -> Row:
    """What a run took."""
    assert run is not None
    assert run.cycles is not None
    rate = program.operations / run.cycles * machine.clock_ghz
    moved = sum(run.bytes.values()) / 1e6
    share = rate / machine.peak
    return Row(program.name, by, model, run.cycles, rate, share, moved, run.ldm_peak_bytes)


def rows_of(program: Program, ways: list[str], target: str, inner: str) -> Iterator[Row]:
    """A row for each planner and each style by hand that there is of the program."""
    for by in ways:
        if by in STYLES:
            if by in program.styles:
                run = program.hand(by, inputs_of(program)).last_run
                yield row_of(program, STYLES[by], None, run, MACHINES[target])
        else:
            predicted, planned = measure(program, by, target, inner)
            yield row_of(program, by, predicted, planned, MACHINES[target])


def main() -> None:
    """Prints a row for each layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--by", action="append", choices=[*PLANNERS, *STYLES])
    parser.add_argument("--layer", action="append", help="only those whose line contains this")
    parser.add_argument("--target", choices=MACHINES, default="sw26010")
    parser.add_argument("--inner", choices=["auto", "c"], default="auto", help="of products")
    parser.add_argument("--rows", type=Path, help="a file to which rows are added, as JSON")
    options = parser.parse_args()
    # The kernels by hand are of sw26010.
    usual = [*PLANNERS, *(["athread"] if options.target == "sw26010" else [])]
    print("| layer | by | model | emulated | error | GFLOP/s | of the peak | MB | LDM |")
    print("|---|---|---|---|---|---|---|---|---|")
    errors = []
    for program in programs():
        if options.layer and not any(text in program.name for text in options.layer):
            continue
        for row in rows_of(program, options.by or usual, options.target, options.inner):
            print(row, flush=True)
            error = row.error()
            if error is not None:
                errors.append(abs(error))
            if options.rows:
                with options.rows.open("a") as rows:
                    print(json.dumps(row._asdict()), file=rows)
    if errors:
        print(
            f"\nerror of the model: median {statistics.median(errors):.1%}, worst {max(errors):.1%}"
        )


if __name__ == "__main__":
    main()
