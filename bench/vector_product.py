"""How much of a core's peak the generated inner loop of a product reaches, by the emulator's clock.

    python bench/vector_product.py

Cycles in which a core computes, without its waits for transfers. The clock repeats to the cycle.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import solway as sw

CORES = 64
PEAK = {"sw26010": 8, "sw26010pro": 16}  # operations of a core per cycle
VENDOR = (
    "61 to 64 %: the vendor's compiler on SW26010 (Fang et al., swDNN's journal version, fig. 5)"
)


class Form(NamedTuple):
    """A product of one type on one machine, with a tile of rows x columns in registers."""

    machine: str
    dtype: str
    depth: int  # of the tiles in the scratchpad
    columns: int
    unrolled: int = 1
    side: int = 32  # of the tiles of C in the scratchpad
    is_assembly: bool = False  # a micro-kernel in place of the loops over a tile

    def __str__(self) -> str:
        code = "assembly" if self.is_assembly else f"C, k unrolled by {self.unrolled}"
        tile = f"{self.side} x {self.side} x {self.depth}"
        return f"{self.machine:<11} {self.dtype} {tile:<13} 4 x {self.columns}, {code}"


FORMS = (
    Form("sw26010", "float64", 32, 16),
    Form("sw26010", "float32", 64, 16),
    Form("sw26010", "float32", 64, 16, unrolled=2),
    Form("sw26010", "float32", 64, 16, unrolled=4),
    Form("sw26010pro", "float32", 64, 32),
    Form("sw26010pro", "float32", 64, 32, unrolled=2),
    Form("sw26010pro", "float32", 64, 32, unrolled=4),
    Form("sw26010", "float64", 64, 16, is_assembly=True),
    Form("sw26010", "float32", 64, 16, is_assembly=True),
    Form("sw26010", "float32", 64, 16, side=64, is_assembly=True),
)


def size_of(form: Form) -> int:
    """Of the product: one tile for each core along rows and columns."""
    return 8 * form.side


def schedule_of(form: Form) -> tuple[sw.Schedule, list[sw.Tensor]]:
    """A product on the mesh, in tiles of C in the scratchpads: one of each core."""
    size = size_of(form)
    A = sw.placeholder((size, size), dtype=form.dtype, name="A")
    B = sw.placeholder((size, size), dtype=form.dtype, name="B")
    k = sw.reduce_axis((0, size), name="k")
    C = sw.compute((size, size), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    io, jo, ii, ji = s[C].tile(*C.axis, form.side, form.side)
    ko, ki = s[C].split(k, factor=form.depth)
    if form.is_assembly:
        s[C].reorder(io, jo, ko, ii, ji, ki)
        s[C].parallel(io, jo, grid=(8, 8))
        s.buffer_write(C, [ii, ji])
        s.buffer_read(A, [ii, ki])
        s.buffer_read(B, [ki, ji])
        s[C].tensorize(ii, sw.micro_kernel())
        return s, [A, B, C]
    rows, columns, row, column = s[C].tile(ii, ji, 4, form.columns)
    k_loops = s[C].split(ki, factor=form.unrolled) if form.unrolled > 1 else (ki,)
    s[C].reorder(io, jo, ko, rows, columns, *k_loops, row, column)
    s[C].parallel(io, jo, grid=(8, 8))
    s.buffer_write(C, [rows, columns, row, column])
    s.buffer_read(A, [rows, row, *k_loops])
    s.buffer_read(B, [*k_loops, columns, column])
    s[C].vectorize(column)
    s[C].unroll(row)
    for axis in k_loops[1:]:
        s[C].unroll(axis)
    return s, [A, B, C]


def share_of_peak(form: Form) -> float:
    """Of the operations that core 0 could do in the cycles in which it computes."""
    s, tensors = schedule_of(form)
    kernel = sw.build(s, tensors, target=form.machine, name="product")
    rng = np.random.default_rng(0)
    size = size_of(form)
    a, b = (rng.integers(-4, 5, (size, size)).astype(form.dtype) for _ in range(2))
    c = kernel.run(a, b, mode="timed")
    if not np.array_equal(c, a @ b):
        raise SystemExit(f"{form}: the product is wrong")
    core = kernel.last_run.timeline.cores[0]
    busy = core.running - sum(core.stalls.values())
    return 2 * size**3 / CORES / busy / PEAK[form.machine]


def main() -> None:
    """Prints a line for each form."""
    print(f"products in tiles, of a core's peak while it computes; {VENDOR}")
    for form in FORMS:
        print(f"{form}: {100 * share_of_peak(form):.1f} %", flush=True)


if __name__ == "__main__":
    main()
