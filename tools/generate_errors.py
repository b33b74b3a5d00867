#!/usr/bin/env python3
"""Writes docs/errors.md: every message of tests/errors with the script that shows it.

    tools/generate_errors.py            writes the page anew
    tools/generate_errors.py --check    says whether it is old; a test does this

It reads the goldens and runs nothing: the tests of tests/errors find a text that is old, and
write the page too when they write texts anew.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDENS = ROOT / "tests" / "errors"
PAGE = ROOT / "docs" / "errors.md"

INTRODUCTION = """\
# Messages

Every message that solway can give, with a program that shows it. Search the page for a piece of
what you read. Each error has four parts: what was asked and the verdict, `why` with the values that
forbid it, `fix`, one thing to do, and `at`, the line of yours that asked. All derive from
`sw.Error`, and the parts are attributes: `.what`, `.why`, `.fix`, `.where`.

This page is generated from `tests/errors` by `tools/generate_errors.py`.
"""


def classes() -> dict[str, str]:
    """The error classes in the order of the page, with the first line of each docstring."""
    out = {}
    package = ROOT / "python" / "solway"
    for path in [package / "errors.py", *sorted(package.glob("compar*.py"))]:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and (GOLDENS / node.name).is_dir():
                out[node.name] = (ast.get_docstring(node) or "").splitlines()[0]
    folders = {path.parent.name for path in GOLDENS.glob("*/*.txt")} - {"command"}
    if folders != set(out):
        sys.exit(f"no class of solway is called {', '.join(sorted(folders - set(out)))}")
    out["command"] = "What the command `solway` prints when it cannot do what was typed."
    return out


def heading_of(text: str) -> str:
    """The first line of a message; of a command's output the line that says what is wrong."""
    lines = text.splitlines()
    for line in lines:
        found = re.match(r"(?:solway[ \w]*: error: |\w+Error: )(.*)", line)
        if found:
            return found[1]
    return lines[0].strip()


def plain(heading: str) -> str:
    """A heading in which Markdown marks nothing up."""
    return re.sub(r"([*_\[\]<>#`\\])", r"\\\1", heading)


def program_of(script: Path) -> str:
    """The script as a block of code."""
    language = "python" if script.suffix == ".py" else "sh"
    return f"```{language}\n{script.read_text().strip()}\n```\n"


def sections() -> Iterator[str]:
    """The parts of the page, one per message and one before each class."""
    for name, meaning in classes().items():
        title = "Commands" if name == "command" else name
        yield f"## {title}\n\n{meaning}\n"
        texts = {path.with_suffix(""): path.read_text() for path in (GOLDENS / name).glob("*.txt")}
        for case, text in sorted(texts.items(), key=lambda item: (heading_of(item[1]), item[0])):
            script = next(p for s in (".py", ".sh") if (p := case.with_suffix(s)).exists())
            source = f"[{case.name}](../{script.relative_to(ROOT).as_posix()})"
            yield (
                f"### {plain(heading_of(text))}\n\n{program_of(script)}\n"
                f"```text\n{text.rstrip()}\n```\n\n{source}\n"
            )


def contents() -> str:
    """One line per class, with the number of its messages."""
    rows = []
    for name, meaning in classes().items():
        title = "Commands" if name == "command" else name
        count = len(list((GOLDENS / name).glob("*.txt")))
        rows.append(f"| [{title}](#{title.lower()}) | {count} | {meaning} |")
    return "\n".join(["| Class | Messages | When |", "|---|---|---|", *rows]) + "\n"


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, contents(), *sections()])


def main() -> int:
    """Writes the page, or with --check says whether it is old."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    new = page()
    if options.check:
        if PAGE.read_text() != new:
            print("docs/errors.md is old; run tools/generate_errors.py")
            return 1
        return 0
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
