"""The simple operators by the hand-written kernels, in the OpenACC and in the athread style.

Runs each in the emulator's timed mode, whose cycles are the same on every host, checks the result
against NumPy, and prints the table of bench/hand/README.md. It takes about two minutes.

    python bench/hand_operators.py [--operator pool ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw

HAND = Path(__file__).parent / "hand" / "sw26010"
CLOCK_HZ = 1.45e9
#: Bytes in a second between main memory and the LDM, for blocks of 4 KB (targets/sw26010.toml).
GET, PUT = 32.05e9, 36.01e9


def elementwise(x: np.ndarray, z: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """A scaled vector added to another, without what is below 0."""
    return np.maximum(x * scale + z, 0)


def pooling(kernel: int, stride: int) -> Callable[[np.ndarray], np.ndarray]:
    """The greatest of the cells of windows, by channel."""

    def pool(image: np.ndarray) -> np.ndarray:
        windows = np.lib.stride_tricks.sliding_window_view(image, (kernel, kernel), axis=(1, 2))
        return windows[:, ::stride, ::stride].max(axis=(3, 4))

    return pool


def softmax(x: np.ndarray) -> np.ndarray:
    """Of each row, in float64."""
    x = x.astype("float64")
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def row_sums(x: np.ndarray) -> np.ndarray:
    """The sum of each row."""
    return x.sum(axis=1)


def jacobi(steps: int) -> Callable[[np.ndarray], np.ndarray]:
    """Steps of the five-point stencil, added in the order of the kernels: results are equal."""

    def advance(grid: np.ndarray) -> np.ndarray:
        for _ in range(steps):
            after = grid.copy()
            total = grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]
            after[1:-1, 1:-1] = total * grid.dtype.type(0.25)
            grid = after
        return grid

    return advance


def pool_sizes(channels: int, size: int, kernel: int, stride: int) -> dict[str, int]:
    """The sizes of a pool as the kernels name them."""
    out = (size - kernel) // stride + 1
    return {"CHANNELS": channels, "SIZE": size, "KERNEL": kernel, "STRIDE": stride, "OUT": out}


class Operator(NamedTuple):
    """One operator of one size, in float32."""

    kernel: str
    by_numpy: Callable[..., np.ndarray]
    shapes: list[tuple[int, ...]]
    sizes: dict[str, int]
    note: str = ""  #: what tells it from others of the same kernel
    error: float = 0  #: relative, of a result

    def __str__(self) -> str:
        return f"`{self.kernel}`" + (f", {self.note}" if self.note else "")

    def run(self, style: str) -> sw.HandKernel:
        """The kernel of a style, after a timed run whose result was right."""
        rng = np.random.default_rng(0)
        inputs = [np.asarray(rng.integers(-4, 5, shape), "float32") for shape in self.shapes]
        kernel = sw.hand_kernel(HAND / f"{self.kernel}_{style}", sizes=self.sizes)
        result = kernel.run(*inputs, mode="timed")
        np.testing.assert_allclose(result, self.by_numpy(*inputs), rtol=self.error)
        return kernel


def _stencil(steps: int) -> Operator:
    sizes = {"ROWS": 1024, "COLUMNS": 1024, "STEPS": steps}
    note = f"{steps} step{'s' if steps > 1 else ''}"
    return Operator("stencil", jacobi(steps), [(1024, 1024)], sizes, note)


OPERATORS = [
    Operator("elementwise", elementwise, [(262144,), (262144,), ()], {"N": 262144}),
    Operator("pool", pooling(3, 2), [(64, 55, 55)], pool_sizes(64, 55, 3, 2)),
    Operator(
        "pool",
        pooling(2, 2),
        [(64, 224, 224)],
        pool_sizes(64, 224, 2, 2),
        "64 x 224 x 224, 2 x 2, stride 2",
    ),
    Operator("reduce", row_sums, [(1024, 1024)], {"ROWS": 1024, "COLUMNS": 1024}),
    Operator("softmax", softmax, [(1024, 1000)], {"ROWS": 1024, "COLUMNS": 1000}, error=6e-5),
    Operator("transpose", np.transpose, [(1024, 1024)], {"ROWS": 1024, "COLUMNS": 1024}),
    *(_stencil(steps) for steps in (1, 8, 16)),
]


def row(operator: Operator) -> str:
    """Thousands of cycles by style; bytes that the athread style moves, and how fast."""
    cycles = {}
    for style in ("openacc", "athread"):
        run = operator.run(style).last_run
        assert run is not None
        assert run.cpe_cycles is not None
        assert run.bytes is not None
        cycles[style] = run.cpe_cycles
        moved = run.bytes  # in the end by the athread style
    seconds = cycles["athread"] / CLOCK_HZ
    best = moved["get"] / GET + moved["put"] / PUT
    texts = [f"{cycles[style] / 1000:,.0f}" for style in ("openacc", "athread")]
    total = moved["get"] + moved["put"]
    texts += [f"{total / 1e6:.1f}", f"{total / seconds / 1e9:.1f}", f"{best / seconds:.0%}"]
    return f"| {operator} | " + " | ".join(texts) + " |"


def main() -> None:
    """Prints a row for each operator."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--operator", action="append", help="only those whose line contains this")
    options = parser.parse_args()
    print("| kernel | OpenACC | athread | MB | GB/s | of main memory's best |")
    print("|---|---|---|---|---|---|")
    for operator in OPERATORS:
        if not options.operator or any(text in str(operator) for text in options.operator):
            print(row(operator), flush=True)


if __name__ == "__main__":
    main()
