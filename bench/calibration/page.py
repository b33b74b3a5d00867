"""What the page of calibration consists of: figures, curves, and how they are written."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["Axes", "Curve", "Figure", "Panel", "Part", "draw", "page", "write"]


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
    """Published values by size, and what is predicted of them."""

    what: str
    blocks: list[int]  #: bytes
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


ROLES = """*Fit*: a figure of the target file was taken from it, so that it is met says little.
*Held out*: nothing was adjusted to it. A curve counts as one figure, by the median of its points.

"""


class Part(NamedTuple):
    """A section of a page."""

    title: str
    figures: Sequence[Figure] = ()
    curves: Sequence[Curve] = ()
    notes: str = ""


def page(head: str, parts: Sequence[Part]) -> str:
    """The whole page: its head, the errors in short, and its parts."""
    figures = [figure for part in parts for figure in part.figures]
    curves = [curve for part in parts for curve in part.curves]
    text = head + "\n" + ROLES + summary(figures, curves) + "\n"
    for part in parts:
        text += f"\n## {part.title}\n"
        if part.figures:
            text += "\n" + table(part.figures) + "\n"
        if part.curves:
            text += "\n" + curve_table(part.curves) + "\n"
        if part.notes:
            text += "\n" + part.notes
    return text


def write(page: Path, text: str, check: bool) -> int:
    """Writes a page, or says whether it is what would be written; the exit code of its program."""
    if check:
        same = page.exists() and page.read_text() == text
        print(f"{page} is {'up to date' if same else 'not what would be written'}")
        return 0 if same else 1
    page.write_text(text)
    print(page)
    return 0


class Panel(NamedTuple):
    """One of the plots of a picture."""

    title: str
    curves: Sequence[tuple[str, Curve]]  #: with their names


class Axes(NamedTuple):
    """What the plots of a picture have in common."""

    xlabel: str
    ylabel: str
    yscale: str
    legend: str  #: where it stands


def draw(panels: Sequence[Panel], common: Axes, picture: Path) -> None:
    """Published points and predicted lines, side by side."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "solway"
    from matplotlib import pyplot as plt

    axes: list[plt.Axes]
    figure, axes = plt.subplots(1, len(panels), figsize=(10, 4), sharey=True)
    colors = ("tab:blue", "tab:orange", "tab:green", "tab:red")
    for axis, panel in zip(axes, panels, strict=True):
        for color, (name, curve) in zip(colors, panel.curves, strict=False):
            axis.plot(curve.blocks, curve.published, ".", color=color, label=f"{name}, published")
            axis.plot(curve.blocks, curve.predicted, "-", color=color, label="predicted", lw=0.8)
        axis.set(title=panel.title, xlabel=common.xlabel, xscale="log", yscale=common.yscale)
        axis.grid(alpha=0.3)
        axis.legend(loc=common.legend, fontsize="small")
    axes[0].set_ylabel(common.ylabel)
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None, "Creator": None})
    print(picture)
