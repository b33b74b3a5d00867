"""A product of matrices on the mesh, tiles read by each core and read together, in cycles.

python bench/sunway/shared_reads.py [--target sw26010pro]
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
import solway as sw


class Form(NamedTuple):
    """A product of m x k and k x n, a tile of each core at a time."""

    shape: tuple[int, int, int]  # m, n, k
    tile: tuple[int, int, int]
    dtype: str = "float32"


FORMS = (
    Form((256, 256, 512), (32, 32, 32)),
    Form((512, 512, 512), (64, 64, 32)),
    Form((256, 256, 256), (32, 32, 32), "float64"),
)


def schedule_of(
    form: Form, depth: int, *, is_shared: bool, is_assembly: bool
) -> tuple[sw.Schedule, list[sw.Tensor]]:
    """Rows of tiles on the rows of the mesh, columns on its columns."""
    m, n, steps = form.shape
    A = sw.placeholder((m, steps), dtype=form.dtype, name="A")
    B = sw.placeholder((steps, n), dtype=form.dtype, name="B")
    k = sw.reduce_axis((0, steps), name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    io, jo, ii, ji = s[C].tile(*C.axis, *form.tile[:2])
    ko, ki = s[C].split(k, factor=form.tile[2])
    s[C].reorder(io, jo, ko, ii, ki, ji)
    s[C].parallel(io, jo, grid=(8, 8))
    s.buffer_write(C, [ii, ji])
    AA = s.buffer_read(A, [ii, ki], depth=depth)
    BB = s.buffer_read(B, [ki, ji], depth=depth)
    if is_shared:
        s.broadcast(AA, over="row")
        s.broadcast(BB, over="column")
    if is_assembly:
        s[C].reorder(ii, ji, ki)
        s[C].tensorize(ii, sw.micro_kernel())
    else:
        s[C].vectorize(ji)
    return s, [A, B, C]


def row(name: str, run: object, shape: tuple[int, int, int], clock_ghz: float) -> str:
    """One line of the table."""
    m, n, k = shape
    rate = 2 * m * n * k / (run.cpe_cycles / clock_ghz)
    size = f"{m} x {n} x {k}"
    return f"{size:<16} {name:<36} {run.bytes['get']:>12,} {run.cpe_cycles:>12,} {rate:>8.1f}"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="sw26010", choices=["sw26010", "sw26010pro"])
    target = parser.parse_args().target
    clock_ghz = 1.45 if target == "sw26010" else 2.25
    random = np.random.default_rng(0)
    print(f"{'m x n x k':<16} {'':<36} {'bytes got':>12} {'cycles':>12} {'GFLOP/s':>8}")
    for form in FORMS:
        m, n, k = form.shape
        a = random.integers(-4, 5, (m, k)).astype(form.dtype)
        b = random.integers(-4, 5, (k, n)).astype(form.dtype)
        for depth in (1, 2):
            for is_shared in (False, True):
                s, args = schedule_of(
                    form, depth, is_shared=is_shared, is_assembly=target == "sw26010"
                )
                kernel = sw.build(s, args, target=target, name="product")
                if not np.array_equal(kernel.run(a, b, mode="timed"), a @ b):
                    raise SystemExit(f"wrong: {form}")
                tiles = "together" if is_shared else "each core"
                name = f"{form.dtype}, {tiles}, depth {depth}"
                print(row(name, kernel.last_run, form.shape, clock_ghz), flush=True)
    if target != "sw26010":
        return
    hand = sw.hand_kernel("bench/hand/sw26010/gemm_registers", target=target)
    a = random.integers(-4, 5, (256, 512)).astype("float32")
    b = random.integers(-4, 5, (512, 256)).astype("float32")
    with sw.emulator(mode="timed"):
        if not np.array_equal(hand.run(a, b), a @ b):
            raise SystemExit("wrong: gemm_registers")
    print(row("by hand: gemm_registers", hand.last_run, (256, 256, 512), clock_ghz))


if __name__ == "__main__":
    main()
