"""Instructions per operation of kernels for other processors, counted by QEMU.

An emulator has no cycles; what it can count is how many instructions a kernel runs. Each layer is
scheduled by `auto_schedule`, run once, compared with NumPy and counted. "least" is what a kernel
would need that consisted of multiplications and additions of whole vectors alone.

    python bench/foreign_instructions.py [--target riscv64-v ...]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw

sys.path.insert(0, str(Path(__file__).resolve().parent))

from instruction_counts import TARGETS, Counts, count, emulator_version


class Layer(NamedTuple):
    """One row of the table.

    Args:
        inputs: placeholders.
        result: what is computed.
        reference: of arrays, in NumPy.
        operations: multiplications and additions; of a softmax, elements.
        unit: what these are called.
    """

    inputs: list[sw.Tensor]
    result: sw.Tensor
    reference: Callable[..., np.ndarray]
    operations: int
    unit: str = "FLOP"


def product(m: int, n: int, k: int) -> Layer:
    """A product of matrices."""
    A, B = sw.placeholder((m, k), name="A"), sw.placeholder((k, n), name="B")
    r = sw.reduce_axis(k, name="r")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, r] * B[r, j], axis=r), name="C")
    return Layer([A, B], C, np.matmul, 2 * m * n * k)


def convolution(channels: int, filters: int, size: int) -> Layer:
    """3 x 3 taps over an image that has a frame already."""
    X = sw.placeholder((channels, size + 2, size + 2), name="X")
    W = sw.placeholder((filters, channels, 3, 3), name="W")
    rc = sw.reduce_axis(channels, name="rc")
    ry, rx = sw.reduce_axis(3, name="ry"), sw.reduce_axis(3, name="rx")
    Y = sw.compute(
        (filters, size, size),
        lambda f, y, x: sw.sum(X[rc, y + ry, x + rx] * W[f, rc, ry, rx], axis=(rc, ry, rx)),
        name="Y",
    )

    def reference(x: np.ndarray, w: np.ndarray) -> np.ndarray:
        windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(1, 2))
        return np.einsum("cyxij,ocij->oyx", windows, w)

    return Layer([X, W], Y, reference, 2 * filters * size * size * channels * 9)


def softmax(rows: int, columns: int) -> Layer:
    """Of rows, less their largest element."""
    X = sw.placeholder((rows, columns), name="X")
    k, j = sw.reduce_axis(columns, name="k"), sw.reduce_axis(columns, name="j")
    M = sw.compute((rows,), lambda i: sw.max(X[i, k], axis=k), name="M")
    E = sw.compute((rows, columns), lambda i, x: sw.exp(X[i, x] - M[i]), name="E")
    S = sw.compute((rows,), lambda i: sw.sum(E[i, j], axis=j), name="S")
    Y = sw.compute((rows, columns), lambda i, x: E[i, x] / S[i], name="Y")

    def reference(x: np.ndarray) -> np.ndarray:
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    return Layer([X], Y, reference, rows * columns, "element")


LAYERS: dict[str, Callable[[], Layer]] = {
    "product 96 x 96 x 96": lambda: product(96, 96, 96),
    "product 37 x 61 x 53": lambda: product(37, 61, 53),
    "convolution 16 to 32, 16 x 16": lambda: convolution(16, 32, 16),
    "convolution 16 to 32, 14 x 14": lambda: convolution(16, 32, 14),
    "softmax 16 x 256": lambda: softmax(16, 256),
    "softmax 16 x 251": lambda: softmax(16, 251),
}


def register_bits(target: str, bits: int) -> int | None:
    """`bits` where the target leaves the length of its registers open."""
    return bits if sw.Target.load(target).vector.scalable else None


def counted(layer: Layer, target: str, bits: int = 128) -> Counts:
    """Runs a layer in registers of so many bits, compares it, and counts."""
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=t.shape).astype("float32") for t in layer.inputs]
    with tempfile.TemporaryDirectory() as folder:
        got, counts = count(
            layer.result,
            [*layer.inputs, layer.result],
            arrays,
            target,
            Path(folder),
            register_bits(target, bits),
        )
    np.testing.assert_allclose(got, layer.reference(*arrays), rtol=1e-3, atol=1e-4)
    return counts


def row(name: str, layer: Layer, target: str, bits: int = 128) -> str:
    """A line of the table."""
    counts = counted(layer, target, bits)
    each = counts.total / layer.operations
    loop = counts.loops()[0]
    share = sum(one.times for one in loop) / counts.total
    least = f"{1 / (2 * bits // 32):.3f}" if layer.unit == "FLOP" else ""
    about = (len(loop), len(counts.scalar_floats(loop)), len(counts.stack_accesses(loop)))
    each_text = f"{each:.3f} per {layer.unit}"
    cells = [name, f"`{target}`", bits, each_text, least, f"{share:.0%}", *about]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", nargs="+", default=TARGETS, choices=TARGETS)
    parser.add_argument("--bits", nargs="+", type=int, default=[128, 512], help="of a register")
    options = parser.parse_args()
    print(f"{emulator_version(options.target[0])}\n")
    print("| layer | target | bits | instructions | least | inner loop | of | scalar | stack |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, make in LAYERS.items():
        for target in options.target:
            for bits in options.bits:
                if bits == 128 or register_bits(target, bits) is not None:
                    print(row(name, make(), target, bits), flush=True)


if __name__ == "__main__":
    main()
