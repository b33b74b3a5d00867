"""A schedule as one page: its loops, its tree, and what each primitive did."""

from __future__ import annotations

import difflib
import os
import re
import tempfile
import webbrowser
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from solway import _core
from solway._location import caller
from solway._schedule_history import states_of
from solway._written import replace_file
from solway.errors import IllegalScheduleError, ScheduleArgumentError
from solway.explain import Decision, explanation_of, table_of

if TYPE_CHECKING:
    from solway.schedule import Schedule

__all__ = ["page_of", "show"]

_STYLE = """
.solway { --ink: #1d2733; --soft: #5b6b7c; --line: #d9e0e7; --card: #ffffff; --page: #f4f6f8;
  --word: #0b5cad; --number: #9a4d00; --mark: #7a2f98; --added: #dff3e4; --removed: #fbe3e1;
  --added-ink: #12672f; --removed-ink: #9c2219; --bad: #b3261e;
  color: var(--ink); background: var(--page); padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif;
  box-sizing: border-box; }
@media (prefers-color-scheme: dark) { .solway { --ink: #dbe3ec; --soft: #93a3b5; --line: #313c49;
  --card: #1a212a; --page: #11161c; --word: #79b8ff; --number: #f0a35e; --mark: #d2a8ff;
  --added: #17341f; --removed: #40191a; --added-ink: #7ee2a0; --removed-ink: #ffa198;
  --bad: #ff8a80; } }
.solway * { box-sizing: border-box; }
.solway h1 { font-size: 1.5rem; margin: 0 0 .2rem; }
.solway h2 { font-size: 1.05rem; margin: 2rem 0 .6rem; }
.solway p { margin: .2rem 0 .8rem; color: var(--soft); }
.solway pre, .solway code { font: 13px/1.5 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono",
  Menlo, monospace; }
.solway pre { margin: 0; padding: .8rem 1rem; overflow-x: auto; color: var(--ink);
  background: transparent; }
.solway .card { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  margin: 0 0 .8rem; overflow: hidden; }
.solway summary { cursor: pointer; padding: .55rem .9rem; display: flex; gap: .8rem;
  align-items: baseline; flex-wrap: wrap; list-style: none; }
.solway summary::-webkit-details-marker { display: none; }
.solway summary::before { content: "\\25b8"; color: var(--soft); width: .8em; }
.solway details[open] > summary::before { content: "\\25be"; }
.solway details[open] > summary { border-bottom: 1px solid var(--line); }
.solway .step { color: var(--soft); min-width: 1.6em; text-align: right; }
.solway .where { margin-left: auto; color: var(--soft); font-size: 12.5px; }
.solway .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
.solway .pair > div + div { border-left: 1px solid var(--line); }
.solway .pair h3 { font-size: 12px; font-weight: 600; color: var(--soft); margin: 0;
  padding: .4rem 1rem 0; text-transform: uppercase; letter-spacing: .06em; }
.solway .row { display: block; padding: 0 .3rem; margin: 0 -.3rem; border-radius: 3px;
  min-height: 1.5em; white-space: pre; width: max-content; min-width: calc(100% + .6rem); }
.solway .added { background: var(--added); } .solway .removed { background: var(--removed); }
.solway .w { color: var(--word); } .solway .n { color: var(--number); }
.solway .m { color: var(--mark); }
.solway table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
.solway th { text-align: left; font-weight: 600; color: var(--soft); }
.solway th, .solway td { padding: .4rem .9rem; border-top: 1px solid var(--line);
  vertical-align: top; text-align: left; background: transparent; }
.solway tr:first-child th { border-top: 0; }
.solway td code { white-space: pre-wrap; overflow-wrap: anywhere; }
.solway .figures { border-top: 1px solid var(--line); }
.solway .figures td:nth-child(2), .solway .figures td:nth-child(3) { white-space: nowrap; }
.solway .figures td:nth-child(4) { color: var(--soft); }
.solway .error { border-left: 4px solid var(--bad); }
.solway .error pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.solway svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
.solway .plot { padding: 0 1rem 1rem; }
@media (max-width: 760px) { .solway .pair { grid-template-columns: minmax(0, 1fr); }
  .solway .pair > div + div { border-left: 0; border-top: 1px solid var(--line); } }
"""
_TOKEN = re.compile(
    r"(?P<m>#.*$)|(?P<w>\b(?:For|Let|If|in|range|min|max|ceil|get_id|select|and|or)\b)"
    r"|(?P<n>\b\d+(?:\.\d+)?\b)"
)
_TREE_WORD = re.compile(r"^(\s*-?\s*)(\w+):(.*)$")


