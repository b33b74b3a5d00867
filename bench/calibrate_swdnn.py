"""Runs the public code of swDNN in timed mode, and writes docs/calibration_swdnn.md.

    git clone https://github.com/THUHPGC/swDNN
    python bench/calibrate_swdnn.py swDNN
    python bench/calibrate_swdnn.py --check     says whether the page is of the present target file

The sources are not part of this project. Their repository has the log of 172 runs on the machine,
with the sizes of each; a row of the page is one of the 43 with images of 16 by 16. It takes about
15 minutes on two cores, with a release build.
"""

from __future__ import annotations

import argparse
import re
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
from calibration.foreign import TARGET, foot, options_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "calibration_swdnn.md"
VERSION = "swCNNv12-4cg-opt-batch-size-aware"
SIZE = 16  # of the images, each way
GHZ = 1.45
GROUPS = 4  # of a chip, whose speed the log has

# What stands in test.c there, for one core group: arrays as malloc gives them.
MPE = """
#include <athread.h>
#include <stdlib.h>
#include <string.h>
#include "def.h"
extern SLAVE_FUN(convforward_p_simd_rc_c)();
static double *copy(const double *from, long count) {
  double *to = malloc(count * sizeof *to);
  if (from != NULL) memcpy(to, from, count * sizeof *to);
  return to;
}
void swdnn(const double *X, const double *W, double *Y) {
  const long outputs = (long)BATCH * OUT * SIZE;
  ConvData job = {
      .input = copy(X, (long)BATCH * IN * 3 * (SIZE + 2)),
      .weight = copy(W, 9L * IN * OUT),
      .output = copy(NULL, outputs),
      ._Ni = IN, ._No = OUT, ._B = BATCH, ._K = 3, ._Ro = 1, ._Co = SIZE,
      ._Ri = 3, ._Ci = SIZE + 2, ._Costride = COLUMNS,
  };
  athread_init();
  athread_spawn(convforward_p_simd_rc_c, &job);
  athread_join();
  memcpy(Y, job.output, outputs * sizeof *Y);
}
"""

TOML = """
[kernel]
name = "swdnn"
target = "sw26010"
entry = "swdnn"
[sources]
mpe = ["mpe.c"]
cpe = ["core_functions.c", "gemm.S"]
[sources.defines]
SIZE = "{size}"
BATCH = "{batch}"
IN = "{inputs}"
OUT = "{outputs}"
COLUMNS = "{columns}"
[[argument]]
name = "X"
dtype = "float64"
shape = [3, {wide}, {inputs}, {batch}]
role = "in"
[[argument]]
name = "W"
dtype = "float64"
shape = [3, 3, {outputs}, {inputs}]
role = "in"
[[argument]]
name = "Y"
dtype = "float64"
shape = [{size}, {outputs}, {batch}]
role = "out"
"""

# The machine's compiler takes a number for a vector; C does not.
NUMBER_FOR_VECTOR = ("local_output[i] = 0.0;", "local_output[i] = (SIMDType){0, 0, 0, 0};")


class Convolution(NamedTuple):
    """A run of the log: 3 by 3, without padding."""

    batch: int
    inputs: int  #: channels
    outputs: int
    columns: int  #: of the image that lie in the LDM at a time
    gflops: float  #: of a chip, as measured

    @property
    def operations(self) -> int:
        """Of one row of the image."""
        return 2 * 9 * self.batch * self.inputs * self.outputs * SIZE


def logged(checkout: Path) -> list[Convolution]:
    """The runs in the log, in its order."""
    text = (checkout / VERSION / "log" / "perf.1").read_text()
    found = []
    for job in text.split("has been submitted")[1:]:
        sizes = re.search(r"B=(\d+), Ni=(\d+), No=(\d+), Ri=\d+, Ci=\d+, Ro=(\d+), Co=(\d+)", job)
        columns = re.search(r"Costride is (\d+)", job)
        speed = re.search(r"FLOPS:([\d.]+)", job)
        if sizes and columns and speed and sizes[4] == sizes[5] == str(SIZE):
            row = (int(sizes[1]), int(sizes[2]), int(sizes[3]), int(columns[1]), float(speed[1]))
            found.append(Convolution(*row))
    return found


