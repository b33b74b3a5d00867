"""The sources of a kernel as HTML: beside each line the user's line, and what it transferred."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solway.timeline import Timeline

__all__ = ["source_part"]

# The comment that generated C has before what a line of the user stands for.
_PLACE = re.compile(r"\s*/\* (?P<place>.+:[0-9]+)(: (?P<text>.*))? \*/")


def source_part(source: Mapping[str, str], timeline: Timeline | None) -> str:
    """One table per source file.

    Args:
        source: the files, name to text.
        timeline: of a run; without it no transfers are shown.

    Returns:
        A piece of HTML.
    """
    moved: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for t in timeline.transfers if timeline is not None else ():
        requests, total = moved[t.where]
        moved[t.where] = (requests + t.requests, total + t.bytes)
    parts = []
    for name, text in source.items():
        if not name.endswith((".c", ".S", ".s")):
            continue
        is_busy = any(where.startswith(f"{name}:") for where in moved)
        parts.append(
            f"<details{' open' if is_busy else ''}><summary>{escape(name)}</summary>"
            f'<div class="wide"><table class="source">{_rows(name, text, moved)}</table></div>'
            "</details>"
        )
    return "".join(parts)


def _rows(name: str, text: str, moved: Mapping[str, tuple[int, int]]) -> str:
    head = "<tr><th></th><th>code</th><th>transferred</th><th>the line it stands for</th></tr>"
    rows = [head]
    place = ""
    for number, line in enumerate(text.splitlines(), start=1):
        found = _PLACE.fullmatch(line)
        if found:
            place = found["place"].rpartition("/")[2] + (
                f": {found['text']}" if found["text"] else ""
            )
            continue
        if line.startswith("}"):
            place = ""
        requests, total = moved.get(f"{name}:{number}", (0, 0))
        amount = f"{total:,} bytes in {requests:,} requests" if requests else ""
        rows.append(
            f"<tr{' class=busy' if requests else ''}><td>{number}</td><td>{escape(line)}</td>"
            f"<td>{amount}</td><td>{escape(place)}</td></tr>"
        )
        place = ""
    return "".join(rows)
