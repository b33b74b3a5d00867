"""Every message as a user reads it: each script here must print the text beside it.

A folder holds the messages of one class, `<case>.py` raises what `<case>.txt` says. In the folder
`command` the scripts are `<case>.sh`: what a person types at a shell, and what the terminal then
shows. Scripts run in an empty folder of their own.

To write texts and docs/errors.md after a change: SOLWAY_UPDATE_MESSAGES=1, then review the
difference.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import solway as sw

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KERNELS = ROOT / "tests" / "emulator" / "kernels"
SCRIPTS = sorted(HERE.glob("*/*.py"))
COMMANDS = sorted(HERE.glob("*/*.sh"))


def name_of(script):
    return f"{script.parent.name}-{script.stem}"


def compare(script, got, folder):
    """Holds what a script printed against its text; no path of this machine stands in it."""
    for path in (HERE, folder, ROOT):
        got = got.replace(f"{path}/", "").replace(str(path), ".")
    expected = script.with_suffix(".txt")
    if os.environ.get("SOLWAY_UPDATE_MESSAGES"):
        expected.write_text(got)
    assert got == expected.read_text()


@pytest.mark.parametrize("script", SCRIPTS, ids=name_of)
def test_message(script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environment, modules = dict(os.environ), dict(sys.modules)
    try:
        with pytest.raises(sw.Error) as caught:
            runpy.run_path(str(script))
    finally:
        os.environ.clear()
        os.environ.update(environment)
        for name in [name for name, module in sys.modules.items() if module is None]:
            del sys.modules[name]  # a script that does as if a package were missing
        sys.modules.update(modules)
    assert type(caught.value).__name__ == script.parent.name
    compare(script, f"{caught.value}\n", tmp_path)


@pytest.mark.parametrize("script", COMMANDS, ids=name_of)
def test_command(script, tmp_path):
    python = f'"{sys.executable}"'
    prelude = f'solway() {{ {python} -m solway "$@"; }}\npython3() {{ {python} "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", prelude + script.read_text(), script.name],
        cwd=tmp_path,
        env={
            **os.environ,
            "COLUMNS": "100",
            "KERNELS": str(KERNELS),
            "PYTHONPATH": str(ROOT / "python"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    compare(script, f"{done.stdout}exit code {done.returncode}\n", tmp_path)


def test_docs_errors_is_new():
    """The page of all messages; it is written with the texts."""
    generator = [sys.executable, str(ROOT / "tools" / "generate_errors.py")]
    if os.environ.get("SOLWAY_UPDATE_MESSAGES"):
        subprocess.run(generator, check=True)
    done = subprocess.run([*generator, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_every_text_has_a_script():
    assert {t.with_suffix("") for t in HERE.glob("*/*.txt")} == {
        s.with_suffix("") for s in (*SCRIPTS, *COMMANDS)
    }