def predicted(checkout: Path, one: Convolution, target: Path) -> float:
    """GFLOP/s of a chip, by one row of the image on one core group; its values must be right."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "swdnn"
        folder.mkdir()
        for name in ("gemm.S", "gemm.h", "def.h"):
            shutil.copy(checkout / VERSION / name, folder)
        text = (checkout / VERSION / "core_functions.c").read_text()
        if NUMBER_FOR_VECTOR[0] not in text:
            raise ValueError("core_functions.c is not the one that the log is of")
        (folder / "core_functions.c").write_text(text.replace(*NUMBER_FOR_VECTOR))
        (folder / "mpe.c").write_text(MPE)
        words = one._asdict() | {"size": SIZE, "wide": SIZE + 2}
        (folder / "kernel.toml").write_text(TOML.format(**words))
        random = np.random.default_rng(0)
        x = random.integers(-3, 4, (3, SIZE + 2, one.inputs, one.batch)).astype("float64")
        w = random.integers(-3, 4, (3, 3, one.outputs, one.inputs)).astype("float64")
        kernel = sw.hand_kernel(folder, target=target)
        result = kernel.run(x, w, mode="timed")
        taps = [(r, c) for r in range(3) for c in range(3)]
        expected = sum(np.matmul(w[r, c], x[r, c : c + SIZE]) for r, c in taps)
        if not np.array_equal(result, expected):
            raise ValueError(f"the result of {one} is wrong")
    return GROUPS * one.operations * GHZ / kernel.last_run.cpe_cycles


HEAD = """# Whole kernels: swDNN's own code

Written by `python bench/calibrate_swdnn.py CHECKOUT`; do not edit it.

Of the convolutions of swDNN (Fang et al., IPDPS 2017) the sources are public, C and hand-written
assembly for the CPEs, and beside them the log of what they reached on the machine
(`THUHPGC/swDNN`, commit d60998e3, `{version}`).
They run in the emulator as they are, but for one line, where the machine's compiler takes a number
for a vector. Their results are right, and this is what timed mode says of their speed: 3 by 3 in
double precision, images of {size} by {size}, GFLOP/s of a chip of four core groups. *columns* of
the image lie in the LDM at a time, the fewer, the more has to be moved.

Every second row was held out: nothing was adjusted to it. To the others `partial_put_cycles` in
`targets/sw26010.toml` was: the arrays come from `malloc`, so that the blocks that are put begin and
end within transactions of main memory.

"""


def page(rows: Sequence[tuple[Convolution, float]]) -> str:
    """The whole page."""
    errors = [speed / one.gflops - 1 for one, speed in rows]
    text = HEAD.format(version=VERSION, size=SIZE)
    text += "| | convolutions | median error | worst error |\n|---|---|---|---|\n"
    for role, first in (("held out", 1), ("fit", 0)):
        part = [abs(error) for error in errors[first::2]]
        text += f"| {role} | {len(part)} | {statistics.median(part):.1%} | {max(part):.1%} |\n"
    text += "\n| batch | channels in | out | columns | measured | predicted | error | role |\n"
    text += "|---|---|---|---|---|---|---|---|\n"
    for n, ((one, speed), error) in enumerate(zip(rows, errors, strict=True)):
        role = "held out" if n % 2 else "fit"
        text += (
            f"| {one.batch} | {one.inputs} | {one.outputs} | {one.columns} | {one.gflops:.0f} "
            f"| {speed:.0f} | {error:+.1%} | {role} |\n"
        )
    return text + foot()


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", type=int, metavar="N", help="every Nth; prints, writes no page")
    parser.add_argument("--target", type=Path, default=TARGET, help="another target file")
    options = options_of(parser, arguments, PAGE)
    every = logged(options.checkout)[:: options.only or 1]
    with ProcessPoolExecutor(2) as pool:
        speeds = pool.map(
            predicted, [options.checkout] * len(every), every, [options.target] * len(every)
        )
        rows = []
        for one, speed in zip(every, speeds, strict=True):
            rows.append((one, speed))
            print(*one, f"{speed:.0f} {speed / one.gflops - 1:+.1%}", flush=True)
    if options.only is None:
        PAGE.write_text(page(rows))
        print(PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
