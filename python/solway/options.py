"""Options that do not change what is computed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

__all__ = ["Options", "limited"]

_SECONDS = "SOLWAY_ANALYSIS_SECONDS"


class Options(NamedTuple):
    """What to print of a build, and where to stop; None leaves it to the environment.

    Args:
        print_after: a pass, or several, after which the loop IR is printed on standard error;
            "lower" is the IR before any pass, "all" prints after each (``SOLWAY_PRINT_AFTER``,
            with commas between).
        stop_after: the last pass that runs; the kernel's source is then the loop IR, and it does
            not run (``SOLWAY_STOP_AFTER``).
        timings: print what each pass and phase took (``SOLWAY_TIMINGS=1``).
        analysis_seconds: processor time after which one proof ends undecided, as an
            `AnalysisBudgetError`; for the primitives of a schedule that `create_schedule` made with
            these options, and for a build (``SOLWAY_ANALYSIS_SECONDS``; 20).
        debug: before each call, look at the data for indices outside of what `bounded` promises
            (``SOLWAY_DEBUG=1``).

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

    def _row(self) -> tuple[list[str] | None, str | None, bool | None]:
        names = [self.print_after] if isinstance(self.print_after, str) else self.print_after
        return (None if names is None else list(names), self.stop_after, self.timings)

    def _is_debug(self) -> bool:
        if self.debug is not None:
            return self.debug
        return os.environ.get("SOLWAY_DEBUG", "") not in ("", "0")


@contextmanager
def limited(options: Options | None) -> Iterator[None]:
    """Proofs within take the time that `options` give them, over the environment.

    Args:
        options: None leaves it to the environment.
    """
    seconds = None if options is None else options.analysis_seconds
    if seconds is None:
        yield
        return
    before = os.environ.get(_SECONDS)
    os.environ[_SECONDS] = repr(float(seconds))
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SECONDS]
        else:
            os.environ[_SECONDS] = before
