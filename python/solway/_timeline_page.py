"""The timeline of a run as HTML."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solway.timeline import Timeline

__all__ = ["page_of", "page_with", "part_of"]

_KINDS = ("transfer", "channel", "barrier", "message")


def page_of(timeline: Timeline) -> str:
    """A page that needs no other file."""
    return page_with(f"solway: {timeline.name}", part_of(timeline, timeline.name))


def page_with(title: str, body: str) -> str:
    """A page around `body`, with the style and the program that timelines need."""
    pages = files("solway") / "pages"
    style = (pages / "report.css").read_text(encoding="utf-8")
    program = (pages / "timeline.js").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n"
        f"<body>\n{body}\n<script>\n{program}</script>\n</body>\n</html>\n"
    )


def part_of(timeline: Timeline, name: str) -> str:
    """The part of a page that `timeline.js` draws, and what it is drawn from."""
    data = json.dumps(_data(timeline), separators=(",", ":")).replace("</", "<\\/")
    return (
        f'<section class="timeline">\n<h2>{escape(name)}: what each core did when</h2>\n'
        f"<pre>{escape(str(timeline))}</pre>\n"
        f'<script type="application/json">{data}</script>\n</section>'
    )


def _data(timeline: Timeline) -> dict[str, object]:
    """Numbers in flat lists, which a browser reads fastest."""
    names = list(
        dict.fromkeys(
            chain((r.function for r in timeline.runs), (t.where for t in timeline.transfers))
        )
    )
    place = {name: n for n, name in enumerate(names)}
    kind = {word: n for n, word in enumerate(_KINDS)}
    return {
        "cycles": timeline.cycles,
        "clock": timeline.clock_mhz,
        "ldm": timeline.ldm_bytes,
        "resolution": timeline.resolution,
        "names": names,
        "cores": [n for n, core in enumerate(timeline.cores) if core.running],
        "core_names": [
            timeline.core_name(n) for n, core in enumerate(timeline.cores) if core.running
        ],
        "computing": [core.computing for core in timeline.cores if core.running],
        "kinds": [word.replace("_", " ") for word in _KINDS],
        "runs": [x for r in timeline.runs for x in (r.core, place[r.function], r.begin, r.end)],
        "waits": [
            x for w in timeline.waits for x in (w.core, kind[w.kind], w.begin, w.end, w.waited)
        ],
        "transfers": [
            x
            for t in timeline.transfers
            for x in (
                t.core,
                int(t.direction == "put"),
                place[t.where],
                t.requests,
                t.bytes,
                t.issued,
                t.completed,
            )
        ],
        "levels": [x for v in timeline.levels for x in v],
    }
