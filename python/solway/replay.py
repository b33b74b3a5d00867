"""Runs a saved failure again, in a process of its own: it may crash or hang."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from solway.failure import Failure

__all__ = ["replay"]

SECONDS = 120.0


def replay(failure: Failure, *, seconds: float = SECONDS) -> Failure:
    """What happens when a failure runs again.

    Args:
        failure: what to run.
        seconds: of wall time; a run that takes longer hangs.

    Returns:
        The failure with what it found this time.

    Example:
        >>> replay(Failure("crash", "outputs = []", call="1 / 0")).found
        'ZeroDivisionError'
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "failure.json"
        failure.save(path)
        command = [sys.executable, "-m", "solway.replay", str(path)]
        package = str(Path(__file__).parents[1])
        paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=seconds, env=environment
            )
        except subprocess.TimeoutExpired:
            return replace(failure, found="hang", detail=f"no end within {seconds:g} s")
        if done.returncode < 0:
            name = signal.Signals(-done.returncode).name
            return replace(failure, found="crash", detail=f"ended by {name}")
        lines = done.stdout.splitlines()
        if done.returncode != 0 or not lines:
            return replace(failure, found="crash", detail=done.stderr[-2000:])
        answer = json.loads(lines[-1])
        return replace(failure, found=answer["found"], detail=answer["detail"])


def _main(path: str) -> None:
    found = Failure.load(path).happens()
    print(json.dumps({"found": found.found, "detail": found.detail}))


if __name__ == "__main__":
    _main(sys.argv[1])
