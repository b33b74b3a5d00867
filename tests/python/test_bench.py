"""The benchmarks of the host run, with small sizes: each compares its values before it measures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import solway as sw

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize(
    "command",
    [
        ["gemm_host.py", "--shape", "32x96x40", "--rounds", "1"],
        ["convolution_host.py", "--rounds", "1"],
        ["jacobi_host.py", "--size", "90", "--steps", "9", "--rounds", "1", "--tile", "4x8x16"],
    ],
    ids=lambda command: command[0],
)
def test_runs(command):
    name, *arguments = command
    env = os.environ | {"PYTHONPATH": str(Path(sw.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(BENCH / name), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env=env,
    )
    assert done.returncode == 0, done.stderr
    assert "fma probe" in done.stdout
