"""How planned layers scale with the size of the LDM, the number of cores, and the batch.

    python bench/sunway/scaling.py                    all layers
    python bench/sunway/scaling.py --layer softmax    those whose name contains it

Machines are sw26010 with another LDM or another mesh, everything else as it is: the sizes are
replaced in targets/sw26010.toml, in a temporary file. `auto_buffer` plans each layer for each of
them. Thousands of cycles in timed mode, start and end of the cores included; results are compared
with NumPy's. What cannot be planned, or stops in the emulator, says so in its cell.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import layer_programs  # noqa: E402
from hand_layers import Convolution, FullyConnected  # noqa: E402

MACHINE = Path(__file__).parents[2] / "targets" / "sw26010.toml"
LDM_KB = (16, 32, 64, 128, 256)
MESHES = (1, 2, 4, 8)  # rows and columns
BATCHES = (1, 16, 128)


class Program(NamedTuple):
    """Tensors in the order of arguments, and the expected result."""

    tensors: list[sw.Tensor]
    inputs: list[np.ndarray]
    expected: Callable[..., np.ndarray]
    tolerance: float  # relative to the largest element


def machine(folder: Path, ldm_kb: int = 64, mesh: int = 8) -> Path:
    """A file that describes sw26010 with another LDM and another mesh."""
    text = MACHINE.read_text()
    for key, old, new in (
        ("size_bytes", 65536, ldm_kb * 1024),
        ("count", 64, mesh * mesh),
        ("mesh_rows", 8, mesh),
        ("mesh_columns", 8, mesh),
    ):
        text, count = re.subn(rf"^{key} = {old}\b", f"{key} = {new}", text, flags=re.MULTILINE)
        assert count == 1, key
    out = folder / f"sw26010_{ldm_kb}_{mesh}.toml"
    out.write_text(text)
    return out


def integers(*tensors: sw.Tensor) -> list[np.ndarray]:
    """Small ones, of which sums are exact."""
    rng = np.random.default_rng(0)
    return [rng.integers(-3, 4, t.shape).astype("f4") for t in tensors]


def convolution(layer: Convolution, batch: int) -> Program:
    """Padding, sums with the filters side by side, and ReLU."""
    size, pad, stride, kernel = layer.size, layer.padding, layer.stride, layer.kernel
    edge, out = size + 2 * pad, layer.out
    a = sw.placeholder((batch, layer.channels, size, size), name="A")
    w = sw.placeholder((layer.channels, kernel, kernel, layer.filters), name="W")
    rc = sw.reduce_axis(layer.channels, name="rc")
    ry, rx = sw.reduce_axis(kernel, name="ry"), sw.reduce_axis(kernel, name="rx")

    def padded(n: sw.Axis, c: sw.Axis, y: sw.Axis, x: sw.Axis) -> sw.Expr:
        inside = sw.all_of(pad <= y, y < size + pad, pad <= x, x < size + pad)
        return sw.select(inside, a[n, c, y - pad, x - pad], 0.0)

    p = sw.compute((batch, layer.channels, edge, edge), padded, name="P")
    s = sw.compute(
        (batch, out, out, layer.filters),
        lambda n, y, x, f: sw.sum(
            p[n, rc, y * stride + ry, x * stride + rx] * w[rc, ry, rx, f], axis=[rc, ry, rx]
        ),
        name="S",
    )
    b = sw.compute(s.shape, lambda n, y, x, f: sw.maximum(s[n, y, x, f], 0.0), name="B")

    def expected(image: np.ndarray, weights: np.ndarray) -> np.ndarray:
        image = np.pad(image, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
        views = np.lib.stride_tricks.sliding_window_view(image, (kernel, kernel), axis=(2, 3))
        views = views[:, :, ::stride, ::stride].transpose(0, 2, 3, 1, 4, 5)
        rows = views.reshape(batch * out * out, -1)
        sums = rows @ weights.reshape(-1, layer.filters)
        return np.maximum(sums.reshape(s.shape), 0)

    return Program([a, w, b], integers(a, w), expected, 0.0)


def connected(layer: FullyConnected, batch: int) -> Program:
    """A fully connected layer with its ReLU."""
    x = sw.placeholder((batch, layer.inputs), name="X")
    w = sw.placeholder((layer.inputs, layer.outputs), name="W")
    k = sw.reduce_axis(layer.inputs, name="k")
    shape = (batch, layer.outputs)
    s = sw.compute(shape, lambda i, j: sw.sum(x[i, k] * w[k, j], axis=k), name="S")
    y = sw.compute(shape, lambda i, j: sw.maximum(s[i, j], 0.0), name="Y")
    return Program([x, w, y], integers(x, w), lambda x, w: np.maximum(x @ w, 0), 0.0)


def softmax(rows: int, batch: int) -> Program:
    """Of 512 columns."""
    layer = layer_programs.softmax(rows * batch, 512)
    return Program(layer.tensors, layer.inputs(), layer.expected, layer.tolerance)


LAYERS: dict[str, Callable[[int], Program]] = {
    "AlexNet 192 -> 384, 3 x 3, 13": lambda n: convolution(Convolution("AlexNet", 192, 384, 13), n),
    "VGG-19 512 -> 512, 3 x 3, 14": lambda n: convolution(Convolution("VGG-19", 512, 512, 14), n),
    "fully connected 4096 -> 1000": lambda n: connected(FullyConnected("both", 4096, 1000), n),
    "softmax, 512 x 512": lambda n: softmax(512, n),
}


def cell(program: Program, target: Path) -> str:
    """Thousands of cycles of a run whose result was right, or why there is none."""
    s = sw.create_schedule(program.tensors[-1])
    try:
        s.auto_buffer(target)
        kernel = sw.build(s, program.tensors, target=target, name="layer")
        found = kernel.run(*program.inputs, mode="timed")
    except (sw.UnsupportedError, sw.CapacityError) as error:
        print(f"{target.name}: {error.what}", file=sys.stderr)
        return "not planned"
    except sw.EmulatorError as error:
        print(f"{target.name}: {error.what}", file=sys.stderr)
        return "stops"
    expected = program.expected(*program.inputs)
    assert np.abs(found - expected).max() <= program.tolerance * np.abs(expected).max()
    assert kernel.last_run is not None
    assert kernel.last_run.cycles is not None
    return f"{kernel.last_run.cycles / 1000:,.0f}"


def main() -> None:
    """Prints one table for each of the three."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", action="append", help="only those whose name contains this")
    parser.add_argument("--table", action="append", choices=["LDM", "cores", "batch"])
    options = parser.parse_args()
    chosen = {
        name: make
        for name, make in LAYERS.items()
        if not options.layer or any(text in name for text in options.layer)
    }
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        tables = {
            "LDM": {f"{kb} KB": (machine(where, kb), 1) for kb in LDM_KB},
            "cores": {str(m * m): (machine(where, mesh=m), 1) for m in MESHES},
            "batch": {str(n): (machine(where), n) for n in BATCHES},
        }
        for title, cases in tables.items():
            if options.table and title not in options.table:
                continue
            print(f"\n| {title} | " + " | ".join(cases) + " |")
            print("|---" * (len(cases) + 1) + "|")
            for name, make in chosen.items():
                cells = [cell(make(batch), target) for target, batch in cases.values()]
                print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
