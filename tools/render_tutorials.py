#!/usr/bin/env python3
"""Runs the tutorials and writes each as a page: docs/tutorials/NN_name.py to NN_name.md.

    tools/render_tutorials.py [FILE...]      writes the pages anew; all without FILE
    tools/render_tutorials.py --check [...]  says which page is old; a test does this

A tutorial is a program in cells. ``# %% [markdown]`` begins text, one comment; ``# %%`` begins
code, which is shown with what it prints; ``# %% [quiet]`` code is shown without it, since that
differs between machines or runs. In text, a line

    <<< FILE from REGEX to REGEX >>>

is replaced by the lines of a source of this repository from the first that matches to the next
that does; ``to`` is left out for the one line. So what a page quotes cannot go stale.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "tutorials"
MARK = re.compile(r"^# %%(?: \[(\w+)\])?\n", re.M)
QUOTE = re.compile(r"^<<< (\S+) from (.*?)(?: to (.*?))? >>>$", re.M)
LANGUAGES = {".py": "python", ".cpp": "cpp", ".h": "cpp", ".toml": "toml", ".md": "markdown"}


class Cell(NamedTuple):
    """A piece of a tutorial: `kind` is "markdown", "quiet" or "" for code that is shown whole."""

    kind: str
    text: str
    line: int  # lines of the file before it


def cells_of(source: str) -> Iterator[Cell]:
    """The cells of a program in order; what stands before the first mark is no cell."""
    marks = list(MARK.finditer(source))
    ends = [mark.start() for mark in marks[1:]] + [len(source)]
    for mark, end in zip(marks, ends, strict=True):
        text = source[mark.end() : end]
        yield Cell(mark[1] or "", text.strip("\n"), source.count("\n", 0, mark.end()))


def quoted(match: re.Match[str]) -> str:
    """The lines of a source that a tutorial quotes."""
    name, begin, end = match.groups()
    lines = (ROOT / name).read_text().splitlines()
    first = next((k for k, line in enumerate(lines) if re.search(begin, line)), None)
    if first is None:
        sys.exit(f"no line of {name} matches {begin!r}")
    last = first
    if end is not None:
        rest = range(first + 1, len(lines))
        found = next((k for k in rest if re.search(end, lines[k])), None)
        if found is None:
            sys.exit(f"no line of {name} behind {lines[first]!r} matches {end!r}")
        last = found
    text = "\n".join(lines[first : last + 1]).rstrip()
    language = LANGUAGES.get(Path(name).suffix, "text")
    return f"`{name}`:\n\n```{language}\n{text}\n```"


def prose(cell: Cell) -> str:
    """Text without the comment signs, with what it quotes."""
    lines = [re.sub(r"^# ?", "", line) for line in cell.text.splitlines()]
    return QUOTE.sub(quoted, "\n".join(lines))


def render(program: Path) -> str:
    """Runs a tutorial; returns its page."""
    names: dict[str, object] = {"__name__": "__tutorial__", "__file__": str(program)}
    parts = []
    for cell in cells_of(program.read_text()):
        if cell.kind == "markdown":
            parts.append(prose(cell))
            continue
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile("\n" * cell.line + cell.text, str(program), "exec"), names)
        parts.append(f"```python\n{cell.text}\n```")
        printed = out.getvalue().strip().replace(f"{FOLDER}/", "")
        if printed and cell.kind != "quiet":
            parts.append(f"```text\n{printed}\n```")
    name = program.name
    parts.append(f"This page is the program [{name}]({name}), run.")
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Writes the pages, or with --check says which are old."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "python"))
    old = []
    for program in [f.resolve().with_suffix(".py") for f in options.files] or sorted(
        FOLDER.glob("*.py")
    ):
        page = program.with_suffix(".md")
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            new = render(program)
            os.chdir(ROOT)
        before = page.read_text() if page.exists() else ""
        if not options.check:
            page.write_text(new)
        elif before != new:
            sys.stdout.writelines(
                difflib.unified_diff(
                    before.splitlines(keepends=True), new.splitlines(keepends=True), "page", "run"
                )
            )
            old.append(page.name)
    if old:
        print(f"{', '.join(old)}: run tools/render_tutorials.py")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
