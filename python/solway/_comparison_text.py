"""A comparison as text, as HTML and as a picture."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from solway._limits import Limits
from solway._location import caller
from solway._roofline import Point, roofline
from solway._source_page import source_part
from solway._timeline_page import page_with, part_of
from solway.errors import UnsupportedError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from solway.comparison import Comparison, Measurement

__all__ = ["as_html", "as_page", "as_text", "clock_of", "draw", "quantity"]

_NO_CLOCK = "no clock in this mode"


class Table(NamedTuple):
    """Rows of text under a title.

    Args:
        title: what it shows.
        columns: their names; all but the first two are numbers.
        rows: one per candidate.
        note: what the columns mean.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = "error: the largest difference, over what rounding allows"


def quantity(value: float, unit: str) -> str:
    """A number with three digits and a decimal prefix.

    Args:
        value: not negative.
        unit: of the number.

    Returns:
        The text.

    Example:
        >>> quantity(0.00123, "s"), quantity(140_553_600, "FLOP"), quantity(12, "B")
        ('1.23 ms', '141 MFLOP', '12 B')
    """
    if value == 0:
        return f"0 {unit}"
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")):
        if value >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    for factor, prefix in ((1e-3, "m"), (1e-6, "µ")):
        if value >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value / 1e-9:.3g} n{unit}"


def clock_of(measurement: Measurement) -> str:
    """What its time is measured in, in words."""
    if measurement.cycles is not None:
        return f"cycles of {measurement.target}"
    return _NO_CLOCK if measurement.is_emulated else "seconds of this machine"


def as_text(comparison: Comparison) -> str:
    """The tables as text: by rich when it is there, else plain."""
    parts = [_header(comparison)]
    draw_table = _rich_table() or _plain_table
    parts += [draw_table(table) for table in _tables(comparison)]
    return "\n".join(parts)


def as_html(comparison: Comparison) -> str:
    """The tables as a piece of HTML."""
    header = "".join(f"<p>{escape(line)}</p>" for line in _header(comparison).splitlines())
    return header + "".join(map(_html_table, _tables(comparison)))


def as_page(comparison: Comparison, numbers: str) -> str:
    """A page that needs no other file; `numbers` is JSON."""
    names = " and ".join(comparison.measurements)
    parts = [f"<h1>{escape(names)}</h1>", as_html(comparison), _roofline_part(comparison)]
    for m in comparison.measurements.values():
        if m.timeline is None:
            continue
        parts.append(part_of(m.timeline, m.name))
        parts.append(source_part(m.source or {}, m.timeline))
    parts.append(f"<details><summary>numbers</summary><pre>{escape(numbers)}</pre></details>")
    return page_with("solway: comparison", "\n".join(parts))


def _roofline_part(comparison: Comparison) -> str:
    """A roofline per machine with a clock."""
    under: dict[Limits, list[Point]] = {}
    for m in comparison.measurements.values():
        reached = m.gflops(comparison.operations)
        moved = sum((m.bytes or {}).values())
        if m.cycles is None or m.limits is None or not reached or not moved:
            continue
        intensity = (comparison.operations or 0) / moved
        under.setdefault(m.limits, []).append(Point(m.name, intensity, reached))
    return "".join(f"<h2>Roofline</h2>{roofline(*one)}" for one in under.items())


