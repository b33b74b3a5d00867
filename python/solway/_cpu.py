"""This machine's processor."""

from __future__ import annotations

import functools
import platform
from pathlib import Path

__all__ = ["cpu_flags", "cpu_name", "runs"]

#: Flags of /proc/cpuinfo by micro-architecture level of the x86-64 psABI.
_LEVELS = {
    "x86-64-v3": frozenset({"avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}),
    "x86-64-v4": frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
}


@functools.cache
def _lines() -> dict[str, str]:
    """The first entry of /proc/cpuinfo; empty where there is none."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0]
    except OSError:
        return {}
    rows = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, _, value in rows}


def cpu_flags() -> frozenset[str]:
    """What the processor can do, as Linux names it."""
    return frozenset(_lines().get("flags", "").split())


def cpu_name() -> str:
    """Vendor, family, model and stepping, and the name that it gives itself."""
    lines = _lines()
    names = ("vendor_id", "cpu family", "model", "stepping", "model name")
    return " ".join([platform.machine(), *(lines.get(name, "") for name in names)])


def runs(target: str) -> bool:
    """Whether this machine runs code for a target of that name."""
    needed = _LEVELS.get(target)
    if target == "host":
        return True
    both = _LEVELS["x86-64-v3"] | (needed or frozenset())
    return needed is not None and both <= cpu_flags()
