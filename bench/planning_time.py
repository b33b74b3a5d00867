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
from collections.abc import Iterator
from pathlib import Path

import solway as sw

sys.path[:0] = [str(Path(__file__).parent / "sunway"), str(Path(__file__).parent)]
sys.path.append(str(Path(__file__).parent / "polybench"))

import auto_layers  # noqa: E402
import layer_programs  # noqa: E402
import suite  # noqa: E402

Outputs = list[sw.Tensor]
#: The size of the definitions of PolyBench that are planned.
DATASET = "MINI"


def programs() -> Iterator[tuple[str, Outputs]]:
    """The layers of all tables under `bench/sunway/`, by name."""
    for layer in auto_layers.programs():
        yield layer.name, layer.tensors[-1:]
    for new in layer_programs.layers():
        yield new.name, new.tensors[-1:]
    for name in suite.NAMES:
        module = suite.load(name)
        yield f"{name}, {DATASET}", module.program(*module.SIZES[DATASET])[1]


def row(name: str, outputs: Outputs, target: str, repeats: int) -> tuple[str, float]:
    """A line of the table, and the seconds in it."""
    least = float("inf")
    for _ in range(repeats):
        s = sw.create_schedule(outputs)
        begin = time.process_time()
        plan = s.auto_buffer(target)
        least = min(least, time.process_time() - begin)
    return f"| {name} | {len(plan.stages)} | {len(s.log)} | {least:.2f} |", least


def main() -> None:
    """Prints a row for each layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", help="only those whose name contains this")
    parser.add_argument("--target", default="sw26010")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print("| layer | plans | primitives | s |\n|---|---|---|---|")
    taken = []
    for name, outputs in programs():
        if options.layer and not any(text in name for text in options.layer):
            continue
        text, seconds = row(name, outputs, options.target, options.repeats)
        print(text, flush=True)
        taken.append((seconds, name))
    if taken:
        seconds, name = max(taken)
        print(f"\n{len(taken)} layers; the longest takes {seconds:.2f} s: {name}")


if __name__ == "__main__":
    main()