def show(schedule: Schedule, path: str | os.PathLike[str] | None) -> Path:
    """Saves the page, or opens it in a browser.

    Args:
        schedule: any.
        path: the file; None: a temporary one, which a browser is asked to open.

    Returns:
        The file.

    Raises:
        ScheduleArgumentError: the file cannot be written.

    Example:
        >>> A = sw.placeholder((8,), name="A")
        >>> B = sw.compute((8,), lambda i: A[i] * 2, name="B")
        >>> sw.create_schedule(B).show("b.html").name
        'b.html'
    """
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(_title(schedule))}</title>"
        '<meta name="color-scheme" content="light dark">'
        "<style>html, body { margin: 0; } .solway { min-height: 100vh; }"
        " .solway > div { max-width: 1180px; margin: 0 auto; }</style></head>\n"
        f"<body>{page_of(schedule)}</body></html>\n"
    )
    if path is not None:
        try:
            replace_file(path, page)
        except OSError as error:
            raise ScheduleArgumentError(
                f"the page cannot be written to '{os.fspath(path)}'",
                str(error.strerror),
                "give the path of a file in a folder that exists",
                caller(),
            ) from None
        return Path(path)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="solway_", suffix=".html", delete=False
    ) as file:
        file.write(page)
    webbrowser.open(Path(file.name).as_uri())
    return Path(file.name)


def page_of(schedule: Schedule) -> str:
    """The page as an HTML fragment without scripts, with its style.

    Args:
        schedule: any.
    """
    parts = [
        f"<style>{_STYLE}</style>",
        '<div class="solway"><div>',
        f"<h1>{escape(_title(schedule))}</h1>",
        f"<p>{_summary(schedule)}</p>",
        _refusal(schedule),
        "<h2>Loops</h2>",
        f'<div class="card"><pre>{_lines(str(schedule).splitlines())}</pre></div>',
        _steps(schedule),
        "<h2>Statements</h2>",
        _statements(schedule),
        "<h2>Schedule tree</h2>",
        f'<div class="card"><pre>{_tree(schedule.tree)}</pre></div>',
        "</div></div>",
    ]
    return "\n".join(part for part in parts if part)


def _title(schedule: Schedule) -> str:
    names = [tensor.name for tensor in schedule._state.outputs()]
    return "Schedule of " + ", ".join(names)


def _summary(schedule: Schedule) -> str:
    count = len(schedule.log)
    stages = len(schedule._state.stages())
    machine = "" if schedule._machine is None else f" for {schedule._machine.name}"
    words = f"{stages} stage{'s' * (stages != 1)}, {count} primitive{'s' * (count != 1)}{machine}"
    proof = " Each primitive was proved to keep every dependence." if count else ""
    return escape(words) + "." + proof


def _lines(lines: Sequence[str], classes: Sequence[str] = ()) -> str:
    out = []
    for number, line in enumerate(lines):
        name = classes[number] if classes else ""
        out.append(f'<span class="row {name}">{_coloured(line)}</span>')
    return "".join(out)


def _coloured(line: str) -> str:
    out, at = [], 0
    for match in _TOKEN.finditer(line):
        out.append(escape(line[at : match.start()]))
        out.append(f'<span class="{match.lastgroup}">{escape(match.group())}</span>')
        at = match.end()
    return "".join(out) + escape(line[at:])


def _steps(schedule: Schedule) -> str:
    states = states_of(schedule)
    cores = schedule._machine.cores[0] if schedule._machine is not None else 0
    texts = [str(_core.print_schedule(state, cores)).splitlines() for state in states]
    log = schedule.log
    if not log:
        return ""
    decisions = explanation_of(schedule, schedule._machine).decisions
    out = ["<h2>Primitives</h2>"]
    for number, (step, before, after) in enumerate(zip(log, texts, texts[1:], strict=False)):
        file, line, text = step.where
        where = f"{os.path.basename(file)}:{line}" if line else ""
        changed = "no change in the loops" if before == after else ""
        is_open = " open" if number == len(log) - 1 or before != after else ""
        out.append(
            f'<details class="card"{is_open}><summary><span class="step">{number + 1}</span>'
            f"<code>{escape(str(step))}</code>"
            f'<span class="where" title="{escape(file)}">{escape(changed)} {escape(where)} '
            f"<code>{escape(text)}</code></span></summary>{_pair(before, after)}"
            f"{_figures(decisions[number])}</details>"
        )
    return "\n".join(out)


def _pair(before: list[str], after: list[str]) -> str:
    left, right = [""] * len(before), [""] * len(after)
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            left[a:b] = ["removed"] * (b - a)
            right[c:d] = ["added"] * (d - c)
    return (
        f'<div class="pair"><div><h3>before</h3><pre>{_lines(before, left)}</pre></div>'
        f"<div><h3>after</h3><pre>{_lines(after, right)}</pre></div></div>"
    )


def _figures(decision: Decision) -> str:
    """What the primitive changed, by the model."""
    return f'<div class="figures">{table_of(decision)}</div>' if decision.figures else ""


def _statements(schedule: Schedule) -> str:
    rows = []
    for name, _, kind, domain, accesses in _core.statements_of(schedule._state):
        shown = [f"{word} <code>{escape(relation)}</code>" for word, relation in accesses]
        rows.append(
            f"<tr><td><code>{escape(name)}</code></td><td>{escape(kind)}</td>"
            f"<td><code>{escape(domain)}</code></td><td>{'<br>'.join(shown)}</td></tr>"
        )
    head = "<tr><th>statement</th><th>does</th><th>domain</th><th>accesses</th></tr>"
    return f'<div class="card"><table>{head}{"".join(rows)}</table></div>'


