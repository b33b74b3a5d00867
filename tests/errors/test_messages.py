"""Every message as a user reads it: each script here must print the text beside it.

To write a text after a change: SOLWAY_UPDATE_MESSAGES=1, then review the difference.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest
import solway as sw

HERE = Path(__file__).parent
SCRIPTS = sorted(HERE.glob("*/*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: f"{s.parent.name}-{s.stem}")
def test_message(script):
    with pytest.raises(sw.Error) as caught:
        runpy.run_path(str(script))
    assert type(caught.value).__name__ == script.parent.name
    got = str(caught.value).replace(f"{HERE}/", "") + "\n"
    expected = script.with_suffix(".txt")
    if os.environ.get("SOLWAY_UPDATE_MESSAGES"):
        expected.write_text(got)
    assert got == expected.read_text()


def test_every_text_has_a_script():
    assert {t.with_suffix(".py") for t in HERE.glob("*/*.txt")} == set(SCRIPTS)
