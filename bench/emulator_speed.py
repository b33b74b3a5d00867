"""How fast the emulator is on this host: GFLOP/s of products by mode, and VGG-19 as a whole.

    python bench/emulator_speed.py [--rounds 10] [--layers athread]

Modes of one kernel take turns in one process. There is no limit to hold them against but the goals:
1 GFLOP/s in functional mode, hazard mode at most 10 times as long, timed mode at most 20 times.
VGG-19 is all of its convolutions and fully connected layers by hand-written kernels in functional
mode; each result is compared with NumPy's, which is not counted, nor is the compilation.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import solway as sw
from hand_layers import HAND, LAYERS, Convolution
from measuring import measure

MODES = ["functional", "hazard", "timed"]
#: How often VGG-19 has a layer; those that are not here it has once.
TIMES = {"VGG-19 256 -> 256, 3 x 3, 56": 3, "VGG-19 512 -> 512, 3 x 3, 28": 3,
         "VGG-19 512 -> 512, 3 x 3, 14": 4}  # fmt: skip


class Work(NamedTuple):
    """A kernel with what it computes."""

    name: str
    operations: int
    kernel: sw.Kernel | sw.HandKernel
    inputs: list[np.ndarray]
    expected: np.ndarray

    def in_mode(self, mode: str) -> Callable[[], float]:
        """Seconds of the entry on this host."""

        def run() -> float:
            np.testing.assert_array_equal(self.kernel.run(*self.inputs, mode=mode), self.expected)
            assert self.kernel.last_run is not None
            return self.kernel.last_run.seconds

        return run


def arrays(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    """Small integers."""
    rng = np.random.default_rng(0)
    return [rng.integers(-3, 4, shape).astype("f4") for shape in shapes]


def product_by_hand(size: int) -> Work:
    """Tiles in the LDM, two of each under way, vectors."""
    sizes = {"M": size, "N": size, "K": size, "RELU": 0}
    kernel = sw.hand_kernel(HAND / "matmul_athread", sizes=sizes)
    a, b = arrays((size, size), (size, size))
    return Work(f"product of {size}, by hand", 2 * size**3, kernel, [a, b], a @ b)


def product_generated(size: int) -> Work:
    """A schedule with tiles in the LDM; its code for the cores is scalar."""
    A, B = (sw.placeholder((size, size), name=name) for name in "AB")
    k = sw.reduce_axis(size, name="k")
    c = sw.compute((size, size), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(c)
    io, jo, ii, ji = s[c].tile(*c.axis, 32, 32)
    ko, ki = s[c].split(k, factor=32)
    s[c].reorder(io, jo, ko, ii, ki, ji)
    s[c].parallel(io, jo, grid=(8, 8))
    s.buffer_read(A, [ii, ki])
    s.buffer_read(B, [ki, ji])
    s.buffer_write(c, [ii, ji])
    kernel = sw.build(s, [A, B, c], target="sw26010", name="product")
    a, b = arrays((size, size), (size, size))
    return Work(f"product of {size}, generated", 2 * size**3, kernel, [a, b], a @ b)


def convolution_by_messages() -> Work:
    """Each core has an eighth of the weights' rows and hands them on, register by register."""
    layer = Convolution("", 128, 128, 14)
    kernel = sw.hand_kernel(HAND / "conv_mesh", sizes=layer.sizes())
    image, w = arrays((128, 14, 14), (128, 128, 3, 3))
    given = [image, np.ascontiguousarray(w.transpose(2, 3, 1, 0))]
    expected = layer.expected(image, w)
    return Work("convolution, messages", layer.operations, kernel, given, expected)


def compare_modes(rounds: int) -> None:
    """Prints seconds, GFLOP/s, and ratios to functional mode."""
    works = [product_by_hand(512), product_generated(256), convolution_by_messages()]
    candidates = {f"{work.name}, {mode}": work.in_mode(mode) for work in works for mode in MODES}
    seconds = measure(candidates, {}, rounds, warm=0)
    print("\n| kernel | functional, GFLOP/s | hazard / functional | timed / functional |")
    print("|---|---|---|---|")
    for work in works:
        least = [min(seconds[f"{work.name}, {mode}"]) for mode in MODES]
        rate = work.operations / least[0] / 1e9
        ratios = " | ".join(f"{time / least[0]:.1f}" for time in least[1:])
        print(f"| {work.name} | {rate:.2f} | {ratios} |")


def whole_network(style: str) -> None:
    """Prints the seconds of VGG-19."""
    total = 0.0
    operations = 0
    for layer in LAYERS:
        if layer.network == "AlexNet":
            continue
        times = TIMES.get(str(layer), 1)
        ran = layer.run(style, np.random.default_rng(0), mode="functional")
        assert ran.last_run is not None
        total += times * ran.last_run.seconds
        operations += times * layer.operations
        print(f"{layer!s:40} {ran.last_run.seconds:8.2f} s, {times} times", flush=True)
    print(f"VGG-19, {style}: {total:.0f} s, {operations / total / 1e9:.2f} GFLOP/s")


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--layers", choices=["athread", "mesh", "none"], default="athread")
    options = parser.parse_args()
    compare_modes(options.rounds)
    if options.layers != "none":
        whole_network(options.layers)


if __name__ == "__main__":
    main()
