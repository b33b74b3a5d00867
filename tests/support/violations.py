"""What a schedule breaks, found by listing the instances of a program one by one.

Nothing here knows what a schedule is: a program is its instances in the order in which they were
written, and a new order is a key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

__all__ = ["Instance", "broken_order", "conflicts", "race"]


@dataclass(frozen=True)
class Instance:
    """One execution of a statement.

    Args:
        stage: the tensor that it computes.
        at: its iteration as (axis, value) pairs.
        writes: elements, as (tensor, index) pairs.
        reads: elements that it reads.
        group: the element of a declared reduction whose term it adds, or None.
    """

    stage: str
    at: tuple[tuple[str, int], ...]
    writes: frozenset[tuple[str, tuple[int, ...]]]
    reads: frozenset[tuple[str, tuple[int, ...]]] = frozenset()
    group: tuple[str, tuple[int, ...]] | None = None
    values: dict[str, int] = field(default_factory=dict, compare=False, hash=False)

    def __getattr__(self, name: str) -> int:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def name(self) -> tuple[str, tuple[tuple[str, int], ...]]:
        """How an error names it."""
        return (self.stage, self.at)


def instances(
    stage: str,
    extents: dict[str, range],
    writes: Callable[..., tuple[int, ...]],
    reads: Callable[..., Iterable[tuple[str, tuple[int, ...]]]] = lambda **_: (),
    *,
    is_term: bool = False,
    tensor: str | None = None,
) -> Iterator[Instance]:
    """The instances of a nest in lexicographic order."""
    target = tensor or stage
    for point in product(*extents.values()):
        at: dict[str, int] = dict(zip(extents, point, strict=True))
        element = (target, writes(**at))
        read = set(reads(**at)) | ({element} if is_term else set())
        yield Instance(
            stage,
            tuple(at.items()),
            frozenset({element}),
            frozenset(read),
            element if is_term else None,
            at,
        )


def conflicts(a: Instance, b: Instance) -> set[tuple[str, tuple[int, ...]]]:
    """The elements that both access, one of them writing."""
    return set((a.writes & (b.writes | b.reads)) | (a.reads & b.writes))


def is_direct(program: list[Instance], first: int, second: int) -> bool:
    """Whether two instances conflict in an element that nothing writes between them.

    Terms of one declared reduction have no order: none of them comes between another one and what
    follows.
    """
    a, b = program[first], program[second]
    between = [c for c in program[first + 1 : second] if c.group is None or c.group != a.group]
    return any(all(e not in c.writes for c in between) for e in conflicts(a, b))


Key = Callable[[Instance], Any]


def broken_order(program: list[Instance], key: Key) -> tuple[Instance, Instance] | None:
    """The first pair in program order that conflicts and does not run in order by `key`.

    Terms of one declared reduction may run in any order. Where some of the pairs are direct, with
    no write of the element between, it is the first of these.
    """
    indirect = None
    for n, a in enumerate(program):
        for m in range(n + 1, len(program)):
            b = program[m]
            if a.group is not None and a.group == b.group:
                continue
            if conflicts(a, b) and not key(a) < key(b):
                if is_direct(program, n, m):
                    return a, b
                indirect = indirect or (a, b)
    return indirect


def race(
    program: list[Instance], outer: Key, value: Key, *, reductions: bool = False
) -> tuple[Instance, Instance] | None:
    """The first pair that conflicts in different iterations of one execution of a loop.

    Args:
        program: the instances.
        outer: what tells the executions of the loop apart; None for what is not in the loop.
        value: the loop's value.
        reductions: whether terms of one declared reduction may meet, as in the lanes of a vector.
    """
    for n, a in enumerate(program):
        for b in program[n + 1 :]:
            if reductions and a.group is not None and a.group == b.group:
                continue
            if outer(a) is None or outer(a) != outer(b) or value(a) == value(b):
                continue
            if conflicts(a, b):
                return a, b
    return None
