"""Predicts in timed mode what was measured of a machine like SW26010-Pro, and writes a page.

That is docs/calibration_sw26010pro.md.

    python bench/calibrate_sw26010pro.py           writes the page and its picture
    python bench/calibrate_sw26010pro.py --check   says whether the page is what would be written

Timed mode gives the same number of cycles in every run, so the page has no noise.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import solway as sw
from calibration.page import Axes, Curve, Figure, Panel, Part, draw, page, write

ROOT = Path(__file__).parents[1]
KERNELS = ROOT / "bench" / "calibration" / "sw26010pro"
PUBLISHED = ROOT / "bench" / "calibration" / "published"
PAGE = ROOT / "docs" / "calibration_sw26010pro.md"
PICTURE = ROOT / "docs" / "calibration_sw26010pro.svg"
CPES = 64
MESH = 8
RMA = "medians of three jobs"
IDLE, STREAM, FIRST, SECOND = range(4)

HEAD = """# Calibration of timed mode for SW26010-Pro

Written by `python bench/calibrate_sw26010pro.py`; do not edit it. Little is published of this
machine. What follows was measured by the authors of the public repository
liuchang2289880191/sw_test on an SW39000, which has the same clock, LDM, core groups and clusters
of 2 x 2 cores, and which they do not call an SW26010-Pro. Small programs of
`bench/calibration/sw26010pro` do in the emulator what theirs did there: transfers that wait for
each other, and puts from LDM to LDM.

Nothing is known here of the core's instructions: their latencies are those of
[SW26010](calibration.md), and what compiled code needs is taken from SVE of 512 bits
([timed mode](timed_mode.md)). Not measured either, and assumed: barriers, strided transfers,
several transfers of one core at once, gets and broadcasts from LDM to LDM, starts and ends of the
cores, plain accesses of main memory, whose cache is not emulated.
"""

TRANSFERS = """Parts 65664 bytes apart and parts 131200 bytes apart were measured in different
runs. Small transfers of 64 cores differ by up to 35 % between the two: which parts are slow goes
with their addresses, which the emulator does not know of. Lines of 128 bytes that a put writes in
part are the worst of it: the machine takes twice as long for some of them, by where the piece
begins.

![cycles of a transfer by its bytes](calibration_sw26010pro.svg)
"""

COPIES = """Each further core that put something slowed all others by about 25 cycles per put, in
the same cluster or far away; the emulator does not have that. The authors ran with the stack of
the cores in main memory, and each of their puts may have used it.
"""


class Transfer(NamedTuple):
    """One measured transfer."""

    stride: int
    direction: str
    cores: int
    bytes: int
    offset: int
    cycles: float

    @property
    def kind(self) -> tuple[int, str, int, int]:
        """What is alike in those of one curve."""
        return self.stride, self.direction, self.cores, self.offset

    @property
    def is_fit(self) -> bool:
        """Whether the rows of `bandwidth` are taken from it."""
        return self.stride == 65664 and self.cores == CPES and self.offset == 0


def read_rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a table."""
    with (PUBLISHED / name).open() as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


def timed(name: str, *arguments: object) -> np.ndarray:
    """The cycles that a kernel of the folder says, by pattern and CPE."""
    results = sw.hand_kernel(KERNELS / name).run(*arguments, mode="timed")
    return results[-1] if isinstance(results, tuple) else results


def transfer_cycles(measured: Sequence[Transfer]) -> list[float]:
    """Of the slowest core, per request."""
    requests = 4
    rows = np.zeros((1024, 6), "int32")
    for row, one in zip(rows, measured, strict=False):
        is_put = int(one.direction == "put")
        row[:] = (is_put, requests, one.bytes, one.offset, one.stride, one.cores)
    taken = timed("transfers", np.zeros(16777216, "int8"), rows, len(measured))
    return [float(taken[k].max()) / requests for k in range(len(measured))]


