"""Schedule scripts inside C++ programs: what `solway::run_script` calls."""

from __future__ import annotations

import linecache
import runpy
import traceback
from collections.abc import Sequence

import solway
from solway import _core
from solway.errors import Error, ScheduleArgumentError
from solway.expr import Tensor
from solway.schedule import Schedule

__all__ = ["run_script"]


def run_script(path: str, outputs: Sequence[_core.Tensor]) -> _core.ScheduleState:
    """Runs a script that, given ``sw`` and ``outputs``, defines a schedule ``s`` of these tensors.

    Args:
        path: the script.
        outputs: the tensors that the C++ program computes.

    Returns:
        The state of ``s``.

    Raises:
        ScheduleArgumentError: it cannot be read, it raises, or its ``s`` is no schedule of
            these outputs.
        Error: what the primitives in it raise.
    """
    given = {"sw": solway, "outputs": [Tensor(node) for node in outputs]}
    try:
        names = runpy.run_path(path, init_globals=given, run_name="__solway__")
    except Error:
        raise
    except OSError as error:
        raise ScheduleArgumentError(
            f"the script '{path}' cannot be read",
            str(error.strerror),
            "give the path of a Python file",
            (path, 0, ""),
        ) from error
    except Exception as error:
        raise ScheduleArgumentError(
            f"the script '{path}' raised {type(error).__name__}",
            str(error),
            "mend the line, or run the script with Python to see the whole trace",
            _line_of(error, path),
        ) from error
    found = names.get("s")
    if not isinstance(found, Schedule):
        raise ScheduleArgumentError(
            f"the script '{path}' defines no schedule",
            f"'s' is {found!r}" if "s" in names else "it has no variable 's'",
            "write s = sw.create_schedule(outputs)",
            (path, 1, ""),
        )
    if list(found._state.outputs()) != list(outputs):
        raise ScheduleArgumentError(
            f"the script '{path}' schedules other tensors",
            "the outputs of its 's' are not those that the program gave",
            "write s = sw.create_schedule(outputs)",
            (path, 1, ""),
        )
    return found._state


def _line_of(error: Exception, path: str) -> tuple[str, int, str]:
    """The script's line that raised `error`."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return (path, error.lineno or 0, (error.text or "").strip())
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    line = lines[-1] if lines and lines[-1] else 0
    return (path, line, linecache.getline(path, line).strip())
