"""Tiles that overlap: what `auto_buffer` keeps from tile to tile, beside the same plan without it.

    python bench/sunway/sliding_windows.py                    all layers
    python bench/sunway/sliding_windows.py --layer stencil    those whose name contains it

Cycles are those of timed mode on sw26010, start and end of the cores included; bytes are those that
are loaded. "whole tiles" is the plan of the middle columns with `slide=` left out. Every result is
compared with NumPy's; a wrong one ends the run.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import numpy as np
import solway as sw

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from layer_programs import Layer, depthwise, layers, stencil  # noqa: E402
from new_layers import TARGET, cycles_of  # noqa: E402

OTHERS = (
    stencil(2, 1024),
    stencil(3, 128),
    depthwise(3, 64, 112),
    depthwise(5, 64, 112),
    depthwise(3, 512, 28),
)


def without_sliding(s: sw.Schedule, layer: Layer) -> sw.Schedule:
    """The same plan, where each tile is moved as a whole."""
    text = re.sub(r", slide=[\w.]+(\[\d+\])?", "", s.to_python())
    names: dict[str, object] = {"sw": sw, "outputs": [layer.tensors[-1]]}
    exec(text, names)
    made = names["s"]
    assert isinstance(made, sw.Schedule)
    return made


def measure(layer: Layer) -> str:
    """A line of the table."""
    arrays = layer.inputs()
    expected = layer.expected(*(a.astype("f8") for a in arrays))

    def check(found: np.ndarray) -> None:
        error = np.abs(found - expected).max()
        assert error <= layer.tolerance * np.abs(expected).max(), (layer.name, error)

    s = sw.create_schedule(layer.tensors[-1])
    plan = s.auto_buffer(TARGET)
    model = sum(stage.cycles for stage in plan.stages)
    kept = cycles_of(s, layer.tensors, arrays, check)
    sliding = sum("slide=" in str(step) for step in s.log)
    if not sliding:
        loaded = kept.bytes["get"]
        return f"| {layer.name} | none | {model:,.0f} | {kept.cycles:,} | {loaded:,} | | | |"
    whole = cycles_of(without_sliding(s, layer), layer.tensors, arrays, check)
    return (
        f"| {layer.name} | {sliding} | {model:,.0f} | {kept.cycles:,} | {kept.bytes['get']:,} "
        f"| {whole.cycles:,} | {whole.bytes['get']:,} | {kept.cycles / whole.cycles:.2f} |"
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--layer", default="", help="part of the names of the layers to measure")
    chosen = parser.parse_args().layer
    print("| layer | slide | by the model | cycles | bytes | whole tiles | bytes | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    own = [one for one in layers() if re.match("depthwise|stencil|pool", one.name)]
    for layer in [*own, *OTHERS]:
        if chosen in layer.name:
            print(measure(layer), flush=True)


if __name__ == "__main__":
    main()