def transfers() -> tuple[list[Figure], list[Curve]]:
    """Start-ups, and cycles by bytes."""
    measured = [
        Transfer(int(row["stride"]), row["direction"], int(row["cores"]), int(row["bytes"]),
                 int(row["offset"]), float(row["cycles"]))
        for row in read_rows("sw39000_dma.csv")
    ]  # fmt: skip
    predicted = dict(zip(measured, transfer_cycles(measured), strict=True))
    figures = []
    curves = []
    for kind in dict.fromkeys(one.kind for one in measured):
        stride, direction, cores, offset = kind
        of_kind = [one for one in measured if one.kind == kind]
        where = f", {offset} bytes behind a transaction's start" if offset else ""
        what = f"{direction}s of {cores} core{'s' if cores > 1 else ''}{where}"
        source = f"parts {stride} bytes apart"
        small = of_kind[0]
        if kind in ((65664, "get", 1, 0), (65664, "put", 1, 0)):
            figures.append(figure(f"{direction} of 8 bytes by one core", small, predicted, True))
            of_kind.remove(small)
        if kind == (65664, "put", CPES, 0):
            partial = next(one for one in of_kind if one.bytes == 64)
            name = "put of 64 bytes by each of 64 cores"
            figures.append(figure(name, partial, predicted, True))
            of_kind = [one for one in of_kind if one.bytes >= 128]
        sizes = [one.bytes for one in of_kind]
        cycles = [one.cycles for one in of_kind]
        guessed = [predicted[one] for one in of_kind]
        curves.append(Curve(what, sizes, cycles, guessed, small.is_fit, source))
    return figures, curves


def figure(what: str, one: Transfer, predicted: dict[Transfer, float], is_fit: bool) -> Figure:
    """A transfer by itself."""
    source = f"parts {one.stride} bytes apart"
    return Figure(what, "cycles", one.cycles, one.cycles, predicted[one], is_fit, source)


class Pattern(NamedTuple):
    """Who puts to whom, by CPEs."""

    targets: dict[int, list[int]]
    is_game: bool = False  #: there and back


#: Of four cores of a cluster: A, B in its upper row, C, D below them.
A, B, C, D = 0, 1, 8, 9
PATTERNS = {
    "stream": Pattern({A: [B]}),
    "single": Pattern({A: [B]}),
    "intra2": Pattern({A: [B], C: [D]}),
    "split_far2": Pattern({A: [B], 54: [55]}),
    "incast3": Pattern({B: [A], C: [A], D: [A]}),
    "ring4": Pattern({A: [B], B: [D], D: [C], C: [A]}),
    "alltoall4": Pattern({A: [B, C, D], B: [A, C, D], C: [A, B, D], D: [A, B, C]}),
}


def pattern_of(name: str) -> Pattern:
    """A game of two is named by its cores."""
    if name in PATTERNS:
        return PATTERNS[name]
    first, second = (int(number) for number in name.split("-"))
    return Pattern({first: [second], second: [first]}, is_game=True)


def parts_of(pattern: Pattern, size: int, window: int, rounds: int) -> np.ndarray:
    """As the kernel remote_copies takes them."""
    parts = np.zeros((CPES, 8), "int32")
    parts[:, 4:7] = -1
    if pattern.is_game:
        first, second = pattern.targets
        parts[first, :5] = (FIRST, rounds, size, 1, second)
        parts[second, :5] = (SECOND, rounds, size, 1, first)
        return parts
    for sender, receivers in pattern.targets.items():
        parts[sender, :4] = (STREAM, rounds, size, window)
        parts[sender, 4 : 4 + len(receivers)] = receivers
    for receiver in (r for receivers in pattern.targets.values() for r in receivers):
        if parts[receiver, 0] == IDLE:
            parts[receiver, :4] = (STREAM, 0, size, window)
        parts[receiver, 7] += rounds * window
    return parts


class Put(NamedTuple):
    """One measured put."""

    pattern: str
    bytes: int
    window: int
    cycles: float


