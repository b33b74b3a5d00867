"""Options that do not change what is computed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple

import numpy as np

from solway import _core
from solway._location import caller
from solway.errors import ScheduleArgumentError

__all__ = ["Options", "limited"]


class Options(NamedTuple):
    """What to print of a build, where to stop, and its form; None leaves it to the environment.

    Args:
        print_after: a pass, or several, after which the loop IR is printed on standard error;
            "lower" is the IR before any pass, "all" prints after each (``SOLWAY_PRINT_AFTER``,
            with commas between).
        stop_after: the last pass that runs; the kernel's source is then the loop IR, and it does
            not run (``SOLWAY_STOP_AFTER``).
        timings: print what each pass and phase took (``SOLWAY_TIMINGS=1``).
        pipelines: of loops in which transfers run ahead of their use (``depth=2``): "guarded" has
            conditions in each iteration, "peeled" the first and the last iterations as code of
            their own, "auto" whichever takes fewer cycles by the target's figures
            (``SOLWAY_PIPELINES``; "auto").
        analysis_seconds: processor time after which one proof ends undecided, as an
            `AnalysisBudgetError`; for the primitives of a schedule that `create_schedule` made with
            these options, and for a build (``SOLWAY_ANALYSIS_SECONDS``; 20).
        debug: before each call, look at the data for indices outside of what `bounded` promises
            (``SOLWAY_DEBUG=1``).
        threads: of calls of a kernel built with these options: at most so many run the parallel
            loops (``SOLWAY_THREADS``; one per physical core).

    Example:
        >>> A = sw.placeholder((4,), name="A")
        >>> B = sw.compute((4,), lambda i: A[i] * 2, name="B")
        >>> stop = sw.Options(stop_after="lower")
        >>> k = sw.build(sw.create_schedule(B), [A, B], target="c", name="twice", options=stop)
        >>> print(k.source["twice.ir"], end="")
        kernel twice(in A: float32[4], out B: float32[4]) {
          for i in [0, 4) {
            B[i] = (A[i] * 2.0f32)
          }
        }
    """

    print_after: str | Sequence[str] | None = None
    stop_after: str | None = None
    timings: bool | None = None
    debug: bool | None = None
    analysis_seconds: float | None = None
    threads: int | None = None
    pipelines: str | None = None

    def _row(self) -> tuple[list[str] | None, str | None, bool | None, str | None]:
        names = [self.print_after] if isinstance(self.print_after, str) else self.print_after
        return (
            None if names is None else list(names),
            self.stop_after,
            None if self.timings is None else _yes_or_no("timings", self.timings),
            self.pipelines,
        )

    def _is_debug(self) -> bool:
        if self.debug is not None:
            return _yes_or_no("debug", self.debug)
        return os.environ.get("SOLWAY_DEBUG", "") not in ("", "0")


def limited(options: Options | None) -> AbstractContextManager[None]:
    """Proofs of this thread within take the time that `options` give, over the environment.

    Args:
        options: None leaves it to the environment.

    Returns:
        The scope.

    Raises:
        ScheduleArgumentError: a time that is not positive.
    """
    seconds = None if options is None else options.analysis_seconds
    if seconds is None:
        text = os.environ.get("SOLWAY_ANALYSIS_SECONDS")
        if text is not None:
            _positive("SOLWAY_ANALYSIS_SECONDS", text, "set it to a positive number of seconds")
        return nullcontext()
    fix = "pass a positive number of seconds, or None for SOLWAY_ANALYSIS_SECONDS"
    return _within(_positive("analysis_seconds", seconds, fix))


def _yes_or_no(name: str, given: object) -> bool:
    if isinstance(given, bool | np.bool_):
        return bool(given)
    fix = f"pass True or False, or None for SOLWAY_{name.upper()}"
    raise ScheduleArgumentError(f"{name} is yes or no", f"got {given!r}", fix, caller())


def _positive(name: str, given: object, fix: str) -> float:
    try:
        seconds = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        seconds = float("nan")
    if not seconds > 0:
        raise ScheduleArgumentError(f"{name} is no time", f"got {given!r}", fix, caller())
    return seconds


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    before = _core.exchange_analysis_seconds(seconds)
    try:
        yield
    finally:
        _core.exchange_analysis_seconds(before)