def _tree(text: str) -> str:
    out = []
    for line in text.splitlines():
        match = _TREE_WORD.match(line)
        if match:
            space, word, rest = match.groups()
            line = f'{escape(space)}<span class="w">{escape(word)}</span>:{escape(rest)}'
        else:
            line = escape(line)
        out.append(f'<span class="row">{line}</span>')
    return "".join(out)


def _refusal(schedule: Schedule) -> str:
    """The last primitive that was refused, with a picture of the two iterations."""
    error = schedule._refused
    if error is None:
        return ""
    return (
        "<h2>Refused last</h2>"
        f'<div class="card error"><pre>{escape(str(error))}</pre>{_picture(schedule, error)}</div>'
    )


def _picture(schedule: Schedule, error: IllegalScheduleError) -> str:
    """The source and the sink among the iterations around them, when both are of one stage."""
    source, sink = error.source, error.sink
    if source is None or sink is None or source[0] != sink[0]:
        return ""
    if [axis for axis, _ in source[1]] != [axis for axis, _ in sink[1]] or len(source[1]) < 2:
        return ""
    tensor = schedule.tensors.get(source[0])
    if tensor is None:
        return ""
    axes = [axis._axis for axis in (*tensor.axis, *tensor.reduce_axis)]
    ranges = {axis.name: (axis.begin, axis.end) for axis in axes}
    names = [axis for axis, _ in source[1]]
    differing = [k for k, name in enumerate(names) if source[1][k][1] != sink[1][k][1]]
    chosen = sorted(([*differing, *range(len(names))])[:2]) if differing else [0, 1]
    if len(set(chosen)) < 2:
        chosen = sorted({differing[0], next(k for k in range(len(names)) if k != differing[0])})
    if any(names[k] not in ranges for k in chosen):
        return ""
    down, across = chosen
    windows = [_window(source[1][k][1], sink[1][k][1], *ranges[names[k]]) for k in (down, across)]
    return _grid(
        (names[down], names[across]),
        windows,
        (source[1][down][1], source[1][across][1]),
        (sink[1][down][1], sink[1][across][1]),
    )


def _window(a: int, b: int, begin: int, end: int) -> range:
    low, high = max(begin, min(a, b) - 2), min(end, max(a, b) + 3)
    return range(low, min(high, low + 14))


def _grid(
    names: tuple[str, str], windows: list[range], source: tuple[int, int], sink: tuple[int, int]
) -> str:
    rows, columns = windows
    if not all(p[0] in rows and p[1] in columns for p in (source, sink)):
        return ""
    gap, left, top = 34, 56, 34

    def place(point: tuple[int, int]) -> tuple[float, float]:
        return left + columns.index(point[1]) * gap, top + rows.index(point[0]) * gap

    parts = []
    for row in rows:
        y = place((row, columns[0]))[1] + 4
        parts.append(
            f'<text x="{left - 20}" y="{y}" text-anchor="end">{escape(names[0])}={row}</text>'
        )
        for column in columns:
            cx, cy = place((row, column))
            parts.append(f'<circle cx="{cx}" cy="{cy}" r="4" fill="var(--line)"/>')
    for column in columns:
        x = place((rows[0], column))[0]
        parts.append(f'<text x="{x}" y="{top - 16}" text-anchor="middle">{column}</text>')
    (x1, y1), (x2, y2) = place(source), place(sink)
    length = max(1.0, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    x3, y3 = x2 - (x2 - x1) / length * 12, y2 - (y2 - y1) / length * 12
    parts.append(
        f'<line x1="{x1}" y1="{y1}" x2="{x3:.1f}" y2="{y3:.1f}" stroke="var(--bad)" '
        'stroke-width="2" marker-end="url(#solway-arrow)"/>'
        f'<circle cx="{x1}" cy="{y1}" r="7" fill="var(--added-ink)"/>'
        f'<circle cx="{x2}" cy="{y2}" r="7" fill="var(--bad)"/>'
    )
    width, height = left + len(columns) * gap + 250, top + len(rows) * gap
    parts.append(
        f'<text x="{left + len(columns) * gap}" y="{top + 4}">'
        f'<tspan fill="var(--added-ink)">&#9679;</tspan> has to run first</text>'
        f'<text x="{left + len(columns) * gap}" y="{top + 26}">'
        f'<tspan fill="var(--bad)">&#9679;</tspan> would run too early</text>'
        f'<text x="{left - 20}" y="{top - 16}" text-anchor="end">{escape(names[1])}</text>'
    )
    return (
        f'<div class="plot"><svg width="{width}" height="{height}" role="img" '
        f'aria-label="the two iterations"><defs><marker id="solway-arrow" viewBox="0 0 8 8" '
        'refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="var(--bad)"/></marker></defs>'
        f"{''.join(parts)}</svg></div>"
    )
