"""The tutorial runs from top to bottom and prints what stands on its page.

SOLWAY_UPDATE_GOLDEN=1 writes what it prints into the page.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
PROGRAM = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.S)


def test_every_program_prints_what_stands_under_it(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names, text = {}, PAGE.read_text()

    def run(block):
        program, expected = block.groups()
        line = text[: block.start(1)].count("\n")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile("\n" * line + program, str(PAGE), "exec"), names)
        if expected is None:
            return block.group(0)
        return f"```python\n{program}```\n\n```text\n{out.getvalue().strip()}\n```\n"

    printed = PROGRAM.sub(run, text)
    if os.environ.get("SOLWAY_UPDATE_GOLDEN"):
        PAGE.write_text(printed)
    assert printed == text
