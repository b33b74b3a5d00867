"""What an emulated machine could do at most."""

from __future__ import annotations

from typing import NamedTuple

from solway import _core
from solway.target import Target

__all__ = ["Limits", "limits_of"]


class Limits(NamedTuple):
    """The roofline of a machine with a clock.

    Args:
        clock_mhz: of its cores.
        gflops: of fused multiply-adds of all cores that a program uses, each two operations.
        gb_per_s: the largest throughput of their transfer engines.

    Example:
        >>> Limits(1450, 742.4, 36.0).attainable(operations=1e9, moved_bytes=1e9)
        36.0
    """

    clock_mhz: int
    gflops: float
    gb_per_s: float

    def attainable(self, operations: float, moved_bytes: float) -> float:
        """GFLOP/s of work that moves at least so many bytes."""
        return min(self.gflops, self.gb_per_s * operations / moved_bytes)


def limits_of(machine: _core.Target | None, groups: int = 1) -> Limits | None:
    """Of core groups with a bus each; None for a machine without a clock that is emulated."""
    if machine is None or machine.dialect not in ("athread", "generic"):
        return None
    target = Target(machine, machine.name)
    if target.timing is None or target.vector is None or not target.transfer_engines:
        return None
    clock = target.cores.clock_mhz
    lanes = target.vector.lanes.get("float32", 1)
    rows = target.transfer_engines[0].bandwidth
    return Limits(
        clock,
        groups * target.cores.count * lanes * 2 * clock / 1000,
        groups * max(rate for _, *rates in rows for rate in rates),
    )