def draw(comparison: Comparison, path: Path) -> None:
    """Draws times and bytes with matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UnsupportedError(
            "a plot needs matplotlib", "it is not installed", "pip install 'solway[plot]'", caller()
        ) from None
    measured = list(comparison.measurements.values())
    timed = [m for m in measured if m.median is not None]
    emulated = [m for m in measured if m.is_emulated]
    parts = [part for part in (timed, emulated) if part]
    figure = Figure(figsize=(6 * len(parts), 1.2 + 0.5 * max(map(len, parts))))
    axes = figure.subplots(1, len(parts), squeeze=False)[0]
    if timed:
        _draw_times(axes[0], timed)
    if emulated:
        _draw_bytes(axes[-1], emulated)
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def _draw_times(axis: Axes, timed: Sequence[Measurement]) -> None:
    names = [m.name for m in timed]
    medians = [1e3 * (m.median or 0) for m in timed]
    below = [1e3 * ((m.median or 0) - (m.min or 0)) for m in timed]
    axis.barh(names, medians, xerr=[below, [0] * len(timed)], color="#4878a8", capsize=3)
    axis.set_xlabel("ms: median, the line from the minimum")
    axis.invert_yaxis()


def _draw_bytes(axis: Axes, emulated: Sequence[Measurement]) -> None:
    left = [0.0] * len(emulated)
    for kind in _kinds(emulated):
        widths = [(m.bytes or {}).get(kind, 0) / 1e6 for m in emulated]
        axis.barh([m.name for m in emulated], widths, left=left, label=kind)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axis.set_xlabel("MB moved")
    axis.legend()
    axis.invert_yaxis()


def _header(comparison: Comparison) -> str:
    lines = [f"results agree: {comparison.agreement}"]
    work = [f"arguments {quantity(comparison.argument_bytes, 'B')}"]
    if comparison.operations:
        work.insert(0, quantity(comparison.operations, "FLOP"))
    lines.append(f"one call: {', '.join(work)}")
    if comparison.load is not None and comparison.repeats:
        lines.append(
            f"load before: {comparison.load:.2f} on {comparison.cores} cores"
            + ("" if comparison.load < 0.5 else "; not idle, so times may be too long")
        )
    return "\n".join(lines)


def _tables(comparison: Comparison) -> list[Table]:
    measured = list(comparison.measurements.values())
    timed = [m for m in measured if m.median is not None]
    emulated = [m for m in measured if m.is_emulated]
    tables = []
    if timed:
        tables.append(_time_table(comparison, timed))
    if emulated:
        tables.append(_emulated_table(comparison, emulated))
    return tables


def _time_table(comparison: Comparison, timed: Sequence[Measurement]) -> Table:
    fastest = min(m.median or 0.0 for m in timed)
    columns = ["candidate", "target", "min", "median", "spread", "GFLOP/s", "ratio", "error"]
    rows = [
        [
            m.name,
            m.target,
            quantity(m.min or 0.0, "s"),
            quantity(m.median or 0.0, "s"),
            "" if m.spread is None else f"{100 * m.spread:.0f} %",
            _number(m.gflops(comparison.operations), "{:.1f}"),
            f"{(m.median or 0.0) / fastest:.2f}" if fastest else "",
            f"{m.error:.3f}",
        ]
        for m in timed
    ]
    title = f"this machine: {comparison.repeats} repeats, candidates in turn"
    note = (
        "spread: middle half over median; ratio: to the fastest; error: over what rounding allows"
    )
    return _without_empty_columns(Table(title, columns, rows, note))


def _emulated_table(comparison: Comparison, emulated: Sequence[Measurement]) -> Table:
    kinds = _kinds(emulated)
    fastest = min((m.cycles for m in emulated if m.cycles is not None), default=0)
    columns = ["candidate", "target", "cycles", "GFLOP/s", "roofline", "ratio"]
    columns += [*(f"{k} bytes" for k in kinds), "LDM peak", "error"]
    rows = []
    for m in emulated:
        share = m.roofline(comparison.operations, comparison.argument_bytes)
        rows.append(
            [
                m.name,
                m.target,
                _number(m.cycles, "{:,}"),
                _number(m.gflops(comparison.operations), "{:.1f}"),
                "" if share is None else f"{100 * share:.1f} %",
                "" if m.cycles is None or not fastest else f"{m.cycles / fastest:.2f}",
                *(f"{(m.bytes or {}).get(k, 0):,}" for k in kinds),
                _number(m.ldm_peak_bytes, "{:,}"),
                f"{m.error:.3f}",
            ]
        )
    if not fastest:
        title = f"emulated: {_NO_CLOCK}, so bytes and scratchpad only"
        return _without_empty_columns(Table(title, columns, rows))
    note = (
        "roofline: of what peak and throughput allow if only the arguments are moved; ratio: to "
        "the fastest; error: over what rounding allows"
    )
    return _without_empty_columns(Table("emulated, by its own clock", columns, rows, note))


def _kinds(emulated: Iterable[Measurement]) -> list[str]:
    return list(dict.fromkeys(kind for m in emulated for kind in m.bytes or {}))


def _number(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)


def _without_empty_columns(table: Table) -> Table:
    kept = [i for i in range(len(table.columns)) if any(row[i] for row in table.rows)]
    rows = [[row[i] for i in kept] for row in table.rows]
    return table._replace(columns=[table.columns[i] for i in kept], rows=rows)


def _plain_table(table: Table) -> str:
    rows = [list(table.columns), *map(list, table.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.columns))]
    lines = [
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([table.title, lines[0], rule, *lines[1:], table.note])


def _rich_table() -> Callable[[Table], str] | None:
    """Draws with rich; None when it is not installed."""
    try:
        from rich.console import Console
        from rich.table import Table as RichTable
    except ImportError:
        return None

    def drawn(table: Table) -> str:
        made = RichTable(title=None)
        for i, column in enumerate(table.columns):
            made.add_column(column, justify="left" if i < 2 else "right", no_wrap=True)
        for row in table.rows:
            made.add_row(*(cell.replace("[", r"\[") for cell in row))
        out = io.StringIO()
        Console(file=out, width=160, color_system=None).print(made)
        return f"{table.title}\n{out.getvalue().rstrip()}\n{table.note}"

    return drawn


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{escape(c)}</th>" for c in table.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    return (
        f'<div class="wide"><table><caption>{escape(table.title)}</caption>'
        f"<tr>{head}</tr>{rows}</table></div>"
        f"<p>{escape(table.note)}</p>"
    )
