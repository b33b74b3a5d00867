"""Times our own kernels in the styles of published ones, and writes docs/calibration_styles.md.

    python bench/calibrate_styles.py             some ten minutes
    python bench/calibrate_styles.py --check     says whether the page is of the present target file

Timed mode gives the same number of cycles in every run, so the page has no noise.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw
from calibrate_sw26010 import product_time
from calibration.foreign import foot

ROOT = Path(__file__).parents[1]
KERNEL = ROOT / "bench" / "hand" / "sw26010" / "conv_registers"
PAGE = ROOT / "docs" / "calibration_styles.md"
GHZ = 1.45
CPES = 64
GROUPS = 4  # of a chip
PEAK = 742.4  # GFLOP/s of a core group
BATCH = 128
TAPS = 9
#: Channels of the image that the convolution adds at a time.
PART = 128

TOML = """
[kernel]
name = "conv_registers"
target = "sw26010"
entry = "conv_registers"
[sources]
mpe = ["mpe.c"]
cpe = ["cpe.c", "rounds.S"]
[sources.defines]
NI = "{inputs}"
NO = "{outputs}"
PART = "{part}"
PIXELS = "{pixels}"
ROWS = "1"
COLUMNS = "{columns}"
[[argument]]
name = "X"
dtype = "float64"
shape = [3, {wide}, {inputs}, 128]
role = "in"
[[argument]]
name = "W"
dtype = "float64"
shape = [3, 3, {inputs}, {outputs}]
role = "in"
[[argument]]
name = "Y"
dtype = "float64"
shape = [{columns}, {outputs}, 128]
role = "out"
"""


class Tiles(NamedTuple):
    """What is run of a convolution: neighbouring columns of a row, for the whole batch."""

    inputs: int  #: channels
    outputs: int
    part: int = PART  #: channels of the image that are added at a time
    pixels: int = 4  #: of a tile
    tiles: int = 1


def cycles_of(run: Tiles) -> float:
    """Without the misses of the first time that the code runs; the values must be right."""
    columns = run.tiles * run.pixels
    random = np.random.default_rng(0)
    x = random.integers(-3, 4, (3, columns + 2, run.inputs, BATCH)).astype("float64")
    w = random.integers(-3, 4, (3, 3, run.inputs, run.outputs)).astype("float64")
    expected = np.stack(
        [sum(w[r, c].T @ x[r, at + c] for r in range(3) for c in range(3)) for at in range(columns)]
    )
    with tempfile.TemporaryDirectory() as root:
        # Its assembly includes that of the product, from the folder beside it.
        for source in (KERNEL, KERNEL.parent / "gemm_registers"):
            shutil.copytree(source, Path(root) / source.name)
        folder = Path(root) / KERNEL.name
        words = run._asdict() | {"columns": columns, "wide": columns + 2}
        (folder / "kernel.toml").write_text(TOML.format(**words))
        kernel = sw.hand_kernel(folder)
        if not np.array_equal(kernel.run(x, w, mode="timed"), expected):
            raise ValueError(f"the convolution {run} is wrong")
    last = kernel.last_run
    assert last is not None
    assert last.cpe_cycles is not None
    assert last.stalls is not None
    return last.cpe_cycles - last.stalls["instructions"] / CPES


#: Channels by which swATOP and Fang's thesis vary their convolutions, as far as ours does.
CHANNELS = (64, 128, 256, 512)
RUNS = [
    *(Tiles(64, outputs, 64) for outputs in CHANNELS),
    *(Tiles(parts * PART, outputs) for parts in (1, 2) for outputs in (*CHANNELS, 384)),
    *(Tiles(parts * PART, 512, pixels=2) for parts in (1, 2)),
]
CHECKS = [Tiles(128, 128, tiles=3), Tiles(512, 128)]


class Convolutions:
    """Times of whole convolutions, by those of one tile."""

    def __init__(self) -> None:
        self.cycles: dict[Tiles, float] = {}
        with ProcessPoolExecutor(2) as pool:
            every = RUNS + CHECKS
            for run, cycles in zip(every, pool.map(cycles_of, every), strict=True):
                self.cycles[run] = cycles
                print(*run, f"{cycles:.0f}", flush=True)

    def tile(self, inputs: int, outputs: int, pixels: int = 4) -> float:
        """Cycles of a tile: linear in the parts that its channels are added in."""
        if inputs < PART:
            return self.cycles[Tiles(inputs, outputs, inputs, pixels)]
        one, two = (self.cycles[Tiles(n * PART, outputs, pixels=pixels)] for n in (1, 2))
        return one + (inputs // PART - 1) * (two - one)

    def seconds(self, inputs: int, outputs: int, size: int) -> float:
        """Of a square image: a tile takes as long as any other."""
        pixels = 4 if size % 4 == 0 else 2
        return self.tile(inputs, outputs, pixels) * size * size / pixels / GHZ / 1e9

    def gflops(self, inputs: int, outputs: int) -> float:
        """Of a core group, by a tile of four pixels."""
        return operations(inputs, outputs, 4) / 1e9 / self.seconds(inputs, outputs, 4)


def operations(inputs: int, outputs: int, size: int) -> int:
    """Products and sums of a batch."""
    return 2 * BATCH * TAPS * inputs * outputs * size * size


class Layer(NamedTuple):
    """A layer of VGG-16, forward, a batch of 128 on one core group (swCaffe, table II)."""

    name: str
    inputs: int
    outputs: int
    size: int
    implicit: float | None  #: seconds
    explicit: float


LAYERS = [
    Layer("1_1", 3, 64, 224, None, 4.19),
    Layer("1_2", 64, 64, 224, 4.30, 7.79),
    Layer("2_1", 64, 128, 112, 1.63, 2.45),
    Layer("2_2", 128, 128, 112, 2.34, 3.14),
    Layer("3_1", 128, 256, 56, 1.06, 0.73),
    Layer("3_2, 3_3", 256, 256, 56, 1.79, 1.14),
    Layer("4_1", 256, 512, 28, 0.84, 0.69),
    Layer("4_2, 4_3", 512, 512, 28, 1.68, 1.33),
    Layer("5_1 to 5_3", 512, 512, 14, 0.40, 0.62),
]


def product_seconds(layer: Layer) -> float:
    """Of the products of an explicit convolution, one per image: channels out x pixels."""
    depth = layer.inputs * TAPS
    rows, columns = min(layer.outputs, 256), 256
    tiles = layer.outputs // rows * -(-layer.size * layer.size // columns)
    if depth < 32:
        cycles = product_time((rows, columns, 32), 1).cycles
    else:
        step = 256 if depth % 256 == 0 else 192
        two, four = (product_time((rows, columns, step), n).cycles for n in (2, 4))
        cycles = two + (depth / step - 2) * (four - two) / 2
    return BATCH * tiles * cycles / GHZ / 1e9


HEAD = """# Kernels of ours in the style of published ones

