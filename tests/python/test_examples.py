"""Every program under examples/ runs, and shows what it is there to show."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

ON_EACH_TARGET = [f"{target}: equals NumPy\n" for target in ("host", "c", "sw26010")]
SHOWN = {
    "figure2": [
        *ON_EACH_TARGET,
        """\
Figure 2(d)
For x in range(1)
  For y.o in range(8)
    For y.i in range(128)
      CC[y.i] = 0.0
    For k.o in range(16)
      For y.i in range(128)
        For k.i in range(64)
          BB[k.i, y.i] = B[k.o*64 + k.i, y.o*128 + y.i]
      For k.i in range(64)
        AA[k.i] = A[x, k.o*64 + k.i]
      For y.i in range(128)
        For k.i in range(64)
          CC[y.i] += AA[k.i]*BB[k.i, y.i]
    For y.i in range(128)
      C[x, y.o*128 + y.i] = CC[y.i]
""",
        "32768, (void *)&BB_get_reply, 0, 3584, 512);",  # one strided get of BB per (yo, ko)
        "&AA[0], 256, (void *)&AA_get_reply, 0, 0, 0);",
        "512, (void *)&CC_put_reply, 0, 0);",
    ],
    "figure3": [*ON_EACH_TARGET, "BB[yy, xx] += AA[yy*2 + ry, xx*2 + rx]*WW[ry, rx]"],
    "figure4": [
        *ON_EACH_TARGET,
        "Let i.begin = min(Id*ceil(1024/cores), 1024)\n",
        "Let i.begin = min(Id*16, 1024)\nLet i.end = min(i.begin + 16, 1024)\n",
        "const long i_end = min_i64(i_begin + 16, 1024);",
    ],
    "demo": [
        "every result equals NumPy, exactly\n",
        "of 63488 bytes (65536, less 2048",
        "3 x 11 x 4 x 57 float32",
        "athread by hand",
        "put bytes",
        "emulated, by its own clock",
        "OpenBLAS with im2col",
    ],
}


def run(path, folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    return subprocess.run(
        [sys.executable, str(path)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, tmp_path):
    done = run(path, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "equals NumPy" in done.stdout
    for text in SHOWN.get(path.stem, []):
        assert text in done.stdout
    if path.stem == "demo":
        assert (tmp_path / "out" / "demo.png").read_bytes().startswith(b"\x89PNG")


def test_demo_without_a_place_for_its_picture(tmp_path):
    (tmp_path / "out").write_text("in the way of a folder")
    done = run(ROOT / "examples" / "demo.py", tmp_path)
    assert done.returncode == 1
    assert "demo: " in done.stderr
    assert "File exists" in done.stderr
    assert "Traceback" not in done.stderr


def test_there_are_examples():
    assert {path.stem for path in EXAMPLES} >= set(SHOWN)
