"""Predicts in timed mode what is published of SW26010, and writes docs/calibration.md.

    python bench/calibrate_sw26010.py           writes the page and its picture
    python bench/calibrate_sw26010.py --check   says whether the page is what would be written

Timed mode gives the same number of cycles in every run, so the page has no noise.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw
from calibration.page import Axes, Curve, Figure, Panel, Part, draw, page, write

ROOT = Path(__file__).parents[1]
KERNELS = ROOT / "bench" / "calibration" / "sw26010"
HAND_KERNELS = ROOT / "bench" / "hand" / "sw26010"
PUBLISHED = ROOT / "bench" / "calibration" / "published"
PAGE = ROOT / "docs" / "calibration.md"
PICTURE = ROOT / "docs" / "calibration_dma.svg"
GHZ = 1.45
CPES = 64
CHIP_CPES = 4 * CPES
TRANSACTION = 128

HEAD = """# Calibration of timed mode

Written by `python bench/calibrate_sw26010.py`; do not edit it. Nobody here has a Sunway machine:
what timed mode says is held against what others have published of theirs. Each figure is measured
in the emulator as it was measured there, by a small program of `bench/calibration/sw26010` that
reads the cycle counter; timed mode repeats to the cycle, so the page has no noise.

This page is of SW26010. Whole kernels of others, in their own sources, have pages of their own:
[convolutions of swDNN](calibration_swdnn.md), [the inner product of swGEMM](calibration_swgemm.md);
[kernels of ours](calibration_styles.md) are held against those of the same style.
What is known of SW26010-Pro is on [its page](calibration_sw26010pro.md).
"""

DMA = """The two public measurements of transfers differ by 20 to 30 %. Those of swGEMM have steps
of 128 bytes, at 80, 208, 336 bytes and so on: their blocks begin 48 bytes behind the start of a
transaction, and take as long as the whole transactions that they touch. The throughput of such
transactions, 25.4 GB/s, is taken from the first of its two runs. What is not explained: two sizes
at which the machine was half as fast (224 and 448 bytes), and blocks of less than 80 bytes, which
were faster there than in swDNN's measurement.