Written by `python bench/calibrate_styles.py`; do not edit it.

Here the code is not that of the publications, so what differs is the code or the emulator: the
pages of [the machine's figures](calibration.md), [swDNN's own code](calibration_swdnn.md) and
[swGEMM's own code](calibration_swgemm.md) say how near timed mode is. None of these figures counts
as an error there. *Ours / published* is a ratio of speeds: more than 1 is faster.

`conv_registers` is an implicit convolution in the style of swDNN, in double precision, whose inner
loop is assembly that multiplies in every cycle; `gemm_registers` is a product in the style of
swGEMM. Both are in `bench/hand/sw26010`.

Whole layers are too much to emulate. `conv_registers` does one tile of the result after the other:
four neighbouring pixels (two, where the image has 14 columns), all channels, the batch. One tile
is run, with 128 and with 256 channels of the image, the result is compared with NumPy's, and a
layer is as many tiles, with as many parts of 128 channels, as it has.
{checks}

"""


def check_text(convolutions: Convolutions) -> str:
    """Sizes that the extrapolation has not seen."""
    one = convolutions.tile(128, 128)
    three = convolutions.cycles[CHECKS[0]]
    deep = convolutions.cycles[CHECKS[1]]
    predicted = convolutions.tile(512, 128)
    return (
        f"Of 128 channels to 128, three tiles take {three / one:.3f} times as long as one;\nof 512 "
        f"to 128, a tile takes {deep:,.0f} cycles, {predicted:,.0f} by the extrapolation."
    )


def layer_table(convolutions: Convolutions) -> str:
    """The table of swCaffe, and ours."""
    text = (
        "## VGG-16 in swCaffe\n\nForward, a batch of 128, one core group (swCaffe, table II), "
        "seconds. swCaffe's explicit\nconvolutions make columns of the image first; ours are the "
        "products alone, which is said as a\npart of their time.\n\n"
        "| layer | channels | image | implicit, published | ours | ours / published "
        "| explicit, published | products of ours | part |\n" + "|---" * 9 + "|\n"
    )
    ratios = []
    for layer in LAYERS:
        text += f"| {layer.name} | {layer.inputs} to {layer.outputs} | {layer.size} "
        if layer.implicit is None:
            text += "| - | - | - "
        else:
            seconds = convolutions.seconds(layer.inputs, layer.outputs, layer.size)
            ratios.append(layer.implicit / seconds)
            text += f"| {layer.implicit:.2f} | {seconds:.2f} | {ratios[-1]:.2f} "
        products = product_seconds(layer)
        text += f"| {layer.explicit:.2f} | {products:.2f} | {products / layer.explicit:.0%} |\n"
    return text + (
        f"\nThe median of the ratios of implicit convolutions is {statistics.median(ratios):.2f}. "
        "The published ones reach\n110 GFLOP/s with 64 channels and 200 to 350 with more, "
        "of 742 that a core group has.\n"
    )


def average_text(convolutions: Convolutions) -> str:
    """What is published as an average of many shapes."""
    speeds = {(i, o): convolutions.gflops(i, o) for i in CHANNELS for o in CHANNELS}
    ours = GROUPS * statistics.mean(speeds.values())
    text = (
        "\n## Averages of swATOP and of Fang's thesis\n\n225 convolutions of 3 x 3, 64 to 512 "
        "channels, images of 32 to 256, a batch of 128, GFLOP/s of a\nchip; single precision "
        "there. Ours is the mean of 16 pairs of channels, whatever the image.\n\n"
        "| | published | ours | ours / published |\n|---|---|---|---|\n"
    )
    for name, published in (("swATOP, ICPP 2019", 2210), ("thesis, chapter 5", 1723)):
        text += f"| {name} | {published} | {ours:.0f} | {ours / published:.2f} |\n"
    text += "\nOurs by channels in (rows) and out (columns), of the peak:\n\n| |"
    text += "".join(f" {outputs} |" for outputs in CHANNELS) + "\n" + "|---" * 5 + "|\n"
    for inputs in CHANNELS:
        cells = "".join(f" {speeds[inputs, outputs] / PEAK:.0%} |" for outputs in CHANNELS)
        text += f"| {inputs} |{cells}\n"
    return text


def swdnn_text(convolutions: Convolutions) -> str:
    """The models and measurements of the first version of swDNN."""
    text = (
        "\n## The first version of swDNN\n\nGFLOP/s of a core group, a batch of 128, images of "
        "64 x 64, double precision (swDNN, IPDPS 2017):\nwhat the authors' model says, what they "
        "measured of code that the machine's compiler made.\n\n"
        "| channels | their model | measured | ours | ours / measured |\n" + "|---" * 5 + "|\n"
    )
    for inputs, outputs, model, measured in (
        (128, 128, 368, 350),
        (128, 256, 397, 375),
        (256, 256, 422, 410),
        (128, 384, 407, 392),
    ):
        ours = convolutions.gflops(inputs, outputs)
        text += f"| {inputs} to {outputs} | {model} | {measured} | {ours:.0f} "
        text += f"| {ours / measured:.2f} |\n"
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="run nothing")
    if parser.parse_args(arguments).check:
        same = PAGE.read_text().endswith(foot())
        print(f"{PAGE} is of {'the present' if same else 'another'} target file")
        return 0 if same else 1
    convolutions = Convolutions()
    text = HEAD.format(checks=check_text(convolutions))
    text += layer_table(convolutions) + average_text(convolutions) + swdnn_text(convolutions)
    PAGE.write_text(text + foot())
    print(PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
