"""How kernels of emulated machines run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from solway._location import caller
from solway.errors import ArgumentMismatchError, UnsupportedError

__all__ = ["EmulatorOptions", "emulator"]

MODES = ("functional", "hazard", "timed")
LANDINGS = ("at_wait", "at_issue", "random")


class EmulatorOptions(NamedTuple):
    """How the emulator runs a kernel.

    Args:
        mode: "functional": results and counters. "hazard": in addition, faults that a run may get
            away with: LDM read before its get is complete, accesses without order, LDM that nobody
            wrote, and the like. "timed": in addition to results and counters, cycles.
        seed: order of cores, and of landings when they are random; 0: cores in order.
        landing: when the bytes of a transfer move: "at_wait", "at_issue" or "random".
        seconds: wall time, then the run is ended with an `EmulatorError`.
    """

    mode: str = "functional"
    seed: int = 0
    landing: str = "at_wait"
    seconds: float = 600.0


_DEFAULT = EmulatorOptions()
_options: ContextVar[EmulatorOptions] = ContextVar("solway_emulator", default=_DEFAULT)


def emulator(
    mode: str = "functional",
    *,
    seed: int = 0,
    landing: str = "at_wait",
    seconds: float = 600.0,
) -> AbstractContextManager[EmulatorOptions]:
    """Sets how kernels of emulated targets run within a ``with`` block.

    Args:
        mode: "functional": results and counters. "hazard": in addition, faults that a run may get
            away with are an `EmulatorError`: LDM that is read before its get is complete, or
            written before its put is, accesses to main memory without order, LDM that nobody
            wrote, unaligned vectors. It takes a few times as long. "timed": `Kernel.last_run` has
            cycles too. Transfers then arrive when they are complete, and `landing` and `seed` have
            no part in it.
        seed: order of cores, and of landings when they are random; 0: cores in order. A right
            program gives the same results for each.
        landing: when the bytes of a transfer move: "at_wait", "at_issue" or "random".
        seconds: wall time of one call, then it is ended with an `EmulatorError`.

    Raises:
        UnsupportedError: another mode.
        ArgumentMismatchError: a word or a number that is none of these.

    Example:
        >>> A = sw.placeholder((4,), name="A")
        >>> B = sw.compute((4,), lambda i: A[i] * 2, name="B")
        >>> k = sw.build(sw.create_schedule(B), [A, B], target="sw26010")
        >>> with sw.emulator(seed=7, landing="random", seconds=60):
        ...     k.run(np.arange(4, dtype="float32"))
        array([0., 2., 4., 6.], dtype=float32)
    """
    _require_mode(mode)
    if landing not in LANDINGS:
        raise ArgumentMismatchError(
            f"emulator(landing={landing!r}): there is no such landing",
            f"the words are {', '.join(map(repr, LANDINGS))}",
            "use one of these",
            caller(),
        )
    if not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise ArgumentMismatchError(
            f"emulator(seed={seed!r}) takes another seed",
            "a seed is an integer of 0 or more",
            "pass seed=0",
            caller(),
        )
    if not seconds > 0:
        raise ArgumentMismatchError(
            f"emulator(seconds={seconds!r}) leaves no time",
            "a run takes more than 0 seconds",
            "leave out seconds=",
            caller(),
        )
    return _within(EmulatorOptions(mode, seed, landing, float(seconds)))


def present_options() -> EmulatorOptions:
    """The options of the innermost ``with`` block around."""
    return _options.get()


def in_mode(mode: str | None) -> AbstractContextManager[EmulatorOptions]:
    """The present options, but for `mode` unless it is None."""
    if mode is None:
        return _within(_options.get())
    _require_mode(mode)
    return _within(_options.get()._replace(mode=mode))


@contextmanager
def _within(options: EmulatorOptions) -> Iterator[EmulatorOptions]:
    token = _options.set(options)
    try:
        yield options
    finally:
        _options.reset(token)


def _require_mode(mode: str) -> None:
    if mode in MODES:
        return
    raise UnsupportedError(
        f"the emulator has no mode {mode!r}",
        f"its modes are {', '.join(map(repr, MODES))}",
        "leave out mode=",
        caller(),
    )
