"""A two-dimensional Jacobi iteration in tiles over space and time, beside its untiled form.

Two planes take turns: step t reads plane t % 2 and writes the other. Untiled, every step brings
both planes from memory. Slanted tiles over several steps stay in the second-level cache.

    python bench/jacobi_host.py [--size 4000] [--steps 100] [--tile 16x32x512 ...] [--rounds 10]
"""

from __future__ import annotations

import argparse

from measuring import Candidate, Limit, aligned, measure, of_kernel, probe

import numpy as np  # isort: skip (after measuring, which sets the number of its threads)
import solway as sw

TILES = ("16x16", "16x24x1024", "16x32x512")


def jacobi(size: int, steps: int, tile: tuple[int, ...] = ()) -> sw.Kernel:
    """`steps` steps on a square; `tile` is steps x rows, or steps x rows x columns."""
    X = sw.placeholder((2, size, size), name="X")
    U = sw.update(
        X,
        (steps, size - 2, size - 2),
        lambda t, i, j: ((t + 1) % 2, i + 1, j + 1),
        lambda t, i, j: 0.2
        * (X[t % 2, i + 1, j + 1] + X[t % 2, i, j + 1] + X[t % 2, i + 2, j + 1]
           + X[t % 2, i + 1, j] + X[t % 2, i + 1, j + 2]),
        name="U",
    )  # fmt: skip
    s = sw.create_schedule(U)
    inner = U.axis[2]
    if tile:
        s[U].skew("i", by="t", factor=1)
        to, ti = s[U].split("t", tile[0])
        io, ii = s[U].split("i", tile[1])
        s[U].reorder(to, io, ti, ii)
        if len(tile) == 3:
            s[U].skew("j", by=ti, factor=1)
            jo, inner = s[U].split("j", tile[2])
            s[U].reorder(jo, ti, ii)
    s[U].vectorize(inner)
    return sw.build(s, [X], target="host", name="jacobi")


def expected(x: np.ndarray, steps: int) -> np.ndarray:
    """Both planes after some steps, by NumPy, added in the order of the expression."""
    x = x.copy()
    for t in range(steps):
        a, b = x[t % 2], x[(t + 1) % 2]
        total = a[1:-1, 1:-1] + a[:-2, 1:-1]
        for part in (a[2:, 1:-1], a[1:-1, :-2], a[1:-1, 2:]):
            total += part
        b[1:-1, 1:-1] = total * np.float32(0.2)
    return x


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", type=int, default=4000, help="of the square")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=10, help="times of each candidate")
    parser.add_argument("--tile", nargs="*", default=TILES, help="steps x rows (x columns)")
    args = parser.parse_args()

    rng = np.random.default_rng(0)
    x = aligned(rng.random((2, args.size, args.size), dtype=np.float32))
    x[1] = x[0]
    reference = expected(x, args.steps)
    kernels = {"untiled": jacobi(args.size, args.steps)}
    for tile in args.tile:
        kernels[tile] = jacobi(args.size, args.steps, tuple(map(int, tile.split("x"))))
    for name, kernel in kernels.items():
        y = aligned(x)
        kernel(y)
        if not np.array_equal(y, reference):
            raise SystemExit(f"{name}: wrong result")
    y = aligned(x)  # means of means: any number of steps may follow
    candidates: dict[str, Candidate] = {"fma probe": probe()}
    candidates |= {name: of_kernel(kernel, y) for name, kernel in kernels.items()}
    limits = {name: [Limit("untiled", 1.0)] for name in kernels}
    seconds = measure(candidates, limits, args.rounds, warm=0)
    points = args.steps * (args.size - 2) ** 2
    for name in kernels:
        low = min(seconds[name])
        ratio = min(seconds["untiled"]) / low
        print(f"{name:24} {points / low / 1e9:6.2f} Gpoint/s, {ratio:.2f} times the untiled rate")


if __name__ == "__main__":
    main()
