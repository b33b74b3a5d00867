"""Scripts that the command line works on: files that define a schedule."""

from __future__ import annotations

import linecache
import re
import runpy
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from solway._location import caller, pretending
from solway.errors import DslError
from solway.expr import Tensor
from solway.schedule import Schedule, create_schedule

__all__ = ["Script", "integer_values", "load"]

Array = npt.NDArray[np.generic]
Candidates = dict[str, Callable[..., object]]


class Script(NamedTuple):
    """What a script defines.

    Args:
        name: an identifier made from the file's name.
        schedule: its `s`, or the schedule of its `outputs()` as written.
        args: its list `args`, or the inputs in order of first use, then the outputs.
        candidates: of its `candidates()`: what `compare` sets beside solway, by name.
        inputs: of its `inputs()`: one array per input; None when it has no such function.
    """

    name: str
    schedule: Schedule
    args: tuple[Tensor, ...]
    candidates: Candidates
    inputs: tuple[Array, ...] | None

    @property
    def input_tensors(self) -> tuple[Tensor, ...]:
        """The arguments that are placeholders, in order."""
        return tuple(t for t in self.args if t._node.body is None)


def load(path: Path) -> Script:
    """Runs a script and takes its schedule.

    Args:
        path: a Python file that defines ``outputs()``, which returns a tensor or several, or a
            schedule named ``s``.

    Returns:
        What it defines.

    Raises:
        DslError: it defines neither.
    """
    sys.path.insert(0, str(path.resolve().parent))
    try:
        names = runpy.run_path(str(path), run_name="__solway__")
    finally:
        sys.path.pop(0)
    found = names.get("s")
    if isinstance(found, Schedule):
        schedule = found
    elif callable(names.get("outputs")):
        computed = names["outputs"]()
        with pretending(_place_of(names["outputs"], path)):
            schedule = create_schedule(computed)
    else:
        raise DslError(
            f"'{path}' defines no schedule",
            f"it has neither a schedule named 's' nor a function 'outputs()'; 's' is {found!r}"
            if "s" in names
            else "it has neither a schedule named 's' nor a function 'outputs()'",
            "name the schedule 's', or define outputs() that returns the computed tensors",
            (str(path), 1, ""),
        )
    given = names.get("args")
    if isinstance(given, (list, tuple)) and all(isinstance(t, Tensor) for t in given):
        args = tuple(given)
    else:
        args = arguments_of(schedule)
    return Script(
        re.sub(r"\W", "_", path.stem, flags=re.ASCII).lstrip("0123456789") or "kernel",
        schedule,
        args,
        _candidates(names, path),
        _arrays(_called(names, "inputs")),
    )


def arguments_of(schedule: Schedule) -> tuple[Tensor, ...]:
    """The inputs of a schedule in order of first use, then its outputs."""
    state = schedule._state
    return tuple(Tensor(node) for node in (*state.inputs(), *state.outputs()))


def integer_values(tensors: tuple[Tensor, ...], seed: int) -> list[Array]:
    """Small integers as values of each tensor: every order of adding them gives the same sum."""
    rng = np.random.default_rng(seed)
    return [rng.integers(-4, 5, t.shape).astype(t.dtype) for t in tensors]


def _called(names: dict[str, object], name: str) -> object:
    function = names.get(name)
    return function() if callable(function) else None


def _candidates(names: dict[str, object], path: Path) -> Candidates:
    found = _called(names, "candidates")
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise DslError(
            "candidates() returns no dict",
            f"got {type(found).__name__}",
            "return functions by name: {'numpy': lambda a, b: a @ b}",
            _place_of(names["candidates"], path),
        )
    return dict(cast("Candidates", found))


def _place_of(function: object, path: Path) -> tuple[str, int, str]:
    """Where a script defines a function."""
    code = getattr(function, "__code__", None)
    file, line = (str(path), 1) if code is None else (code.co_filename, code.co_firstlineno)
    return file, line, linecache.getline(file, line).strip()


def _arrays(values: object) -> tuple[Array, ...] | None:
    if values is None:
        return None
    if not isinstance(values, (list, tuple)):
        raise DslError(
            "inputs() of the script returns no list",
            f"got {type(values).__name__}",
            "return a list of one array per input",
            caller(),
        )
    return tuple(np.asarray(value) for value in values)
