"""Targets: machines as data."""

from __future__ import annotations

import os
from dataclasses import dataclass

from solway import _core
from solway._location import caller
from solway.errors import UnsupportedError
from solway.expr import here

__all__ = ["Cores", "Memory", "Target", "TransferEngine", "VectorUnit", "targets"]


@dataclass(frozen=True, slots=True)
class Cores:
    """The cores that share the iterations of parallel loops.

    Args:
        count: 0: as many as the user allows when the kernel runs.
        mesh_rows: 0 when there is no mesh; else rows * columns is `count`.
        mesh_columns: the other side of the mesh.
        clock_mhz: 0 when it is not known when building.
        icache_bytes: instruction cache of one core.
        groups: of so many cores each, on one main memory, that a hand kernel may use.
    """

    count: int
    mesh_rows: int
    mesh_columns: int
    clock_mhz: int
    icache_bytes: int
    groups: int


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory, or one level of caches.

    Args:
        name: the scope that schedules name: "ldm", "panel", "register", "main".
        kind: "main"; "scratchpad", whose size is a hard limit; "cache" or "register".
        size_bytes: of one instance; 0 when it is not known when building.
        reserved_bytes: of that, what the system keeps for itself.
        alignment_bytes: of every buffer.
        shared_by: who sees one and the same instance: "core", "row", "column" or "all".
    """

    name: str
    kind: str
    size_bytes: int
    reserved_bytes: int
    alignment_bytes: int
    shared_by: str


@dataclass(frozen=True, slots=True)
class TransferEngine:
    """What moves data between main memory and a near memory while cores compute.

    Args:
        name: the engine.
        near: name of the near memory.
        ranks: (count, stride) pairs in main memory per transfer.
        max_pending: unfinished transfers per core before the next one stalls.
        alignment_bytes: of both addresses and of every size.
        min_size_bytes: of one transfer.
        max_size_bytes: of one transfer.
        max_block_bytes: of its contiguous piece.
        transaction_bytes: main memory moves multiples of this.
        startup_cycles: of the core's clock.
        bandwidth: (block bytes, get GB/s, put GB/s) by rising block size, all cores transferring.
    """

    name: str
    near: str
    ranks: int
    max_pending: int
    alignment_bytes: int
    min_size_bytes: int
    max_size_bytes: int
    max_block_bytes: int
    transaction_bytes: int
    startup_cycles: int
    bandwidth: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class VectorUnit:
    """The vector registers of a core.

    Args:
        register_bits: of one register.
        registers: how many.
        lanes: elements of one register by dtype; types that are absent have no vector form.
        fma_latency_cycles: of a fused multiply-add.
        load_latency_cycles: of a load from the nearest memory.
        scalable: registers hold some multiple of these bits and lanes, which is known when a
            kernel runs.
    """

    register_bits: int
    registers: int
    lanes: dict[str, int]
    fma_latency_cycles: int
    load_latency_cycles: int
    scalable: bool = False


class Target:
    """A machine as data: what schedules, planners and code generators ask about it.

    Get one with `Target.load`; `build` takes it in place of a name.

    Example:
        >>> t = sw.Target.load("sw26010")
        >>> t.cores.count, t.cores.mesh_rows, t.default_scope
        (64, 8, 'ldm')
        >>> t.memory("ldm").size_bytes
        65536
        >>> [engine.name for engine in t.transfer_engines]
        ['dma']
        >>> t.vector.lanes["float32"]
        4
    """

    __slots__ = ("_machine", "_path")

    def __init__(self, machine: _core.Target, path: str) -> None:
        self._machine = machine
        self._path = path  # or name

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Target:
        """Reads a target file, and checks it.

        Args:
            path: of a ``.toml`` file, or a name out of `targets`.

        Returns:
            The target.

        Raises:
            ScheduleArgumentError: a key that is unknown, missing, of another type or out of range,
                with its line; a file that cannot be read.
            UnsupportedError: a name that is not there.

        Example:
            >>> sw.Target.load("c").description
            'portable C99'
        """
        return cls(_core.require_target(os.fspath(path), here()), os.fspath(path))

    @property
    def name(self) -> str:
        """The name."""
        return str(self._machine.name)

    @property
    def description(self) -> str:
        """One line for people."""
        return str(self._machine.description)

    @property
    def dialect(self) -> str:
        """How transfers and calls are written: "host", "c", "athread" or "generic"."""
        return str(self._machine.dialect)

    @property
    def pragmas(self) -> str:
        """Whose directives the loops of dialect "c" carry: "nec"; empty: none."""
        return str(self._machine.pragmas)

    @property
    def llvm_cpu(self) -> str:
        """LLVM's name of the processor; empty for other dialects than "host"."""
        return str(self._machine.llvm_cpu)

    @property
    def default_scope(self) -> str:
        """The memory of buffers that name none."""
        return str(self._machine.default_scope)

    @property
    def cores(self) -> Cores:
        """The cores."""
        return Cores(*self._machine.cores)

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The memories, main memory first."""
        return tuple(Memory(*row) for row in self._machine.memories)

    @property
    def transfer_engines(self) -> tuple[TransferEngine, ...]:
        """What moves data by itself; without an engine, loads and stores copy."""
        return tuple(
            TransferEngine(*row[:-1], tuple(row[-1])) for row in self._machine.transfer_engines
        )

    @property
    def vector(self) -> VectorUnit | None:
        """The vector registers; None when there are none."""
        row = self._machine.vector
        return None if row is None else VectorUnit(*row)

    @property
    def timing(self) -> dict[str, float] | None:
        """What timed mode goes by, by its key in the target file; None without it."""
        row = self._machine.timing
        return None if row is None else dict(row)

    def memory(self, name: str) -> Memory:
        """One memory.

        Args:
            name: the scope.

        Returns:
            The memory of that name.

        Raises:
            UnsupportedError: there is none of that name.

        Example:
            >>> sw.Target.load("c").memory("panel").kind
            'cache'
        """
        for memory in self.memories:
            if memory.name == name:
                return memory
        raise UnsupportedError(
            f"target '{self.name}' has no memory '{name}'",
            f"its memories are {', '.join(repr(m.name) for m in self.memories)}",
            "use one of these",
            caller(),
        )

    def __repr__(self) -> str:
        return f"<target {self.name}: {self.description}>"


def targets() -> tuple[str, ...]:
    """The names of the targets that come with solway; `Target.load` gives each as data.

    Example:
        >>> sw.targets()[:3]
        ('host', 'aarch64-neon', 'aarch64-sve')
    """
    return tuple(_core.target_names())


def machine_of(target: str | Target | os.PathLike[str]) -> str | _core.Target:
    """What `_core` takes for a target."""
    if isinstance(target, Target):
        return target._machine
    if isinstance(target, str | os.PathLike):
        return os.fspath(target)
    raise UnsupportedError(
        f"target={target!r} is no target",
        f"a target is a name, the path of a .toml file or a Target, not {type(target).__name__}",
        f"pass one of {', '.join(map(repr, targets()))}",
        caller(),
    )


def loaded(target: str | Target | os.PathLike[str]) -> _core.Target:
    """The machine of a target, its file read."""
    machine = machine_of(target)
    return _core.require_target(machine, here()) if isinstance(machine, str) else machine
