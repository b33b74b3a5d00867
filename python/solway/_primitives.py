"""Which methods of `Schedule` and `Stage` are primitives: found, not listed."""

from __future__ import annotations

from solway._fixes import with_fixes
from solway.auto_schedule import AutoScheduling
from solway.schedule import Schedule
from solway.stage import Stage
from solway.stage_base import StageBase

__all__ = ["SCHEDULE_PRIMITIVES", "STAGE_PRIMITIVES"]

#: Methods of a schedule that ask, print or record, and those that apply several primitives.
_OTHERS = frozenset(
    {"auto_buffer", "auto_schedule", "explain", "ldm_report", "legal", "save", "show", "to_python"}
)  # fmt: skip
_QUESTIONS = frozenset({"legal_levels"})


def _methods(cls: type, above: type) -> frozenset[str]:
    return frozenset(
        name
        for name in dir(cls)
        if not name.startswith("_") and callable(getattr(cls, name)) and not hasattr(above, name)
    )


SCHEDULE_PRIMITIVES = _methods(Schedule, AutoScheduling) - _OTHERS
STAGE_PRIMITIVES = _methods(Stage, StageBase) - _QUESTIONS

with_fixes(Schedule, SCHEDULE_PRIMITIVES)
with_fixes(Stage, STAGE_PRIMITIVES)
