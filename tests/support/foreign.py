"""Targets whose kernels run under an emulator of another processor."""

from __future__ import annotations

import shutil

import pytest
import solway as sw

FOREIGN = ("aarch64-neon", "aarch64-sve", "riscv64-v")


def require_emulator(target):
    """Skips a test where the programs that run the target's kernels are not installed."""
    machine = sw.Target.load(target)._machine.foreign
    for program in (machine.emulator[0], machine.compiler):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