def put_cycles(measured: Sequence[Put]) -> list[float]:
    """Of one put of each pair; of a game, half of a round trip."""
    rounds = 24
    every = [parts_of(pattern_of(one.pattern), one.bytes, one.window, rounds) for one in measured]
    rows = np.zeros((256, CPES, 8), "int32")
    rows[: len(every)] = every
    taken = timed("remote_copies", rows, len(every))
    puts = [rounds * (2 if pattern_of(one.pattern).is_game else one.window) for one in measured]
    return [float(taken[k].max()) / number for k, number in enumerate(puts)]


#: From which the figures of [timing.remote_copies] were taken.
FIT = {
    ("0-1", 8, 1), ("0-63", 8, 1), ("stream", 8, 1), ("stream", 8, 16), ("stream", 65536, 1),
    ("alltoall4", 64, 4),
}  # fmt: skip
WORDS = {
    "0-1": "half of a round trip within a cluster",
    "0-63": "half of a round trip from corner to corner",
    "stream": "puts of one core to its neighbour",
    "intra2": "puts of two pairs of a cluster",
    "split_far2": "puts of two pairs in distant clusters",
    "incast3": "puts of three cores of a cluster to the fourth",
    "ring4": "puts of four cores of a cluster in a ring",
    "alltoall4": "puts of four cores of a cluster, each to all others",
    "single": "puts of one core, in the runs of several pairs",
}


def copies() -> tuple[list[Figure], list[Curve]]:
    """Puts from LDM to LDM."""
    measured = [
        Put(row["pattern"], int(row["bytes"]), int(row["window"]), float(row["cycles"]))
        for row in read_rows("sw39000_rma.csv")
    ]
    predicted = dict(zip(measured, put_cycles(measured), strict=True))

    def words(one: Put) -> str:
        name = WORDS.get(one.pattern, f"half of a round trip, cores {one.pattern}")
        return f"{name}, {one.window} at once" if one.pattern in PATTERNS else name

    figures = [
        Figure(f"{words(one)}, {one.bytes} bytes", "cycles", one.cycles, one.cycles,
               predicted[one], True, RMA)
        for one in measured
        if one[:3] in FIT
    ]  # fmt: skip
    names = list(dict.fromkeys(one.pattern for one in measured))
    rest = [one for one in measured if one[:3] not in FIT]
    rest.sort(key=lambda one: (names.index(one.pattern), one.window, one.bytes))
    return figures, [curve(name, of_name, predicted) for name, of_name in grouped(rest, words)]


def grouped(puts: Iterable[Put], words) -> list[tuple[str, list[Put]]]:  # noqa: ANN001
    """By what is said of them."""
    groups: dict[str, list[Put]] = {}
    for one in puts:
        groups.setdefault(words(one), []).append(one)
    return list(groups.items())


def curve(name: str, puts: Sequence[Put], predicted: dict[Put, float]) -> Curve:
    """Cycles by bytes; held out."""
    sizes = [one.bytes for one in puts]
    return Curve(name, sizes, [one.cycles for one in puts], [predicted[one] for one in puts],
                 False, RMA)  # fmt: skip


def panels(curves: Sequence[Curve]) -> list[Panel]:
    """Gets beside puts, of the run that nothing was taken from."""
    out = []
    for direction in ("get", "put"):
        names = {f"{direction}s of {cores}": f"{cores}" for cores in (1, 8, 64)}
        chosen = [
            (f"{names[key]} core{'s' if names[key] != '1' else ''}", one)
            for one in curves
            for key in names
            if one.source.startswith("parts 131200") and one.what in (key + " core", key + " cores")
        ]
        out.append(Panel(f"{direction}s, parts 131200 bytes apart", chosen))
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the page, or compares it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with the page, write nothing")
    options = parser.parse_args(arguments)
    figures, curves = transfers()
    puts, streams = copies()
    parts = [
        Part("Transfers", figures, curves, TRANSFERS),
        Part("Copies from LDM to LDM", puts, streams, COPIES),
    ]
    if not options.check:
        draw(panels(curves), Axes("bytes", "cycles of a transfer", "log", "upper left"), PICTURE)
    return write(PAGE, page(HEAD, parts), options.check)


if __name__ == "__main__":
    sys.exit(main())
