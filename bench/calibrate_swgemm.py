"""Runs the public inner product of swGEMM in timed mode, and writes docs/calibration_swgemm.md.

    git clone https://github.com/feifeibear/swGEMM
    python bench/calibrate_swgemm.py swGEMM
    python bench/calibrate_swgemm.py --check     says whether the page is of the present target file

The sources are not part of this project.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import solway as sw
from calibration.foreign import foot, options_of

PAGE = Path(__file__).parents[1] / "docs" / "calibration_swgemm.md"
SOURCE = Path("asm") / "dgemm_asm_best.S"
GHZ = 1.45
MESH = 8  # CPEs each way
PEAK = 742.4  # GFLOP/s of a core group
PUBLISHED = 722.95  # of the best of 1505 shapes [Fang, PhD thesis, chapter 4]
REPEATS = 4

MPE = """
#include <athread.h>
extern void SLAVE_FUN(work)(void *);
void swgemm(double *taken) {
  athread_init();
  athread_spawn(work, taken);
  athread_join();
}
"""

# Numbers of a row of the mesh times numbers of a column: every element of the result is known.
CPE = """
#include <simd.h>
#include <slave.h>
void dgemmasm2(double *a, double *b, double *c, int m, int ld, int n, int k, int row, int column);
__thread_local double a[K * M] __attribute__((aligned(32)));
__thread_local double b[N * K] __attribute__((aligned(32)));
__thread_local double c[N * M] __attribute__((aligned(32)));
__thread_local double out[4] __attribute__((aligned(32)));
__thread_local volatile int reply;
void work(double *taken) {
  unsigned long begin, end;
  for (int i = 0; i < K * M; ++i) a[i] = 1 + _ROW;
  for (int i = 0; i < N * K; ++i) b[i] = 1 + _COL;
  for (int i = 0; i < N * M; ++i) c[i] = 0;
  athread_syn(ARRAY_SCOPE, 0xffff);
  asm volatile("rcsr %0,4" : "=r"(begin));
  for (int r = 0; r < REPEATS; ++r) dgemmasm2(a, b, c, M / 4, M / 4, N, K, _ROW, _COL);
  asm volatile("rcsr %0,4" : "=r"(end));
  out[0] = end - begin;
  out[1] = out[2] = c[0];
  for (int i = 0; i < N * M; ++i) {
    if (c[i] < out[1]) out[1] = c[i];
    if (c[i] > out[2]) out[2] = c[i];
  }
  reply = 0;
  athread_put(PE_MODE, out, taken + 4 * _MYID, sizeof out, (void *)&reply, 0, 0);
  while (reply != 1);
}
"""

TOML = """
[kernel]
name = "swgemm"
target = "sw26010"
entry = "swgemm"
[sources]
mpe = ["mpe.c"]
cpe = ["cpe.c", "product.S"]
defines = {{ M = "{m}", N = "{n}", K = "{k}", REPEATS = "{repeats}" }}
[[argument]]
name = "taken"
dtype = "float64"
shape = [64, 4]
role = "out"
"""


class Shape(NamedTuple):
    """What a CPE has of a product in the LDM."""

    m: int
    n: int
    k: int


SHAPES = [
    Shape(16, 16, 16),
    Shape(32, 16, 32),
    Shape(32, 32, 32),
    Shape(48, 32, 32),
    Shape(32, 32, 64),
    Shape(32, 32, 96),
    Shape(32, 16, 128),
    Shape(16, 16, 192),
]


def predicted(checkout: Path, shape: Shape) -> float:
    """GFLOP/s of a core group; the values must be right."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "swgemm"
        folder.mkdir()
        shutil.copy(checkout / SOURCE, folder / "product.S")
        (folder / "mpe.c").write_text(MPE)
        (folder / "cpe.c").write_text(CPE)
        words = shape._asdict() | {"repeats": REPEATS}
        (folder / "kernel.toml").write_text(TOML.format(**words))
        taken = sw.hand_kernel(folder).run(mode="timed")
    for cpe, (_, least, most, _) in enumerate(taken):
        # Its part of a row of a, which is 1 + row everywhere, times the columns of b.
        expected = REPEATS * shape.k * MESH * (1 + cpe // MESH) * (1 + cpe % MESH)
        if not least == most == expected:
            raise ValueError(f"the product of {shape} is wrong: {least}, {most}, not {expected}")
    operations = 2 * shape.m * shape.n * shape.k * MESH**3
    return REPEATS * operations * GHZ / taken[:, 0].max()


HEAD = """# Whole kernels: the inner product of swGEMM

Written by `python bench/calibrate_swgemm.py CHECKOUT`; do not edit it.

swGEMM (Fang, PhD thesis, chapter 4) multiplies matrices that lie in the LDM of 64 CPEs by
hand-written assembly, which is public (`{source}` of
`feifeibear/swGEMM`, commit 0b9ca6b5) and runs in the emulator as it is. Of 1505 shapes that were
measured on the machine, the best reached {published} GFLOP/s of a core group. Nothing was adjusted
to it.

"""


def page(speeds: Sequence[float]) -> str:
    """The whole page."""
    best = max(speeds)
    text = HEAD.format(source=SOURCE, published=PUBLISHED)
    text += "| | measured | predicted | error |\n|---|---|---|---|\n"
    text += f"| the best shape | {PUBLISHED} GFLOP/s | {best:.1f} | {best / PUBLISHED - 1:+.1%} |\n"
    text += "\n| m | n | k | GFLOP/s | of the peak |\n|---|---|---|---|---|\n"
    for shape, speed in zip(SHAPES, speeds, strict=True):
        sizes = " | ".join(str(MESH * size) for size in shape)
        text += f"| {sizes} | {speed:.1f} | {speed / PEAK:.1%} |\n"
    return text + foot()


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options = options_of(parser, arguments, PAGE)
    PAGE.write_text(page([predicted(options.checkout, shape) for shape in SHAPES]))
    print(PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
