"""What a comparison found: one measurement per candidate, as a table, a page or a picture."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solway import _comparison_text as text
from solway._limits import Limits
from solway._location import caller
from solway._written import written
from solway.errors import ArgumentMismatchError, UnsupportedError
from solway.timeline import Timeline

__all__ = ["Comparison", "Measurement"]


class Measurement(NamedTuple):
    """What is known about one candidate.

    Args:
        name: of the candidate.
        target: where it ran: a target's name, or "python".
        error: the largest difference from the reference, over what rounding allows.
        seconds: wall-clock times in the order taken; none for an emulated kernel.
        bytes: moved, by kind; none where nothing counts them.
        ldm_peak_bytes: of the fullest core's scratchpad; None on other machines.
        cycles: of the emulated machine's clock; None without one.
        limits: of the emulated machine; None without a clock.
        timeline: what each core of the emulated machine did when; None without a clock.
        source: the files of a kernel, name to text.

    Example:
        >>> m = Measurement("mine", "host", 0.0, (0.001, 0.002, 0.003))
        >>> m.min, m.median, m.gflops(2_000_000)
        (0.001, 0.002, 1.0)
    """

    name: str
    target: str
    error: float
    seconds: tuple[float, ...] = ()
    bytes: Mapping[str, int] | None = None
    ldm_peak_bytes: int | None = None
    cycles: int | None = None
    limits: Limits | None = None
    timeline: Timeline | None = None
    source: Mapping[str, str] | None = None

    @property
    def is_emulated(self) -> bool:
        """Whether it ran on another machine than this one."""
        return self.bytes is not None

    @property
    def min(self) -> float | None:
        """The shortest time in seconds."""
        return min(self.seconds) if self.seconds else None

    @property
    def median(self) -> float | None:
        """The median time in seconds."""
        return float(np.median(self.seconds)) if self.seconds else None

    @property
    def spread(self) -> float | None:
        """The range of the middle half of the times, over the median."""
        if len(self.seconds) < 2:
            return None
        low, middle, high = np.quantile(self.seconds, [0.25, 0.5, 0.75])
        return float((high - low) / middle)

    def gflops(self, operations: int | None) -> float | None:
        """Billions of `operations` per second, at the median time or by the emulated clock."""
        if operations is None:
            return None
        if self.median is not None:
            return operations / self.median / 1e9
        if self.cycles is None or self.limits is None:
            return None
        return operations / self.cycles * self.limits.clock_mhz / 1e3

    def roofline(self, operations: int | None, moved_bytes: int) -> float | None:
        """Its share of what peak and throughput of the emulated machine allow.

        Args:
            operations: of one call.
            moved_bytes: that have to be moved at least.

        Returns:
            1 is all; None without operations or a clock.
        """
        reached = self.gflops(operations)
        if reached is None or operations is None or self.limits is None:
            return None
        return reached / self.limits.attainable(operations, moved_bytes)


class Comparison:
    """What `compare` found; prints as a table.

    Attributes:
        measurements: one per candidate, by name.
        operations: floating-point operations of one call; None without a tensor expression.
        argument_bytes: of all inputs and the result.
        agreement: what results were compared with, and how closely.
        repeats: timed calls per candidate.
        load: average number of running programs before the times were taken; None if unknown.
        cores: of this machine.
    """

    def __init__(
        self,
        measurements: Sequence[Measurement],
        *,
        operations: int | None,
        argument_bytes: int,
        agreement: str,
        repeats: int,
        load: float | None,
    ) -> None:
        self.measurements = {m.name: m for m in measurements}
        self.operations = operations
        self.argument_bytes = argument_bytes
        self.agreement = agreement
        self.repeats = repeats
        self.load = load
        self.cores = os.cpu_count() or 1

    def __str__(self) -> str:
        return text.as_text(self)

    def _repr_html_(self) -> str:
        return text.as_html(self)

    def ratio(self, a: str, b: str) -> float:
        """The time of `a` over the time of `b`: below 1, `a` is faster.

        Args:
            a: the name of a candidate.
            b: the name of another.

        Returns:
            The ratio of the medians; of cycles, when both ran on an emulated machine with a clock.

        Raises:
            ArgumentMismatchError: there is no such candidate.
            UnsupportedError: their times are not of one clock, or one has none.
        """
        first, second = self._named(a), self._named(b)
        for one, other in ((first.median, second.median), (first.cycles, second.cycles)):
            if one is not None and other is not None:
                return one / other
        raise UnsupportedError(
            f"ratio('{a}', '{b}') needs times of one clock",
            f"'{a}' has {text.clock_of(first)}, '{b}' {text.clock_of(second)}",
            "compare bytes: .measurements[name].bytes",
            caller(),
        )

    def to_dict(self) -> dict[str, object]:
        """Everything as numbers and text, as JSON takes it."""
        return {
            "agreement": self.agreement,
            "operations": self.operations,
            "argument_bytes": self.argument_bytes,
            "repeats": self.repeats,
            "load": self.load,
            "cores": self.cores,
            "candidates": {
                name: {
                    "target": m.target,
                    "error": m.error,
                    "seconds": list(m.seconds),
                    "min_seconds": m.min,
                    "median_seconds": m.median,
                    "spread": m.spread,
                    "gflops": m.gflops(self.operations),
                    "bytes": None if m.bytes is None else dict(m.bytes),
                    "ldm_peak_bytes": m.ldm_peak_bytes,
                    "cycles": m.cycles,
                    "roofline": m.roofline(self.operations, self.argument_bytes),
                }
                for name, m in self.measurements.items()
            },
        }

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Writes a page that needs no other file.

        It has the tables, the roofline of emulated machines, for each kernel on one what its cores
        did when, to zoom into, its sources beside the lines that they stand for, and, as JSON, the
        numbers behind the tables.

        Args:
            path: of the file.

        Returns:
            The path.

        Raises:
            ArgumentMismatchError: the file cannot be written.
        """
        numbers = json.dumps(self.to_dict(), indent=1)
        return written(path, text.as_page(self, numbers))

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draws the times, and the bytes that emulated kernels moved.

        Args:
            path: of the picture; its ending is the format, ".png" or ".svg".

        Returns:
            The path.

        Raises:
            UnsupportedError: matplotlib is not installed.
            ArgumentMismatchError: the file cannot be written.
        """
        return written(path, lambda file: text.draw(self, file))

    def _named(self, name: str) -> Measurement:
        if name not in self.measurements:
            raise ArgumentMismatchError(
                f"there is no candidate '{name}'",
                f"the candidates are {', '.join(map(repr, self.measurements))}",
                "use one of these",
                caller(),
            )
        return self.measurements[name]
