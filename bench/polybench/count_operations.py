"""Counts the operations that a kernel's definition needs, by listing its iterations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import solway as sw
from solway import _core

Values = Mapping[_core.Axis, np.ndarray]
_ARITHMETIC = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "//": np.floor_divide,
    "%": np.mod,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.logical_and,
    "or": np.logical_or,
}


def count_operations(outputs: Sequence[sw.Tensor]) -> int:
    """Operations on values that compute the outputs and all they read, each once.

    Iterations outside of a domain need none, nor does what a condition on indices does not choose;
    of what data choose the cheaper side counts. A term of a reduction is one operation more, but
    for a constant that stands where a condition leaves the term out. Calls of functions are one
    operation; indices, conditions on them and conversions are none.
    """
    found: set[_core.Tensor] = set()

    def visit(node: _core.Tensor) -> int:
        if node in found or node.body is None:
            return 0
        found.add(node)
        at = _with_axes({}, node.axis)
        shape = tuple(a.end - a.begin for a in node.axis)
        there = np.ones(shape, bool)
        if node.domain is not None:
            there &= _value(node.domain, at)
        before = [*node.inputs, *([node.base] if node.base is not None else [])]
        return _count(node.body, at, there) + sum(visit(read) for read in before)

    return sum(visit(tensor._node) for tensor in outputs)


def _with_axes(at: Values, axes: Sequence[_core.Axis]) -> dict[_core.Axis, np.ndarray]:
    """The values of more axes, each along a dimension of its own behind those that there are."""
    rank = max((v.ndim for v in at.values()), default=0) + len(axes)
    made = {a: v.reshape(v.shape + (1,) * len(axes)) for a, v in at.items()}
    for n, axis in enumerate(axes, rank - len(axes)):
        extent = axis.end - axis.begin
        values = np.arange(axis.begin, axis.end).reshape(
            tuple(extent if d == n else 1 for d in range(rank))
        )
        made[axis] = values
    return made


def _count(node: _core.Expr, at: Values, there: np.ndarray) -> int:
    """Operations of the iterations that are `there`."""
    if node.kind in ("int", "float", "axis", "size", "read"):
        return 0
    if node.kind == "select":
        condition, *sides = node.operands
        if _reads(condition):
            return _count(condition, at, there) + min(_count(e, at, there) for e in sides)
        chosen = _value(condition, at)
        return sum(_count(e, at, there & c) for e, c in zip(sides, (chosen, ~chosen), strict=True))
    if node.kind == "reduce":
        inside = _with_axes(at, node.axes)
        extents = tuple(a.end - a.begin for a in node.axes)
        shape = there.shape + extents
        terms = np.broadcast_to(there.reshape(there.shape + (1,) * len(extents)), shape)
        (term,) = node.operands
        return _count(term, inside, terms) + int(_present(term, inside, terms).sum())
    own = 0 if node.kind in ("cast", "bounded") else int(there.sum())
    return own + sum(_count(e, at, there) for e in node.operands)


def _present(term: _core.Expr, at: Values, there: np.ndarray) -> np.ndarray:
    """The terms that no condition replaces by a constant."""
    if term.kind != "select" or _reads(term.operands[0]):
        return there
    condition, if_true, if_false = term.operands
    chosen = _value(condition, at)
    if if_false.kind in ("int", "float", "cast"):
        return there & chosen
    return there & ~chosen if if_true.kind in ("int", "float", "cast") else there


def _reads(node: _core.Expr) -> bool:
    return node.kind == "read" or any(_reads(e) for e in node.operands)


def _value(node: _core.Expr, at: Values) -> np.ndarray:
    """Of a condition or an index, for all iterations."""
    if node.kind == "int":
        return np.asarray(node.int_value)
    if node.kind == "axis":
        return at[node.axis]
    operands = [_value(e, at) for e in node.operands]
    if node.kind in ("cast", "bounded"):
        return operands[0]
    if node.kind == "unary":
        return np.logical_not(operands[0]) if node.op == "not" else -operands[0]
    return np.asarray(_ARITHMETIC[node.op](*operands))
