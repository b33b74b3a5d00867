"""Promises of `bounded`, checked against data before a kernel runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solway import _core, reductions
from solway.errors import ArgumentMismatchError, UnsupportedError
from solway.expr import Axis, Expr, Tensor, root_of
from solway.functions import any_of, select
from solway.options import Options
from solway.schedule import create_schedule
from solway.sizes import evaluate, names_in
from solway.tensors import compute, reduce_axis

if TYPE_CHECKING:
    from solway.kernel import Kernel

__all__ = ["IndexChecks", "has_promises"]

_Place = tuple[str, int, str]

_NOWHERE = np.iinfo(np.int64).max  # the least of no positions


class _Promise(NamedTuple):
    """An index of a read, and when it is used."""

    stage: _core.Tensor
    node: _core.Expr
    guards: tuple[tuple[_core.Expr, bool], ...]  # conditions of the selects around it, and sides


class _Check(NamedTuple):
    """A kernel that looks at one promise."""

    promise: _Promise
    kernel: Kernel
    inputs: tuple[Tensor, ...]


class IndexChecks:
    """Kernels that look for indices outside of what their `bounded` promises.

    Args:
        stages: the computed tensors of a schedule, each after what it reads.
        given: computed tensors that the schedule reads as they are.
        where: the line that builds it.

    Raises:
        UnsupportedError: an index that only the kernel itself can compute.
    """

    def __init__(
        self,
        stages: Iterable[_core.Tensor],
        given: Iterable[_core.Tensor],
        where: _core.SourceLoc,
    ) -> None:
        self._where = where
        self._given = frozenset(map(Tensor, given))
        stages = tuple(stages)
        # One that holds makes the reads of the next safe: producers first, the innermost first.
        promises = [promise for stage in stages for promise in _promises_of(stage)]
        self._checks = [
            self._made(promise, f"index_check{n}")
            for n, promise in enumerate(promises)
            if all(axis.extent for axis in _axes_of(promise.stage))
        ]

    def require(
        self, arrays: Mapping[Tensor, object], sizes: Mapping[str, int], where: _Place
    ) -> None:
        """Looks at the data of one call.

        Args:
            arrays: by argument.
            sizes: values by name.
            where: the line of the call.

        Raises:
            ArgumentMismatchError: an index is outside; with its value and both lines.
        """
        by_root = {root_of(tensor): array for tensor, array in arrays.items()}
        for promise, kernel, inputs in self._checks:
            own = {size.name: sizes[size.name] for size in kernel._sizes}
            results = kernel.run(*(by_root[tensor] for tensor in inputs), sizes=own)
            assert isinstance(results, tuple)
            position, value = (int(np.asarray(result)) for result in results)
            if position != _NOWHERE:
                raise self._broken(promise, position, value, sizes, where)

    def _broken(
        self,
        promise: _Promise,
        position: int,
        value: int,
        sizes: Mapping[str, int],
        where: _Place,
    ) -> ArgumentMismatchError:
        axes = _axes_of(promise.stage)
        ends = [[_number(bound, sizes) for bound in axis.bounds] for axis in axes]
        at = np.unravel_index(position, tuple(end - begin for begin, end in ends))
        place = ", ".join(
            f"{axis.name}={int(x) + begin}"
            for axis, x, (begin, _) in zip(axes, at, ends, strict=True)
        )
        node = promise.node
        index, low, high = node.operands
        line = f"{node.where.file}:{node.where.line}"
        used = names_in(low) | names_in(high)
        stated = ", ".join(f"{name}={sizes[name]}" for name in sizes if name in used)
        stated = f" with {stated}" if stated else ""
        return ArgumentMismatchError(
            f"'{promise.stage.name}' reads at an index that breaks its promise",
            f"{index} is {value}{' at ' if place else ''}{place}, promised {low} <= "
            f"index < {high}{stated} ({line})",
            "correct the data, or bound the index by what it may be",
            where,
        )

    def _made(self, promise: _Promise, name: str) -> _Check:
        from solway.kernel import build  # it builds this

        tensors = self._check(promise, name)
        inputs = self._inputs(tensors)
        read = [tensor for tensor in inputs if tensor in self._given]
        schedule, options = create_schedule(tensors, inputs=read), Options(debug=False)
        kernel = build(schedule, [*inputs, *tensors], name=name, options=options)
        return _Check(promise, kernel, tuple(inputs))

    def _check(self, promise: _Promise, name: str) -> list[Tensor]:
        """At which position the promise is broken first, and by what index."""
        old = _axes_of(promise.stage)
        ranges = [(_bound(a.bounds[0]), _bound(a.bounds[1])) for a in old] or [(0, 1)]

        def copy(suffix: str) -> tuple[list[Axis], Expr, Expr, Expr]:
            """Axes, the position that they stand for, it again where the promise is broken, index.

            Conditions around the promise are those around the index.
            """
            axes = [reduce_axis(both, name=f"{suffix}{d}") for d, both in enumerate(ranges)]
            to = _Substitution(
                {a: axis._node_at(self._where) for a, axis in zip(old, axes, strict=False)},
                promise.node,
                self._where,
            )
            at: Expr = axes[0] - ranges[0][0]
            for axis, (begin, end) in list(zip(axes, ranges, strict=True))[1:]:
                at = at * (end - begin) + (axis - begin)
            index = Expr(to.expr(promise.node.operands[0]))
            low, high = (Expr(bound) for bound in promise.node.operands[1:])
            broken = select(any_of(index < low, index >= high), at, _NOWHERE)
            for condition, side in reversed(promise.guards):
                holds = Expr(to.expr(condition))
                holds = holds if side else ~holds
                broken, index = select(holds, broken, _NOWHERE), select(holds, index, 0)
            return axes, at, broken, index

        axes, _, broken, _ = copy("p")
        first = compute((), lambda: reductions.min(broken, axes), name=f"{name}_first")
        axes, at, _, index = copy("v")
        found = compute(
            (),
            lambda: reductions.sum(select(at == first[()], index, 0), axes),
            name=f"{name}_value",
        )
        return [first, found]

    def _inputs(self, tensors: Iterable[Tensor]) -> list[Tensor]:
        """What these stand on and the caller brings, each once."""
        seen: dict[Tensor, None] = {}
        waiting = list(tensors)
        while waiting:
            tensor = waiting.pop()
            if tensor not in seen:
                seen[tensor] = None
                waiting += () if tensor in self._given else tensor.inputs
        return [
            t
            for t in seen
            if t in self._given or (t._node.body is None and not t._node.is_constant)
        ]


class _Substitution:
    """Copies of expressions with other axes."""

    def __init__(
        self,
        axes: Mapping[_core.Axis, _core.Expr],
        promise: _core.Expr,
        where: _core.SourceLoc,
    ) -> None:
        self._axes = axes
        self._promise = promise
        self._where = where

    def expr(self, node: _core.Expr) -> _core.Expr:
        """The copy of one expression."""
        where = self._where
        if node.kind in ("int", "float", "size"):
            return node
        if node.kind == "axis":
            assert node.axis is not None
            return self._axes[node.axis]
        operands = [self.expr(operand) for operand in node.operands]
        if node.kind == "read":
            assert node.tensor is not None
            return _core.make_read(node.tensor, operands, where)
        if node.kind == "select":
            return _core.make_select(operands[0], operands[1], operands[2], where)
        if node.kind == "unary":
            return _core.make_unary(node.op, operands[0], where)
        if node.kind == "binary":
            return _core.make_binary(node.op, operands[0], operands[1], where)
        if node.kind == "cast":
            return _core.make_cast(operands[0], node.dtype, where)
        if node.kind == "bounded":
            return _core.make_bounded(operands[0], operands[1], operands[2], where)
        raise _unchecked(self._promise, "it depends on a reduction inside the same compute")


def _bound(bound: int | _core.Expr) -> int | Expr:
    return bound if isinstance(bound, int) else Expr(bound)


def _number(bound: int | _core.Expr, sizes: Mapping[str, int]) -> int:
    return bound if isinstance(bound, int) else evaluate(bound, sizes)


def _axes_of(stage: _core.Tensor) -> list[_core.Axis]:
    return [*stage.axis, *stage.reduce_axis]


def _promises_of(stage: _core.Tensor) -> Iterator[_Promise]:
    domain = () if stage.domain is None else ((stage.domain, True),)
    for member in stage.members:
        if member.body is None:  # made by a primitive, out of others
            continue
        for promise in _walk(member, member.body, domain):
            if member.self is not None or member.base is not None:
                raise _unchecked(promise.node, f"'{member.name}' changes what its steps read")
            yield promise


def has_promises(stages: Iterable[_core.Tensor]) -> bool:
    """Whether the stages of a schedule read at indices that depend on data."""
    return any(True for stage in stages for _ in _promises_of(stage))


def _walk(
    stage: _core.Tensor, node: _core.Expr, guards: tuple[tuple[_core.Expr, bool], ...]
) -> Iterator[_Promise]:
    if node.kind == "select":
        condition, if_true, if_false = node.operands
        yield from _walk(stage, condition, guards)
        yield from _walk(stage, if_true, (*guards, (condition, True)))
        yield from _walk(stage, if_false, (*guards, (condition, False)))
        return
    for operand in node.operands:
        yield from _walk(stage, operand, guards)
    if node.kind == "bounded":
        yield _Promise(stage, node, guards)


def _unchecked(node: _core.Expr, why: str) -> UnsupportedError:
    where = node.where
    return UnsupportedError(
        f"the promise about '{node.operands[0]}' cannot be checked",
        why,
        "build without debug, or compute the index as a tensor of its own",
        (where.file, where.line, where.text),
    )
