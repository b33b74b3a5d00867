"""What a schedule with copies would do, step by step: who wrote what each step finds.

A test writes down the steps that a schedule asks for, by hand; `Trace` runs them on cells that hold
the name of their last writer, and keeps everything that is not as in the program.
"""

from __future__ import annotations

from typing import NamedTuple

from support.violations import Instance

__all__ = ["Trace"]

Name = tuple[str, tuple[tuple[str, int], ...]]
Cell = tuple[str, tuple[int, ...]]


class Transfer(NamedTuple):
    """Elements on their way to a buffer or from it."""

    name: Name
    cells: dict[Cell, Cell]  # of the buffer, and the element of each
    is_put: bool
    found: dict[Cell, Name]  # the last writer of each element when it was issued


class Trace:
    """Memory whose cells hold names.

    Args:
        program: the instances in the order in which they were written, which says what each read
            should find.
    """

    def __init__(self, program: list[Instance]) -> None:
        self.wrong: set[tuple[Name, Name, str, tuple[int, ...]]] = set()
        self._instances = {instance.name: instance for instance in program}
        self._expected: dict[tuple[Name, Cell], Name] = {}
        writers: dict[Cell, Name] = {}
        for instance in program:
            for element in instance.reads:
                self._expected[instance.name, element] = writers.get(element, (element[0], ()))
            writers |= dict.fromkeys(instance.writes, instance.name)
        self._memory: dict[Cell, Name] = {}
        self._fillers: dict[Cell, tuple[Name, int]] = {}  # of buffers' cells, with the core
        self._flying: list[Transfer] = []

    def run(
        self,
        stage: str,
        core: int = 0,
        reads: dict[Cell, Cell] | None = None,
        writes: dict[Cell, Cell] | None = None,
        inside: tuple[tuple[str, int], ...] = (),
        **at: int,
    ) -> None:
        """An instance.

        Args:
            stage: what it computes.
            core: where it runs.
            reads: elements that it finds in cells of buffers, and these cells.
            writes: elements that it leaves in cells of buffers.
            inside: the loops of another stage in which it was placed.
            at: its iteration.
        """
        name = (stage, tuple(at.items()))
        instance = self._instances[name]
        for element in instance.reads:
            cell = (reads or {}).get(element, element)
            self._look(name, element, cell, core)
        for element in instance.writes:
            cell = (writes or {}).get(element, element)
            self._write(cell, name, name)
            if cell != element:
                self._fillers[cell] = ((stage, inside + name[1]), core)

    def get(self, buffer: str, cells: dict[Cell, Cell], core: int = 0, **at: int) -> None:
        """A copy to a buffer, done at once; `cells` of the buffer, and the element of each."""
        name = (buffer, tuple(at.items()))
        for cell, element in cells.items():
            self._memory[cell] = self._memory.get(element, (element[0], ()))
            self._fillers[cell] = (name, core)

    def put(self, buffer: str, cells: dict[Cell, Cell], core: int = 0, **at: int) -> None:
        """A copy from a buffer, done at once."""
        name = (buffer, tuple(at.items()))
        for cell, element in cells.items():
            filler, filled_on = self._fillers.get(cell, (name, core))
            if filled_on != core:
                self.wrong.add((filler, name, *cell))
            self._write(element, self._memory[cell], name)

    def issue(self, buffer: str, cells: dict[Cell, Cell], is_put: bool = False, **at: int) -> None:
        """The begin of a copy, which lasts until `wait`."""
        name = (buffer, tuple(at.items()))
        found = {e: self._memory.get(e, (e[0], ())) for e in cells.values()}
        self._flying.append(Transfer(name, cells, is_put, found))

    def wait(self, buffer: str, **at: int) -> None:
        """The end of a copy."""
        name = (buffer, tuple(at.items()))
        (done,) = (t for t in self._flying if t.name == name)
        self._flying.remove(done)
        if done.is_put:
            self.put(buffer, done.cells, **at)
        else:
            self.get(buffer, done.cells, **at)

    def _look(self, name: Name, element: Cell, cell: Cell, core: int) -> None:
        filler, filled_on = self._fillers.get(cell, (name, core))
        if filled_on != core:
            self.wrong.add((filler, name, *cell))
        expected = self._expected[name, element]
        if self._memory.get(cell, (element[0], ())) != expected:
            self.wrong.add((expected, name, *element))
        for transfer in self._flying:
            if transfer.is_put and cell in transfer.cells.values():
                self.wrong.add((transfer.name, name, *cell))

    def _write(self, cell: Cell, value: Name, by: Name) -> None:
        for transfer in self._flying:
            if cell in transfer.found and transfer.name != by:
                self.wrong.add((transfer.found[cell], transfer.name, *cell))
        self._memory[cell] = value
