"""The tutorials run from top to bottom, and their pages show what they print and quote."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.programs import load_program

ROOT = Path(__file__).parents[2]
RENDER = ROOT / "tools" / "render_tutorials.py"
PROGRAMS = sorted((ROOT / "docs" / "tutorials").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_page_is_what_the_program_prints(program):
    done = subprocess.run(
        [sys.executable, str(RENDER), "--check", str(program)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_page_has_a_program():
    pages = {page.with_suffix(".py") for page in (ROOT / "docs" / "tutorials").glob("*.md")}
    assert pages == set(PROGRAMS)


@pytest.fixture
def render():
    return load_program("tools/render_tutorials.py")


def test_cells(render, tmp_path):
    program = tmp_path / "99_cells.py"
    program.write_text(
        "# %% [markdown]\n# # Title\n#\n# Text.\n\n# %%\nprint(6 * 7)\n\n# %% [quiet]\nprint(1)\n"
    )
    assert render.render(program) == (
        "# Title\n\nText.\n\n```python\nprint(6 * 7)\n```\n\n```text\n42\n```\n\n"
        "```python\nprint(1)\n```\n\nThis page is the program [99_cells.py](99_cells.py), run.\n"
    )


def test_a_quote_that_is_no_longer_there(render, tmp_path):
    program = tmp_path / "99_quote.py"
    program.write_text("# %% [markdown]\n# <<< README.md from ^no such line at all$ >>>\n")
    with pytest.raises(SystemExit, match=r"no line of README\.md matches"):
        render.render(program)