![throughput by block size](calibration_dma.svg)
"""

SWDNN = "Fang et al., swDNN, IPDPS 2017"
TACO = "Fang et al., the journal version of swDNN"
THESIS = "Fang, PhD thesis, chapter 3"
LIN = "Lin et al. 2018, quoted by Fang's thesis"
XU = "Xu et al. 2017, quoted by swATOP, ICPP 2019"
SWGEMM = "`MBW_map` in the public swGEMM"
SWGEMM_SOURCE = "the public swGEMM, `sw_sgemm_std.c`"
THESIS_GEMM = "Fang, PhD thesis, chapter 4"
SWDNN_LOG = "log of the public swDNN, `perf.1`"
SWCAFFE = "swCaffe, figure 2"


def timed(name: str, *arguments: object) -> dict[str, np.ndarray]:
    """What a kernel of the folder writes, by the names of its arguments."""
    kernel = sw.hand_kernel(KERNELS / name)
    results = kernel.run(*arguments, mode="timed")
    names = [argument.name for argument in kernel.arguments if argument.role != "in"]
    values = results if isinstance(results, tuple) else (results,)
    return dict(zip(names, values, strict=True))


PRODUCT = """
[kernel]
name = "gemm_registers"
target = "sw26010"
entry = "gemm_registers"
[sources]
mpe = ["mpe.c"]
cpe = ["cpe.c", "rounds.S"]
[sources.defines]
M = "{m}"
N = "{n}"
K = "{k}"
TILE_M = "{tile[0]}"
TILE_N = "{tile[1]}"
TILE_K = "{tile[2]}"
[[argument]]
name = "A"
dtype = "float32"
shape = [{m}, {k}]
role = "in"
[[argument]]
name = "B"
dtype = "float32"
shape = [{k}, {n}]
role = "in"
[[argument]]
name = "C"
dtype = "float32"
shape = [{m}, {n}]
role = "out"
"""


class ProductTime(NamedTuple):
    """Cycles of the hand-written product."""

    cycles: float
    waited: float  #: for transfers, of a CPE


def product_time(tile: tuple[int, int, int], steps: int) -> ProductTime:
    """Of the product of one tile of the result, `steps` tiles deep; the values must be right."""
    m, n, k = tile[0], tile[1], steps * tile[2]
    random = np.random.default_rng(0)
    a = random.integers(-3, 4, (m, k)).astype("float32")
    b = random.integers(-3, 4, (k, n)).astype("float32")
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "gemm_registers"
        shutil.copytree(HAND_KERNELS / "gemm_registers", folder)
        (folder / "kernel.toml").write_text(PRODUCT.format(m=m, n=n, k=k, tile=tile))
        kernel = sw.hand_kernel(folder)
        if not np.array_equal(kernel.run(a, b, mode="timed"), a @ b):
            raise ValueError(f"the product of tiles {tile} is wrong")
    return ProductTime(kernel.last_run.cpe_cycles, kernel.last_run.stalls["transfer"] / CPES)


class Pattern(NamedTuple):
    """A row of `patterns` of the kernel transfers, whose header says what it means."""

    is_put: int
    requests: int
    bytes: int
    block: int
    gap: int
    offset: int
    region: int
    cpes: int = CPES


def blocks_of(block: int, *, is_put: bool = False, offset: int = 0) -> Pattern:
    """16 KB per request, in blocks that lie alike in their transactions and not side by side."""
    pitch = (-(-(offset + block) // TRANSACTION) + 1) * TRANSACTION
    count = 16384 // block
    return Pattern(int(is_put), 6, count * block, block, pitch - block, offset, count * pitch)


def transfer_cycles(patterns: Sequence[Pattern]) -> list[float]:
    """Cycles of the slowest CPE, by pattern."""
    rows = np.zeros((384, 8), "int32")
    rows[: len(patterns)] = patterns
    taken = timed("transfers", np.zeros(16777216, "int8"), rows, len(patterns))["taken"]
    return [float(taken[k].max()) for k in range(len(patterns))]


def read_columns(name: str) -> list[list[float]]:
    """The columns of a table; shorter ones end early."""
    with (PUBLISHED / name).open() as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
    return [[float(row[k]) for row in rows if row[k]] for k in range(len(rows[0]))]


class Measured(NamedTuple):
    """A published curve, and where its blocks begin within a transaction."""

    what: str
    blocks: list[float]  #: bytes; those of further rates are left out
    rates: list[float]  #: GB/s
    is_put: bool
    offset: int
    is_fit: bool
    source: str


def transfers() -> tuple[list[Curve], list[Figure]]:
    """Throughput by block size, and of long transfers."""
    swdnn_blocks, gets, puts = read_columns("swdnn_dma.csv")
    tile_blocks, first, second = read_columns("swgemm_mbw_map.csv")
    aligned = "blocks that begin with a transaction"
    measured = [
        Measured(f"gets, {aligned}", swdnn_blocks, gets, False, 0, True, SWDNN),
        Measured(f"puts, {aligned}", swdnn_blocks, puts, True, 0, True, SWDNN),
        Measured("strided gets, first run", tile_blocks, first, False, 48, True, SWGEMM),
        Measured("strided gets, second run", tile_blocks, second, False, 48, False, SWGEMM),
    ]
    patterns = [
        blocks_of(int(block), is_put=one.is_put, offset=one.offset)
        for one in measured
        for block, _ in zip(one.blocks, one.rates, strict=False)
    ]
    long = Pattern(0, 6, 16384, 16384, 0, 0, 6 * 16384)
    cycles = transfer_cycles([*patterns, long])
    rates = [CPES * p.requests * p.bytes * GHZ / c for p, c in zip(patterns, cycles, strict=False)]
    out = []
    for one in measured:
        count = len(one.rates)
        predicted, rates = rates[:count], rates[count:]
        sizes = [int(block) for block in one.blocks[:count]]
        out.append(Curve(one.what, sizes, one.rates, predicted, one.is_fit, one.source))
    rate = CPES * long.requests * long.bytes * GHZ / cycles[-1]
    return out, [
        Figure("long gets, sustained", "GB/s", 30.94, 30.94, rate, False,
               f"vendor's document, quoted by {THESIS}"),
        Figure("long gets, where the curve is flat", "GB/s", 28, 28, rate, False, SWCAFFE),
    ]  # fmt: skip


def panels(curves: Sequence[Curve]) -> list[Panel]:
    """Those of swDNN beside those of swGEMM."""
    by_swdnn = [(curve.what.split(",")[0], curve) for curve in curves[:2]]
    by_swgemm = [(curve.what.split(", ")[1], curve) for curve in curves[2:]]
    return [Panel("swDNN", by_swdnn), Panel("swGEMM", by_swgemm)]


def triad() -> list[Figure]:
    """A sum of two arrays that stream through the LDM."""
    # As malloc gives them: large blocks begin 16 bytes behind a page.
    taken = timed("triad", np.ones(3145734), 2)["taken"]
    rate = 3 * 8 * 1048576 * GHZ / float(taken.max())
    what = "STREAM triad, arrays as malloc gives them"
    return [Figure(what, "GB/s", 22.6, 22.6, rate, False, XU)]


def arithmetic() -> list[Figure]:
    """Cycles of single instructions, and of the inner loop of a product."""
    steps = 1000
    taken = timed("arithmetic")["taken"] / steps
    table = f"{THESIS}, table 3.2"
    what = "16 vector multiply-adds and 8 loads"
    source = f"{TACO}, figure 5"
    return [
        Figure("dependent vector multiply-add", "cycles", 7, 7, taken[0], True, table),
        Figure("independent vector multiply-add", "cycles", 1, 1, taken[1], True, table),
        Figure("dependent load of the LDM", "cycles", 3, 4, taken[2], True, table),
        Figure("dependent integer multiply and add", "cycles", 6, 6, taken[3], True, table),
        Figure(f"{what}, as compiled", "cycles", 25, 26, taken[4] * 8, False, source),
        Figure(f"{what}, ordered by hand", "cycles", 16, 17, taken[5] * 8, False, source),
    ]


def messages() -> list[Figure]:
    """Vectors that CPEs send each other along their rows."""
    rounds = 4000
    taken = timed("messages")["taken"]
    chip = CHIP_CPES / CPES * 32 * rounds * GHZ
    return [
        Figure("a register message, from put to use", "cycles", 10, 11,
               taken[0, 0] / rounds / 2, True, THESIS),
        Figure("register messages from CPE to CPE, chip", "GB/s", 2549, 2549,
               chip * CPES / 2 / taken[1].max(), True, LIN),
        Figure("register messages broadcast, received, chip", "GB/s", 4461, 4461,
               chip * 8 * 7 / taken[2].max(), False, LIN),
    ]  # fmt: skip


def main_memory() -> list[Figure]:
    """Plain loads and stores of one CPE, and of all."""
    words = 256
    taken = timed("main_memory", np.zeros(16384, "int64"))["taken"]
    load, store = taken[0, 0] / words, taken[1, 0] / words
    rate = CPES * 8 * words * GHZ / taken[2].max()
    return [
        Figure("plain load of main memory", "cycles", 177, 177, load, True, LIN),
        Figure("plain load and store of main memory", "cycles", 278, 278, load + store, True, LIN),
        Figure("plain loads of all CPEs", "GB/s", 1.48, 1.48, rate, True, XU),
    ]


def launches() -> list[Figure]:
    """Ten launches, of 20 gets per CPE each, that move so many bytes in all."""
    sizes = np.array([0, 2048, 4096, 6144], "int32")
    # What does not grow with the bytes gave the cycles of spawn and join: one of the three is fit.
    taken = timed("launches", np.zeros(10485760, "int8"), sizes)["taken"] / GHZ / 1e6
    return [
        Figure(
            f"ten launches that get {megabytes} MB", "ms", low, high, taken[k], k == 1, SWDNN_LOG
        )
        for k, (megabytes, low, high) in enumerate(
            [(26.2, 1.239, 1.239), (52.4, 2.01, 2.16), (78.6, 2.87, 3.03)], start=1
        )
    ]


def products() -> list[Figure]:
    """Tiles that lie in the LDM, and a whole product."""
    out = []
    whole = 0.0
    for tile in [(256, 256, 256), (128, 256, 256), (256, 256, 128), (128, 128, 256)]:
        m, n, k = tile
        two, four = product_time(tile, 2), product_time(tile, 4)
        cycles = (four.cycles - two.cycles - (four.waited - two.waited)) / 2
        # Seconds of a tile, a fit of its authors to their measurements (sw_sgemm_std.c).
        tenfold = 9.55371467e-9 * n + 4.80294349e-10 * m * n + 3.85210279e-11 * m * k * n
        published = (tenfold + 1.36105221e-5) / 10 * 1e6
        what = f"a tile of {m} x {n} x {k}, single precision"
        us = cycles / GHZ / 1000
        out.append(Figure(what, "us", published, published, us, False, f"fit in {SWGEMM_SOURCE}"))
        if tile == (256, 256, 256):
            # 16 tiles of the result, one after the other.
            whole = 2 * 1024**3 * GHZ / (16 * four.cycles)
    what = "a product of 1024 x 1024 x 1024"
    out.append(Figure(f"{what}, best tiles", "GFLOP/s", 363.6, 363.6, whole, False, THESIS_GEMM))
    m, n, k = SMALLEST_TILE
    cycles = 1024 // m * (1024 // n) * product_time(SMALLEST_TILE, 1024 // k).cycles
    worst = 2 * 1024**3 * GHZ / cycles
    out.append(Figure(f"{what}, worst tiles", "GFLOP/s", 66.8, 66.8, worst, False, THESIS_GEMM))
    return out


#: Of those that the public swGEMM tries (`sw_sgemm_std.c`).
SMALLEST_TILE = (32, 128, 32)

PRODUCTS = """The code is ours in the style of swGEMM, `bench/hand/sw26010/gemm_registers`. The
worst tiles are taken to be the smallest that the public swGEMM tries, 32 x 128 x 32. The best are
256 in each direction; 64 times what swGEMM's authors fitted for such a tile would be 483 GFLOP/s,
so a quarter of their time is in what the fit leaves out. Their public code copies matrices to
others with padding before and after; whether the published figure has that in it is not said.
"""


CODE = """Nothing is published of what a miss of the instruction cache costs: the figures of the
target file are assumed but for the sizes of the two levels. What they make of loops of additions,
two of which a CPE issues per cycle, that all CPEs run at once:

