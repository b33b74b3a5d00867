"""How many threads a call of a kernel runs on."""

from __future__ import annotations

from solway import _core
from solway.errors import ScheduleArgumentError
from solway.options import Options

__all__ = ["require_threads", "threads_of_build", "threads_of_call"]


def require_threads(threads: object, where: tuple[str, int, str]) -> int:
    """A number of threads that somebody gave; 0 for None, which leaves it to others.

    Args:
        threads: what was given.
        where: the call.

    Raises:
        ScheduleArgumentError: it is no whole number from 1 to 1024.
    """
    if threads is None:
        return 0
    if isinstance(threads, int) and not isinstance(threads, bool) and abs(threads) < 2**31:
        return _core.require_threads(threads, _core.SourceLoc(*where))
    raise ScheduleArgumentError(
        f"threads={threads!r} is no number of threads",
        f"one is an int from 1 to 1024, got {type(threads).__name__}",
        "pass an int, or leave it out for one thread per core",
        where,
    )


def threads_of_build(
    threads: int | None, options: Options | None, has_threads: bool, where: tuple[str, int, str]
) -> int:
    """The threads that calls of a kernel get unless they say otherwise; 0: nobody said.

    Args:
        threads: what `build` was given; it counts before `options`.
        options: of the build.
        has_threads: whether the kernel's code has any.
        where: the call of `build`.

    Raises:
        ScheduleArgumentError: no number of threads.
        UnsupportedError: several, of code that has none.
    """
    asked = require_threads(threads, where)
    if asked == 0 and options is not None:
        asked = require_threads(options.threads, where)
    if not has_threads:
        _core.threads_of_call(asked, has_threads, _core.SourceLoc(*where))
    return asked


def threads_of_call(
    threads: int | None, of_build: int, has_threads: bool, where: tuple[str, int, str]
) -> int:
    """The threads of one call; the environment decides where neither it nor the build says.

    Args:
        threads: what the call was given.
        of_build: what `threads_of_build` gave.
        has_threads: whether the kernel's code has any.
        where: the call.

    Raises:
        ScheduleArgumentError: no number of threads.
        UnsupportedError: several, of code that has none.
    """
    asked = require_threads(threads, where) or of_build
    return _core.threads_of_call(asked, has_threads, _core.SourceLoc(*where))
