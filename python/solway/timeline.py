"""What each core of an emulated machine did when: the timeline of a run in timed mode."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from solway import _core
from solway._timeline_page import page_of
from solway._written import written

__all__ = ["CoreTimes", "Level", "Run", "Timeline", "Transfer", "Wait"]


class CoreTimes(NamedTuple):
    """Where the time of one core went, in cycles; exact, whatever the timeline's resolution.

    Args:
        running: from the starts of its functions to their ends.
        stalls: of that, in which it stood still, by what it waited for.
        in_flight: in which a transfer of it was not complete.
        get_bytes: that its transfers brought.
        put_bytes: that its transfers took away.
        ldm_peak_bytes: of its scratchpad, at most.

    Example:
        >>> core = CoreTimes(100, {"transfer": 30, "barrier": 20}, 40, 4096, 0, 8192)
        >>> core.computing
        50
    """

    running: int
    stalls: Mapping[str, int]
    in_flight: int
    get_bytes: int
    put_bytes: int
    ldm_peak_bytes: int

    @property
    def computing(self) -> int:
        """Cycles in which it ran and waited for nothing."""
        return self.running - sum(self.stalls.values())


class Run(NamedTuple):
    """A function that a core ran, from its start to its end.

    Args:
        core: its number.
        function: its name.
        begin: the cycle, since the entry was called.
        end: the cycle.
    """

    core: int
    function: str
    begin: int
    end: int


class Wait(NamedTuple):
    """A core stood still.

    Args:
        core: its number.
        kind: what it waited for, as in `LastRun.stalls`.
        begin: the cycle, since the entry was called.
        end: the cycle.
        waited: less than `end - begin` where shorter waits were joined.
    """

    core: int
    kind: str
    begin: int
    end: int
    waited: int


class Transfer(NamedTuple):
    """A request, or several that were joined.

    Args:
        core: its number.
        direction: "get" or "put".
        where: "file:line" of the request in the sources, of the first one.
        requests: how many.
        bytes: moved.
        issued: the cycle of the first request, since the entry was called.
        completed: the cycle in which the last was complete.
    """

    core: int
    direction: str
    where: str
    requests: int
    bytes: int
    issued: int
    completed: int


class Level(NamedTuple):
    """A core uses so much of its scratchpad from a cycle on.

    Args:
        core: its number.
        cycle: since the entry was called.
        bytes: static objects, heap, stack and reserve.
    """

    core: int
    cycle: int
    bytes: int


class Timeline:
    """What each core did when, of one run in timed mode; `kernel.last_run.timeline`.

    Cores are numbered through: of a program on several core groups, core 64 is CPE 0 of group 1.

    Attributes:
        name: of the kernel.
        cycles: from the call of the entry to its return.
        clock_mhz: of the cores.
        ldm_bytes: of a core's scratchpad.

    Example:
        >>> A = sw.placeholder((4096,), name="A")
        >>> B = sw.compute((4096,), lambda i: A[i] * 2, name="B")
        >>> s = sw.create_schedule(B)
        >>> outer, inner = s[B].split("i", factor=64)
        >>> s[B].parallel(outer)
        >>> _ = s.buffer_read(A, [inner])
        >>> _ = s.buffer_write(B, [inner])
        >>> kernel = sw.build(s, [A, B], target="sw26010", name="twice")
        >>> _ = kernel.run(np.ones(4096, "float32"), mode="timed")
        >>> timeline = kernel.last_run.timeline
        >>> [t.bytes for t in timeline.transfers if t.core == 5], f"{timeline.overlap:.2f}"
        ([16, 256, 256], '0.00')
    """

    def __init__(self, timed: _core.TimedResult, name: str, clock_mhz: int, ldm_bytes: int) -> None:
        self._timed = timed
        self.name = name
        self.cycles = timed.cycles
        self.clock_mhz = clock_mhz
        self.ldm_bytes = ldm_bytes

    @property
    def resolution(self) -> int:
        """Waits and transfers of a core that lie nearer, in cycles, are joined; 0: none are.

        Waits that are shorter are left out of `waits`, but not out of `cores`.
        """
        return int(self._timed.resolution)

    @cached_property
    def cores(self) -> tuple[CoreTimes, ...]:
        """The times of each core, in the order of their numbers."""
        return tuple(CoreTimes(*row) for row in self._timed.cores)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The functions that cores ran, in the order of their begins."""
        return tuple(Run(*row) for row in self._timed.runs)

    @cached_property
    def waits(self) -> tuple[Wait, ...]:
        """When cores stood still, in the order of the begins."""
        return tuple(Wait(*row) for row in self._timed.waits)

    @cached_property
    def transfers(self) -> tuple[Transfer, ...]:
        """The requests, in the order of their issues."""
        return tuple(Transfer(*row) for row in self._timed.transfers)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The use of the scratchpads, in the order of the cycles."""
        return tuple(Level(*row) for row in self._timed.levels)

    @property
    def groups(self) -> int:
        """Core groups that the program used, with 64 cores each in `cores`."""
        return max(1, len(self.cores) // _GROUP)

    def core_name(self, core: int) -> str:
        """What a core is called: "core 17", or "group 2, CPE 17" where there are several groups.

        Args:
            core: its number, as in `cores`.

        Returns:
            The name.
        """
        if self.groups == 1:
            return f"core {core}"
        return f"group {core // _GROUP}, CPE {core % _GROUP}"

    @property
    def shares(self) -> dict[str, float]:
        """Parts of the running time of all cores: "computing", and what they waited for."""
        running = sum(core.running for core in self.cores) or 1
        parts = {"computing": sum(core.computing for core in self.cores), **self._timed.stalls}
        return {kind: cycles / running for kind, cycles in parts.items()}

    @property
    def overlap(self) -> float | None:
        """The part of the transfers' time in which their cores did something else.

        1: nobody waited for a transfer. None: there were no transfers.
        """
        in_flight = sum(core.in_flight for core in self.cores)
        if not in_flight:
            return None
        stalls = self._timed.stalls
        return max(0.0, 1 - (stalls["transfer"] + stalls["channel"]) / in_flight)

    @property
    def imbalance(self) -> float | None:
        """Computing time of the busiest core over the mean of those that ran.

        1: all had as much to do. None: no core ran.
        """
        times = [core.computing for core in self.cores if core.running]
        return max(times) * len(times) / sum(times) if any(times) else None

    def __str__(self) -> str:
        micros = self.cycles / self.clock_mhz
        ran = sum(1 for core in self.cores if core.running)
        cores = f"{ran} cores" + (f" in {self.groups} groups" if self.groups > 1 else "")
        lines = [f"{self.name}: {self.cycles:,} cycles ({micros:,.1f} us), {cores}"]
        lines += [
            f"  {kind.replace('_', ' '):<12}{100 * share:5.1f} %"
            for kind, share in self.shares.items()
            if share or kind == "computing"
        ]
        if self.overlap is not None:
            lines.append(f"  {100 * self.overlap:.0f} % of the transfers' time is hidden")
        if self.imbalance is not None:
            lines.append(f"  the busiest core computes {self.imbalance:.2f} times the mean")
        return "\n".join(lines)

    def to_chrome(self, path: str | os.PathLike[str]) -> Path:
        """Writes a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open.

        Args:
            path: of the file, ".json".

        Returns:
            The path.

        Raises:
            ArgumentMismatchError: the file cannot be written.
        """
        text = json.dumps({"traceEvents": self._events(), "displayTimeUnit": "ns"})
        return written(path, text)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Writes a page that needs no other file: the timeline of all cores, to zoom into.

        Args:
            path: of the file.

        Returns:
            The path.

        Raises:
            ArgumentMismatchError: the file cannot be written.
        """
        return written(path, page_of(self))

    def _sorted_name(self, core: int) -> str:
        """A name that stands in the order of the numbers among others."""
        if self.groups == 1:
            return f"core {core:02}"
        return f"group {core // _GROUP}, CPE {core % _GROUP:02}"

    def _events(self) -> list[dict[str, object]]:
        events: list[dict[str, object]] = []
        for process, name in enumerate(("cores", "transfers", "scratchpads")):
            events.append(_named("process_name", process, 0, name))
        for core, times in enumerate(self.cores):
            if times.running:
                events.append(_named("thread_name", 0, core, self._sorted_name(core)))

        def span(
            process: int, thread: int, name: str, begin: int, end: int, **args: object
        ) -> None:
            events.append(
                {
                    "ph": "X",
                    "pid": process,
                    "tid": thread,
                    "name": name,
                    "ts": begin / self.clock_mhz,
                    "dur": (end - begin) / self.clock_mhz,
                    "args": args,
                }
            )

        for run in self.runs:
            span(0, run.core, run.function, run.begin, run.end)
        for wait in self.waits:
            kind = f"waits: {wait.kind.replace('_', ' ')}"
            span(0, wait.core, kind, wait.begin, wait.end, cycles=wait.waited)
        lanes: dict[int, list[int]] = {}  # of each core: when its lanes are free again
        for t in self.transfers:
            free = lanes.setdefault(t.core, [])
            lane = next((n for n, end in enumerate(free) if end <= t.issued), len(free))
            if lane == len(free):
                free.append(0)
                thread = _LANES * t.core + lane
                events.append(
                    _named("thread_name", 1, thread, f"{self._sorted_name(t.core)} / {lane}")
                )
            free[lane] = t.completed
            span(
                1,
                _LANES * t.core + lane,
                f"{t.direction} {t.bytes:,} B",
                t.issued,
                t.completed,
                where=t.where,
                requests=t.requests,
            )
        events += [
            {
                "ph": "C",
                "pid": 2,
                "name": self._sorted_name(level.core),
                "ts": level.cycle / self.clock_mhz,
                "args": {"bytes": level.bytes},
            }
            for level in self.levels
        ]
        return events


_GROUP = 64  # cores of a group, whether the machine has them or not
_LANES = 16  # requests of one core at a time, at most


def _named(what: str, process: int, thread: int, name: str) -> dict[str, object]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}}
