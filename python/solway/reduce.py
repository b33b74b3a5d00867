"""Makes a failure small: fewer primitives, fewer stages, smaller expressions, smaller numbers.

A step is kept when the smaller program fails in the same way; whatever does not run, or fails in
another way, is no step.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from solway.expr import Tensor
from solway.failure import Failure, arguments_of
from solway.program_writer import to_python

__all__ = ["Reduction", "reduce"]


class Reduction(NamedTuple):
    """A failure made small.

    Args:
        failure: the smallest that was found.
        tried: how many programs ran.
        primitives: how many its schedule has.
    """

    failure: Failure
    tried: int
    primitives: int


def reduce(
    failure: Failure, run: Callable[[Failure], Failure] | None = None, *, seconds: float = 600.0
) -> Reduction:
    """Makes a failure as small as it gets within some time.

    Args:
        failure: what happens; its `found` says in which way.
        run: runs one in some way and gives what it found; by default in this process.
        seconds: of wall time.

    Returns:
        The smallest failure with the same `found`.

    Example:
        >>> reduce(Failure("ZeroDivisionError", "outputs = []", call="1 / 0")).primitives
        0
    """
    search = _Search(failure, run or Failure.happens, time.monotonic() + seconds)
    search.run()
    return Reduction(search.best, search.tried, len(_primitives(search.best.schedule)))


class _Search:
    def __init__(
        self, failure: Failure, run: Callable[[Failure], Failure], deadline: float
    ) -> None:
        self.best = failure
        self.tried = 0
        self._run = run
        self._deadline = deadline
        self._seen: set[tuple[str, str]] = set()

    def run(self) -> None:
        """Steps of each kind in turn, until none makes it smaller."""
        before = None
        while before != self.best and time.monotonic() < self._deadline:
            before = self.best
            for candidates in (_without_primitives, _smaller_programs, _smaller_numbers):
                self._pass(candidates)
                self._tidy()

    def _pass(self, candidates: Callable[[Failure], Iterator[Failure]]) -> None:
        """Takes every step of one kind that can be taken, starting again after each."""
        taken = True
        while taken and time.monotonic() < self._deadline:
            taken = False
            for candidate in candidates(self.best):
                if time.monotonic() > self._deadline:
                    return
                if self._fails(candidate):
                    taken = True
                    break

    def _tidy(self) -> None:
        """Writes the present texts anew, without what is not used any more."""
        names: dict[str, Any] = {}
        exec(self.best.program, names)
        program = to_python(names["outputs"])
        tidy = replace(self.best, program=program)
        if tidy != self.best and self._run(tidy).found == self.best.found:
            self.best = tidy

    def _fails(self, candidate: Failure) -> bool:
        key = candidate.program, candidate.schedule
        if key in self._seen or _size(candidate) >= _size(self.best):
            return False
        self._seen.add(key)
        self.tried += 1
        found = self._run(candidate)
        if found.found != self.best.found:
            return False
        self.best = replace(candidate, detail=found.detail)
        return True


def _primitives(schedule: str) -> list[int]:
    """The lines of a schedule's text that are primitives."""
    lines = schedule.splitlines()
    return [
        number
        for number, line in enumerate(lines)
        if "(" in line and not line.startswith("#") and "create_schedule(" not in line
    ]


def _size(failure: Failure) -> tuple[int, int, int]:
    """Primitives, then the parts of the program, then its numbers."""
    tree = ast.parse(failure.program)
    lines = failure.schedule
    numbers = sum(
        abs(node.value)
        for text in (failure.program, lines)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and type(node.value) is int
    )
    return len(_primitives(lines)), sum(1 for _ in ast.walk(tree)), numbers


def _without_primitives(failure: Failure) -> Iterator[Failure]:
    lines = failure.schedule.splitlines()
    places = _primitives(failure.schedule)
    width = len(places)
    while width:
        for end in range(len(places), width - 1, -1):
            gone = set(places[end - width : end])
            kept = [line for number, line in enumerate(lines) if number not in gone]
            yield replace(failure, schedule="\n".join(kept) + "\n")
        width //= 2


def _smaller_programs(failure: Failure) -> Iterator[Failure]:
    names: dict[str, Any] = {}
    exec(failure.program, names)
    tensors = {name: value for name, value in names.items() if isinstance(value, Tensor)}
    yield from _other_outputs(failure, names["outputs"], tensors)
    yield from _placeholders(failure, tensors)
    for text in _edits(failure.program, _parts_of):
        yield replace(failure, program=text)


def _other_outputs(
    failure: Failure, outputs: list[Tensor], tensors: dict[str, Tensor]
) -> Iterator[Failure]:
    """Fewer outputs, or an earlier tensor in their place."""
    choices = [[t for t in outputs if t != gone] for gone in outputs if len(outputs) > 1]
    choices += [[t] for t in tensors.values() if t._node.body is not None]
    for chosen in choices:
        yield replace(failure, program=to_python(chosen))


def _placeholders(failure: Failure, tensors: dict[str, Tensor]) -> Iterator[Failure]:
    """A placeholder in place of a computed tensor."""
    lines = failure.program.splitlines()
    for name, tensor in tensors.items():
        if tensor._node.body is None:
            continue
        text = f'{name} = sw.placeholder({tensor.shape}, "{tensor._node.dtype}", name="{name}")'
        changed = [text if line.startswith(f"{name} = ") else line for line in lines]
        names: dict[str, Any] = {}
        try:
            exec("\n".join(changed), names)
            if any(t._node.body is None for t in names["outputs"]):
                continue
            arguments_of(names["outputs"])
            yield replace(failure, program=to_python(names["outputs"]))
        except Exception:
            continue  # it was an output, or is changed in place


def _smaller_numbers(failure: Failure) -> Iterator[Failure]:
    for text in _edits(failure.program, _less):
        yield replace(failure, program=text)
    for text in _edits(failure.schedule, _less):
        yield replace(failure, schedule=text)


def _parts_of(node: ast.expr) -> list[ast.expr]:
    """What may stand in an expression's place: one of its parts."""
    if isinstance(node, ast.Call):
        return list(node.args)
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Subscript):
        return [ast.Constant(1)]
    return []


def _less(node: ast.expr) -> list[ast.expr]:
    """Numbers that may stand in a number's place."""
    if not isinstance(node, ast.Constant) or type(node.value) is not int or node.value == 0:
        return []
    value = node.value
    return [ast.Constant(n) for n in dict.fromkeys((0, 1, value // 2, value - 1)) if n < value]


def _edits(text: str, choices: Callable[[ast.expr], list[ast.expr]]) -> Iterator[str]:
    """The text with one expression replaced by one of its `choices`, outer expressions first."""
    for place in range(sum(1 for _ in _places(ast.parse(text)))):
        number = 0
        while True:
            tree = ast.parse(text)
            parent, field, index, node = list(_places(tree))[place]
            found = choices(node)
            if number >= len(found):
                break
            if index is None:
                setattr(parent, field, found[number])
            else:
                getattr(parent, field)[index] = found[number]
            number += 1
            yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """Where expressions stand: the node above, the field, the index in it, the expression."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.expr):
                yield parent, field, None, value
            elif isinstance(value, list):
                for index, one in enumerate(value):
                    if isinstance(one, ast.expr):
                        yield parent, field, index, one
