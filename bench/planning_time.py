"""What `auto_buffer` takes to plan a layer on one core.

    python bench/planning_time.py                            all layers
    python bench/planning_time.py --layer softmax            those whose name contains it
    python bench/planning_time.py --repeats 3 --target sw26010

Prints a row for each layer: plans (a fused product counts once), their primitives, and the least of
several times, in seconds of processor time. Every repetition plans a new schedule.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import solway as sw

sys.path[:0] = [str(Path(__file__).parent / "sunway"), str(Path(__file__).parent)]
sys.path.append(str(Path(__file__).parent / "polybench"))

import auto_layers  # noqa: E402
import layer_programs  # noqa: E402
import suite  # noqa: E402
from hand_layers import LAYERS, Convolution  # noqa: E402

Outputs = list[sw.Tensor]


def _layer(text: str) -> Callable[[], Outputs]:
    """The layer by hand whose name contains a text."""
    (found,) = [layer for layer in LAYERS if text in str(layer)]

    def make() -> Outputs:
        if isinstance(found, Convolution):
            return auto_layers.convolution(found).tensors[-1:]
        return auto_layers.connected(found).tensors[-1:]

    return make


def _polybench(name: str, dataset: str) -> Callable[[], Outputs]:
    module = suite.load(name)

    def make() -> Outputs:
        outputs: Outputs = module.program(*module.SIZES[dataset])[1]
        return outputs

    return make


def _grouped() -> layer_programs.Layer:
    """A convolution whose group is a quotient of the filter."""
    return layer_programs.convolution("", 64, 64, 28, 3, groups=4, has_axis=False)


def programs() -> dict[str, Callable[[], Outputs]]:
    """The layers of the table, by name."""
    return {
        "product 512 x 512 x 512": lambda: auto_layers.product(512, 512, 512).tensors[-1:],
        "VGG 64 -> 64, 3 x 3, 224": _layer("VGG-19 64 -> 64, 3 x 3, 224"),
        "VGG 64 -> 128, 3 x 3, 112": _layer("VGG-19 64 -> 128, 3 x 3, 112"),
        "VGG 128 -> 128, 3 x 3, 112": _layer("VGG-19 128 -> 128, 3 x 3, 112"),
        "VGG 512 -> 512, 3 x 3, 14": _layer("VGG-19 512 -> 512, 3 x 3, 14"),
        "AlexNet 3 -> 64, 11 x 11 / 4, 224": _layer("AlexNet 3 -> 64"),
        "AlexNet 64 -> 192, 5 x 5, 27": _layer("AlexNet 64 -> 192"),
        "AlexNet 192 -> 384, 3 x 3, 13": _layer("AlexNet 192 -> 384"),
        "3 x 3 in 4 groups, f // 16": lambda: _grouped().tensors[-1:],
        "transposed 4 x 4 / 2, 32": lambda: layer_programs.transposed(32, 32, 16).tensors[-1:],
        "fully connected 4096 -> 4096": _layer("4096 -> 4096"),
        "softmax 512 x 512": lambda: layer_programs.softmax(512, 512).tensors[-1:],
        "layernorm 512 x 512": lambda: layer_programs.layer_norm(512, 512).tensors[-1:],
        "attention 128 x 64": lambda: layer_programs.attention(128, 64).tensors[-1:],
        "attention 512 x 64": lambda: layer_programs.attention(512, 64).tensors[-1:],
        "LSTM cell 256": lambda: layer_programs.lstm_cell(256).tensors[-1:],
        "PolyBench gemver, SMALL": _polybench("gemver", "SMALL"),
        "PolyBench fdtd-2d, SMALL": _polybench("fdtd-2d", "SMALL"),
    }


def row(name: str, make: Callable[[], Outputs], target: str, repeats: int) -> str:
    """A line of the table."""
    least = float("inf")
    for _ in range(repeats):
        s = sw.create_schedule(make())
        begin = time.process_time()
        plan = s.auto_buffer(target)
        least = min(least, time.process_time() - begin)
    return f"| {name} | {len(plan.stages)} | {len(s.log)} | {least:.2f} |"


def main() -> None:
    """Prints a row for each layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", help="only those whose name contains this")
    parser.add_argument("--target", default="sw26010")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print("| layer | plans | primitives | s |\n|---|---|---|---|")
    for name, make in programs().items():
        if options.layer and not any(text in name for text in options.layer):
            continue
        print(row(name, make, options.target, options.repeats), flush=True)


if __name__ == "__main__":
    main()
