"""The convolutions and fully connected layers of AlexNet and VGG-19 by the hand-written kernels.

Runs each in the emulator's timed mode, whose cycles are the same on every host, checks the result
against NumPy on small integers, and prints the table of bench/hand/README.md. All styles of all
layers take about half an hour.

    python bench/hand_layers.py [--style mesh ...] [--layer 256 ...]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw

HAND = Path(__file__).parent / "hand" / "sw26010"
#: GFLOP/s of a core group: 64 cores, a vector of 4 in each cycle, 2 operations, 1.45 GHz.
PEAK = 742.4
CLOCK_GHZ = 1.45
#: Wall time of one run: minutes on an idle machine.
SECONDS = 7200


class Convolution(NamedTuple):
    """One convolution of a square image, with ReLU."""

    network: str
    channels: int
    filters: int
    size: int
    kernel: int = 3
    stride: int = 1
    padding: int = 1

    @property
    def out(self) -> int:
        """Rows and columns of the result."""
        return (self.size + 2 * self.padding - self.kernel) // self.stride + 1

    @property
    def operations(self) -> int:
        """Products and sums."""
        return 2 * self.channels * self.filters * (self.out * self.kernel) ** 2

    def __str__(self) -> str:
        kind = f"{self.kernel} x {self.kernel}" + (f" / {self.stride}" if self.stride > 1 else "")
        return f"{self.network} {self.channels} -> {self.filters}, {kind}, {self.size}"

    def sizes(self) -> dict[str, int]:
        """As the kernels name them."""
        return {
            "CHANNELS": self.channels,
            "SIZE": self.size,
            "FILTERS": self.filters,
            "KERNEL": self.kernel,
            "STRIDE": self.stride,
            "PADDING": self.padding,
            "OUT": self.out,
            "RELU": 1,
        }

    def run(self, style: str, rng: np.random.Generator, mode: str = "timed") -> sw.HandKernel:
        """The kernel of a style, after a run whose result was right."""
        image = rng.integers(-3, 4, (self.channels, self.size, self.size)).astype("f4")
        w = rng.integers(-2, 3, (self.filters, self.channels, self.kernel, self.kernel))
        w = w.astype("f4")
        kernel = sw.hand_kernel(HAND / f"conv_{style}", sizes=self.sizes())
        given = np.ascontiguousarray(w.transpose(2, 3, 1, 0)) if style == "mesh" else w
        with sw.emulator(mode, seconds=SECONDS):
            result = kernel.run(image, given)
        np.testing.assert_array_equal(result, self.expected(image, w))
        return kernel

    def expected(self, image: np.ndarray, w: np.ndarray) -> np.ndarray:
        """By NumPy; `w`: filters, channels, rows, columns."""
        edge = (self.padding, self.padding)
        padded = np.pad(image, ((0, 0), edge, edge))
        windows = np.lib.stride_tricks.sliding_window_view(
            padded, (self.kernel, self.kernel), axis=(1, 2)
        )[:, :: self.stride, :: self.stride]
        return np.maximum(np.einsum("cyxrq,fcrq->fyx", windows, w, optimize=True), 0)


class FullyConnected(NamedTuple):
    """One fully connected layer, with ReLU."""

    network: str
    inputs: int
    outputs: int

    @property
    def operations(self) -> int:
        """Products and sums."""
        return 2 * self.inputs * self.outputs

    def __str__(self) -> str:
        return f"{self.network} {self.inputs} -> {self.outputs}"

    def run(self, style: str, rng: np.random.Generator, mode: str = "timed") -> sw.HandKernel:
        """The kernel of a style, after a run whose result was right."""
        x = rng.integers(-3, 4, (1, self.inputs)).astype("f4")
        w = rng.integers(-2, 3, (self.inputs, self.outputs)).astype("f4")
        expected = np.maximum(x @ w, 0)
        if style == "mesh":
            sizes = {"INPUTS": self.inputs, "OUTPUTS": self.outputs, "RELU": 1}
            kernel = sw.hand_kernel(HAND / "fc_mesh", sizes=sizes)
            with sw.emulator(mode, seconds=SECONDS):
                result = kernel.run(np.ascontiguousarray(w.T), x[0])
            np.testing.assert_array_equal(result, expected[0])
        else:
            sizes = {"M": 1, "K": self.inputs, "N": self.outputs, "RELU": 1}
            kernel = sw.hand_kernel(HAND / f"matmul_{style}", sizes=sizes)
            with sw.emulator(mode, seconds=SECONDS):
                np.testing.assert_array_equal(kernel.run(x, w), expected)
        return kernel


LAYERS = [
    Convolution("AlexNet", 3, 64, 224, 11, 4, 2),
    Convolution("AlexNet", 64, 192, 27, 5, 1, 2),
    Convolution("AlexNet", 192, 384, 13),
    Convolution("AlexNet", 384, 256, 13),
    Convolution("AlexNet", 256, 256, 13),
    Convolution("VGG-19", 3, 64, 224),
    Convolution("VGG-19", 64, 64, 224),
    Convolution("VGG-19", 64, 128, 112),
    Convolution("VGG-19", 128, 128, 112),
    Convolution("VGG-19", 128, 256, 56),
    Convolution("VGG-19", 256, 256, 56),
    Convolution("VGG-19", 256, 512, 28),
    Convolution("VGG-19", 512, 512, 28),
    Convolution("VGG-19", 512, 512, 14),
    FullyConnected("AlexNet", 9216, 4096),
    FullyConnected("both", 4096, 4096),
    FullyConnected("both", 4096, 1000),
    FullyConnected("VGG-19", 25088, 4096),
]


def cell(layer: Convolution | FullyConnected, style: str) -> str:
    """Thousands of cycles, and the share of the peak, or of main memory's best bandwidth."""
    kernel = layer.run(style, np.random.default_rng(0))
    run = kernel.last_run
    assert run is not None
    assert run.cycles is not None
    seconds = run.cycles / (CLOCK_GHZ * 1e9)
    thousands = f"{run.cycles / 1000:,.0f}"
    if isinstance(layer, FullyConnected):
        return f"{thousands} ({2e-9 * layer.operations / seconds:.1f} GB/s)"  # 4 bytes a weight
    return f"{thousands} ({1e-9 * layer.operations / seconds / PEAK:.1%})"


def main() -> None:
    """Prints a row for each layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--style", action="append", choices=["openacc", "athread", "mesh"])
    parser.add_argument("--layer", action="append", help="only those whose line contains this")
    options = parser.parse_args()
    styles = options.style or ["openacc", "athread", "mesh"]
    print("| layer | " + " | ".join(styles) + " |")
    print("|---|" + "---|" * len(styles))
    begin = time.monotonic()
    for layer in LAYERS:
        if options.layer and not any(text in str(layer) for text in options.layer):
            continue
        print(
            f"| {layer} | " + " | ".join(cell(layer, style) for style in styles) + " |", flush=True
        )
    print(f"\n{time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
