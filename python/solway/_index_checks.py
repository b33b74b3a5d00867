"""Promises of `bounded`, checked against data before a kernel runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solway import _core, reductions
from solway._location import caller
from solway.errors import ArgumentMismatchError, UnsupportedError
from solway.expr import Axis, Expr, Tensor, root_of
from solway.functions import any_of, cast, select
from solway.options import Options
from solway.schedule import create_schedule
from solway.tensors import compute, reduce_axis

if TYPE_CHECKING:
    from solway.kernel import Kernel

__all__ = ["IndexChecks"]

_Place = tuple[str, int, str]


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
        where: the line that builds it.

    Raises:
        UnsupportedError: an index that only the kernel itself can compute.
    """

    def __init__(self, stages: Iterable[_core.Tensor], where: _core.SourceLoc) -> None:
        self._where = where
        stages = tuple(stages)
        tensors = [tensor for stage in stages for tensor in (stage, *stage.inputs)]
        for size in (size for tensor in tensors for size in tensor.sizes):
            raise UnsupportedError(
                "debug=True in a program with sizes",
                f"'{size.name}' is known when the kernel runs; promises are checked in programs of "
                "constant sizes",
                f"give '{size.name}' as a constant while looking for the index",
                caller(),
            )
        # One that holds makes the reads of the next safe: producers first, the innermost first.
        promises = [promise for stage in stages for promise in _promises_of(stage)]
        self._checks = [
            self._made(promise, f"index_check{n}")
            for n, promise in enumerate(promises)
            if all(axis.extent for axis in _axes_of(promise.stage))
        ]

    def require(self, arrays: Mapping[Tensor, object], where: _Place) -> None:
        """Looks at the data of one call.

        Args:
            arrays: by argument.
            where: the line of the call.

        Raises:
            ArgumentMismatchError: an index is outside; with its value and both lines.
        """
        by_root = {root_of(tensor): array for tensor, array in arrays.items()}
        for promise, kernel, inputs in self._checks:
            results = kernel.run(*(by_root[tensor] for tensor in inputs))
            assert isinstance(results, tuple)
            breaks, position, value = (int(np.asarray(result)) for result in results)
            if breaks:
                raise self._broken(promise, position, value, where)

    def _broken(
        self, promise: _Promise, position: int, value: int, where: _Place
    ) -> ArgumentMismatchError:
        axes = _axes_of(promise.stage)
        at = np.unravel_index(position, tuple(a.extent for a in axes))
        place = ", ".join(f"{a.name}={int(x) + a.begin}" for a, x in zip(axes, at, strict=True))
        node = promise.node
        index, line = node.operands[0], f"{node.where.file}:{node.where.line}"
        return ArgumentMismatchError(
            f"'{promise.stage.name}' reads at an index that breaks its promise",
            f"{index} is {value}{' at ' if place else ''}{place}, promised {node.int_value} <= "
            f"index < {node.end_value} ({line})",
            "correct the data, or bound the index by what it may be",
            where,
        )

    def _made(self, promise: _Promise, name: str) -> _Check:
        from solway.kernel import build  # it builds this

        tensors = self._check(promise, name)
        inputs = _placeholders(tensors)
        schedule, options = create_schedule(tensors), Options(debug=False)
        kernel = build(schedule, [*inputs, *tensors], name=name, options=options)
        return _Check(promise, kernel, tuple(inputs))

    def _check(self, promise: _Promise, name: str) -> list[Tensor]:
        """Whether the promise is broken, at which position first, and by what index."""
        old = _axes_of(promise.stage)
        sizes = [(a.begin, a.end) for a in old] or [(0, 1)]

        def copy(suffix: str) -> tuple[list[Axis], Expr, Expr]:
            axes = [reduce_axis(s, name=f"{suffix}{d}") for d, s in enumerate(sizes)]
            to = _Substitution(
                {a: axis._node_at(self._where) for a, axis in zip(old, axes, strict=False)},
                promise.node,
                self._where,
            )
            index = Expr(to.expr(promise.node.operands[0]))
            low, high = promise.node.int_value, promise.node.end_value
            breaks: Expr = cast(any_of(index < low, index >= high), "int8")
            value: Expr = index
            for condition, side in reversed(promise.guards):
                holds = Expr(to.expr(condition))
                holds = holds if side else ~holds
                breaks, value = select(holds, breaks, 0), select(holds, value, 0)
            return axes, breaks, value

        axes, breaks, _ = copy("h")
        hit = compute((), lambda: reductions.max(breaks, axes), name=f"{name}_hit")
        axes, breaks, _ = copy("p")
        first = compute((), lambda: reductions.argmax(breaks, axes), name=f"{name}_first")
        axes, _, value = copy("v")
        at: Expr = axes[0] - sizes[0][0]
        for axis, (begin, end) in list(zip(axes, sizes, strict=True))[1:]:
            at = at * (end - begin) + (axis - begin)
        found = compute(
            (),
            lambda: reductions.sum(select(at == first[()], value, 0), axes),
            name=f"{name}_value",
        )
        return [hit, first, found]


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
        if node.kind in ("int", "float"):
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
            return _core.make_bounded(operands[0], node.int_value, node.end_value, where)
        raise _unchecked(self._promise, "it depends on a reduction inside the same compute")


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


def _placeholders(tensors: Iterable[Tensor]) -> list[Tensor]:
    """What these stand on, each once."""
    seen: dict[Tensor, None] = {}
    waiting = list(tensors)
    while waiting:
        tensor = waiting.pop()
        if tensor not in seen:
            seen[tensor] = None
            waiting += tensor.inputs
    return [t for t in seen if t._node.body is None and not t._node.is_constant]


def _unchecked(node: _core.Expr, why: str) -> UnsupportedError:
    where = node.where
    return UnsupportedError(
        f"the promise about '{node.operands[0]}' cannot be checked",
        why,
        "build without debug, or compute the index as a tensor of its own",
        (where.file, where.line, where.text),
    )
