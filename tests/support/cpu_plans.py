"""The plans that `auto_schedule` lists for CPUs, any of them applied."""

from __future__ import annotations

import functools
import tempfile
import tomllib
from pathlib import Path

import solway as sw
from solway import _core
from solway.expr import here
from support.random_machines import FOLDER, to_toml

CACHES = (256, 1024, 4096, 65536)  # bytes: what programs of tests do not fit


@functools.cache
def cpu(base, cache_bytes):
    """A CPU of `targets/` with another second-level cache."""
    table = tomllib.loads((FOLDER / f"{base}.toml").read_text())
    near = next(m for m in table["memories"] if m["name"] == table["default_scope"])
    near["size_bytes"] = cache_bytes
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{base}.toml"
        path.write_text(to_toml(table))
        return sw.Target.load(path)


def alternatives(schedule, machine):
    """How many plans each stage has, of those that have several."""
    *_, listed = _core.auto_schedule(schedule._state, machine._machine, {}, here())
    return {stage: len(plans) for stage, plans in listed}


def apply_plans(schedule, machine, picks):
    """Applies plans by their numbers, per stage; the model's choice is 0."""
    schedule._state, *_ = _core.auto_schedule(schedule._state, machine._machine, picks, here())
