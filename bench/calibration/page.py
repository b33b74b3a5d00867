"""What the page of calibration consists of: figures, curves, and how they are written."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["Curve", "Figure", "draw", "page"]


class Figure(NamedTuple):
    """One published figure and what is predicted for it."""

    what: str
    unit: str
    low: float
    high: float  #: equal to `low` unless a range is published
    predicted: float
    is_fit: bool  #: whether a figure of the target file comes from it
    source: str

    @property
    def error(self) -> float:
        """Relative, to the nearer end of the range; 0 within it."""
        nearest = min(max(self.predicted, self.low), self.high)
        return self.predicted / nearest - 1


class Curve(NamedTuple):
    """Published throughput by block size, and what is predicted, in GB/s."""

    what: str
    blocks: list[int]
    published: list[float]
    predicted: list[float]
    is_fit: bool
    source: str

    @property
    def errors(self) -> list[float]:
        """Relative, by point."""
        pairs = zip(self.predicted, self.published, strict=True)
        return [predicted / published - 1 for predicted, published in pairs]

    @property
    def median(self) -> float:
        """Of the points' errors, whatever their signs."""
        return statistics.median(abs(error) for error in self.errors)


def number(value: float) -> str:
    """Three digits of it."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def table(figures: Sequence[Figure]) -> str:
    """A row per figure."""
    lines = [
        "| what | published | predicted | error | role | source |",
        "|---|---|---|---|---|---|",
    ]
    for f in figures:
        published = number(f.low) if f.low == f.high else f"{number(f.low)} to {number(f.high)}"
        role = "fit" if f.is_fit else "held out"
        lines.append(
            f"| {f.what} | {published} {f.unit} | {number(f.predicted)} | {f.error:+.1%} "
            f"| {role} | {f.source} |"
        )
    return "\n".join(lines)


def curve_table(curves: Sequence[Curve]) -> str:
    """A row per curve."""
    lines = [
        "| curve | points | median error | worst error | over 30 % at | role | source |",
        "|---|---|---|---|---|---|---|",
    ]
    for c in curves:
        worst = max(c.errors, key=abs)
        far = [
            f"{block}" for block, error in zip(c.blocks, c.errors, strict=True) if abs(error) > 0.3
        ]
        role = "fit" if c.is_fit else "held out"
        lines.append(
            f"| {c.what} | {len(c.blocks)} | {c.median:.1%} | {worst:+.0%} "
            f"| {', '.join(far) + ' bytes' if far else '-'} | {role} | {c.source} |"
        )
    return "\n".join(lines)


def summary(figures: Sequence[Figure], curves: Sequence[Curve]) -> str:
    """Median and worst errors of what was held out, and of what was not."""
    lines = ["| | figures | median error | worst error |", "|---|---|---|---|"]
    for is_fit in (False, True):
        errors = [abs(f.error) for f in figures if f.is_fit == is_fit]
        errors += [c.median for c in curves if c.is_fit == is_fit]
        role = "fit" if is_fit else "held out"
        lines.append(
            f"| {role} | {len(errors)} | {statistics.median(errors):.1%} | {max(errors):.1%} |"
        )
    return "\n".join(lines)


HEAD = """# Calibration of timed mode

Written by `python bench/calibrate_sw26010.py`; do not edit it. Nobody here has a Sunway machine:
what timed mode says is held against what others have published of theirs. Each figure is measured
in the emulator as it was measured there, by a small program of `bench/calibration/sw26010` that
reads the cycle counter; timed mode repeats to the cycle, so the page has no noise.

Whole kernels of others, in their own sources, have pages of their own:
[convolutions of swDNN](calibration_swdnn.md), [the inner product of swGEMM](calibration_swgemm.md).

*Fit*: a figure of `targets/sw26010.toml` was taken from it, so that it is met says little.
*Held out*: nothing was adjusted to it. A curve counts as one figure, by the median of its points.

"""

DMA = """
The two public measurements of transfers differ by 20 to 30 %. Those of swGEMM have steps of 128
bytes, at 80, 208, 336 bytes and so on: their blocks begin 48 bytes behind the start of a
transaction, and take as long as the whole transactions that they touch. The throughput of such
transactions, 25.4 GB/s, is taken from the first of its two runs. What is not explained: two sizes
at which the machine was half as fast (224 and 448 bytes), and blocks of less than 80 bytes, which
were faster there than in swDNN's measurement.

![throughput by block size](calibration_dma.svg)
"""


def page(figures: dict[str, list[Figure]], curves: list[Curve]) -> str:
    """The whole page; curves are those of the part "Transfers"."""
    every = [figure for part in figures.values() for figure in part]
    text = HEAD + summary(every, curves) + "\n"
    for title, part in figures.items():
        text += f"\n## {title}\n\n" + table(part) + "\n"
        if title == "Transfers":
            text += "\n" + curve_table(curves) + "\n" + DMA
    return text


def draw(curves: Sequence[Curve], picture: Path) -> None:
    """Published points and predicted lines, those of swDNN beside those of swGEMM."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "solway"
    from matplotlib import pyplot as plt

    axes: list[plt.Axes]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
    for axis, part, title in ((axes[0], curves[:2], "swDNN"), (axes[1], curves[2:], "swGEMM")):
        for color, curve in zip(("tab:blue", "tab:orange"), part, strict=True):
            name = curve.what.split(",")[0] if axis is axes[0] else curve.what.split(", ")[1]
            axis.plot(curve.blocks, curve.published, ".", color=color, label=f"{name}, published")
            axis.plot(curve.blocks, curve.predicted, "-", color=color, label="predicted", lw=0.8)
        axis.set(title=title, xlabel="bytes of a block", xscale="log")
        axis.grid(alpha=0.3)
        axis.legend(loc="lower right", fontsize="small")
    axes[0].set_ylabel("GB/s, 64 CPEs")
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None, "Creator": None})
