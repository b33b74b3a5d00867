"""What solway finds on this machine, and which of its targets work."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
from typing import NamedTuple

import numpy as np

from solway import _core
from solway.errors import Error
from solway.kernel import build
from solway.schedule import create_schedule
from solway.target import Target, targets
from solway.tensors import compute, placeholder

__all__ = ["Finding", "findings", "target_findings", "versions"]

# Python packages that a part of solway imports when it is first used.
_EXTRAS = {"matplotlib": "plot", "rich": "report"}


class Finding(NamedTuple):
    """One thing that was looked for.

    Args:
        name: what.
        there: whether it was found and works.
        detail: its version or place, or why it does not work.
        fix: what to do when it is missing, else "".
    """

    name: str
    there: bool
    detail: str
    fix: str


def versions() -> dict[str, str]:
    """The versions of solway and of what it stands on.

    Example:
        >>> from solway.doctor import versions
        >>> sorted(versions())
        ['compiler', 'core', 'isl', 'llvm', 'numpy', 'python', 'solway', 'system']
    """
    return {
        "solway": _own_version(),
        **_core.versions(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def findings() -> list[Finding]:
    """Programs and packages that parts of solway use."""
    out = [
        _program("C compiler", os.environ.get("CC") or "cc", "install gcc or clang, or set CC"),
        _program(
            "clang 19",
            os.environ.get("SOLWAY_CLANG") or "clang-19",
            "for target sw26010: install clang-19, or set SOLWAY_CLANG",
        ),
    ]
    for package, extra in _EXTRAS.items():
        there = importlib.util.find_spec(package) is not None
        version = importlib.metadata.version(package) if there else "not installed"
        fix = "" if there else f"pip install 'solway[{extra}]'"
        out.append(Finding(package, there, version, fix))
    return out


def target_findings() -> list[Finding]:
    """Builds and runs a kernel on each target: what works here, and else why not."""
    return [_try_target(name) for name in targets()]


def _try_target(name: str) -> Finding:
    a = placeholder((4,), name="A")
    b = compute((4,), lambda i: a[i] * 2, name="B")
    try:
        kernel = build(create_schedule(b), [a, b], target=name, name="doctor")
        foreign = Target.load(name)._machine.foreign
        if foreign is not None and not foreign.emulator:
            return Finding(name, True, "compiles; no emulator of it is known", "")
        out = kernel.run(np.arange(4, dtype=np.float32))
    except Error as error:
        return Finding(name, False, f"{error.what}: {error.why}", error.fix)
    right = np.array_equal(np.asarray(out), np.arange(4) * 2)
    fix = "" if right else "report this: a kernel of one loop computed something else"
    return Finding(name, right, "works" if right else f"gave {out}", fix)


def _program(name: str, command: str, fix: str) -> Finding:
    path = shutil.which(command)
    if path is None:
        return Finding(name, False, f"'{command}' was not found", fix)
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding(name, False, f"'{path}' does not run: {error}", fix)
    first = (done.stdout.splitlines() or [""])[0]
    return Finding(name, done.returncode == 0, f"{path}: {first}", "" if first else fix)


def _own_version() -> str:
    try:
        return importlib.metadata.version("solway")
    except importlib.metadata.PackageNotFoundError:
        return f"{_core.versions()['core']} (not installed; imported from its sources)"