| code of the loop | cycles per instruction |
|---|---|
"""


def code_sizes() -> str:
    """Loops of more and more code."""
    rounds, instruction_bytes = 16, 4
    taken = timed("code_size")["taken"]
    rows = [
        f"| {kilobytes} KB | {cycles / rounds / (1024 * kilobytes / instruction_bytes):.2f} |\n"
        for kilobytes, cycles in zip((8, 16, 20, 24, 32, 64, 96), taken, strict=True)
    ]
    return CODE + "".join(rows)


PARTS: dict[str, Callable[[], list[Figure]]] = {
    "Instructions": arithmetic,
    "Register messages": messages,
    "Main memory without transfers": main_memory,
    "Launches": launches,
    "Products by register communication": products,
}


NOTES = {"Products by register communication": PRODUCTS}


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the page, or compares it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with the page, write nothing")
    options = parser.parse_args(arguments)
    curves, single = transfers()
    parts = [Part("Transfers", single + triad(), curves, DMA)]
    parts += [Part(title, part(), notes=NOTES.get(title, "")) for title, part in PARTS.items()]
    parts.append(Part("Code that is larger than the instruction cache", notes=code_sizes()))
    if not options.check:
        axes = Axes("bytes of a block", "GB/s, 64 CPEs", "linear", "lower right")
        draw(panels(curves), axes, PICTURE)
    return write(PAGE, page(HEAD, parts), options.check)


if __name__ == "__main__":
    sys.exit(main())
