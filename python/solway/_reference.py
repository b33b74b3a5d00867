"""What a kernel's result is compared with: its tensor expression in float64."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solway import _core
from solway.errors import UnsupportedError
from solway.expr import Tensor, here, root_of
from solway.kernel import build
from solway.schedule import create_schedule
from solway.sizes import evaluate

__all__ = ["Reference", "num_operations", "output_of", "reference"]

Array = npt.NDArray[np.generic]

_INTEGER_OPS = {"<", "<=", ">", ">=", "==", "!=", "and", "or", "not"}
_BOUNDED_OPS = {"+", "-", "*", "min", "max"}


class Reference(NamedTuple):
    """The values that a right result has, and how far rounding may take it from them.

    Args:
        values: in float64, or in the integer type of the result.
        magnitude: what relative errors are relative to, element by element or for all.
        roundings: on the way to one element; 0: the result is exact.
        text: the bound in words.
    """

    values: Array
    magnitude: Array
    roundings: int
    text: str


def reference(args: Sequence[Tensor], inputs: Sequence[Array]) -> Reference:
    """Evaluates the last computed tensor among `args`, without a schedule, in float64.

    Args:
        args: of a kernel, in order.
        inputs: one per placeholder, in order.

    Returns:
        The values and the bound.
    """
    output = output_of(args)
    if output.dtype.kind != "f":
        values = _evaluate(args, output, inputs, _Rebuild(widen=False))
        return Reference(values, np.zeros(()), 0, f"'{output.name}' without a schedule, exactly")
    values = _evaluate(args, output, inputs, _Rebuild())
    roundings = _roundings(output._node, {})
    if _is_bounded(output._node):
        magnitude = _evaluate(args, output, [np.abs(x) for x in inputs], _Rebuild(absolute=True))
        scale = "the same sums over absolute values"
    else:
        finite = np.abs(values[np.isfinite(values)])
        magnitude = np.max(finite, initial=0.0)
        scale = f"the largest |{output.name}|"
    text = (
        f"within 2 x {roundings} roundings of {output.dtype} of '{output.name}' in float64, "
        f"relative to {scale}"
    )
    return Reference(values, np.asarray(magnitude), roundings, text)


def output_of(args: Sequence[Tensor]) -> Tensor:
    """The last computed tensor among the arguments of a kernel."""
    return next(t for t in reversed(args) if t._node.body is not None)


def num_operations(tensor: Tensor, sizes: Mapping[str, int] | None = None) -> int:
    """Floating-point operations that compute a tensor and all it reads once.

    Args:
        tensor: a computed tensor.
        sizes: their values by name; without them, the most that they can be.

    Returns:
        Additions, multiplications and calls of functions, a step of a reduction being one.

    Example:
        >>> A, k = sw.placeholder((8, 4), name="A"), sw.reduce_axis(4, name="k")
        >>> num_operations(sw.compute((8,), lambda i: sw.sum(A[i, k] * A[i, k], axis=k), name="B"))
        64
    """
    done: set[_core.Tensor] = set()

    def of(node: _core.Tensor) -> int:
        if node in done or node.body is None:
            return 0
        done.add(node)
        own = _points(node.axis, sizes or {}) * _operations(node.body, sizes or {})
        return own + sum(of(read) for read in node.inputs)

    return of(tensor._node)


def _evaluate(
    args: Sequence[Tensor], output: Tensor, inputs: Sequence[Array], rebuild: _Rebuild
) -> Array:
    wide = Tensor(rebuild.tensor(output._node))
    tensors = [wide if t is output else Tensor(rebuild.tensor(t._node)) for t in args]
    kernel = build(create_schedule(wide), tensors, target="host", name="reference")
    placeholders = [t for t in tensors if root_of(t)._node.body is None]
    given = [
        np.ascontiguousarray(array, dtype=tensor.dtype)
        for array, tensor in zip(inputs, placeholders, strict=True)
    ]
    result = kernel.run(*given)
    assert isinstance(result, np.ndarray)
    return result


class _Rebuild:
    """Copies tensors with float64 in place of float32; with absolute values on request."""

    def __init__(self, *, widen: bool = True, absolute: bool = False) -> None:
        self._widen = widen
        self._absolute = absolute
        self._made: dict[_core.Tensor, _core.Tensor] = {}
        self._where = here()

    def tensor(self, node: _core.Tensor) -> _core.Tensor:
        """The copy of a tensor, made once."""
        if node not in self._made:
            self._made[node] = self._tensor(node)
        return self._made[node]

    def _tensor(self, node: _core.Tensor) -> _core.Tensor:
        where, dtype = self._where, self._dtype(node.dtype)
        if node.is_constant:
            if node.dtype == dtype and not self._absolute:
                return node
            values = np.frombuffer(node.values, node.dtype).astype(dtype)
            if self._absolute and values.dtype.kind == "f":
                values = np.abs(values)
            shape = [extent for extent in node.shape if isinstance(extent, int)]
            return _core.make_constant(shape, dtype, node.name, values.tobytes(), where)
        if node.body is None:
            return _core.make_placeholder(node.shape, dtype, node.name, where)
        if node.self is not None:
            own = _core.make_self(node.shape, dtype, node.name, where)
            self._made[node.self] = own
            return _core.make_recurrence(own, node.axis, self.expr(node.body), node.domain, where)
        if node.base is not None:
            base = self.tensor(node.base)
            body = self.expr(node.body)
            return _core.make_update(
                base, node.axis, node.index, body, node.domain, node.name, where
            )
        body = self.expr(node.body)
        return _core.make_compute(node.shape, node.axis, body, node.name, where, node.domain)

    def expr(self, node: _core.Expr) -> _core.Expr:
        """The copy of an expression."""
        where = self._where
        if node.kind == "read":
            assert node.tensor is not None
            indices = [_Rebuild(widen=False).expr(i) for i in node.operands]
            return _core.make_read(self.tensor(node.tensor), indices, where)
        if node.kind == "float":
            value = abs(node.float_value) if self._absolute else node.float_value
            return _core.make_float(value, self._dtype(node.dtype), False, where)
        if node.kind in ("int", "axis", "size"):
            return node
        if node.kind == "select":
            condition = _Rebuild(widen=self._widen).expr(node.operands[0])
            chosen = [self.expr(e) for e in node.operands[1:]]
            return _core.make_select(condition, chosen[0], chosen[1], where)
        if node.kind in ("reducer", "item", "bounded"):
            raise UnsupportedError(
                f"no reference for {node}",
                "compare evaluates sums, products, extremes and affine reads in float64",
                "pass your own expected values",
                (where.file, where.line, where.text),
            )
        operands = [self.expr(e) for e in node.operands]
        if node.kind == "unary":
            is_sign = self._absolute and node.op == "-"
            return operands[0] if is_sign else _core.make_unary(node.op, operands[0], where)
        if node.kind == "binary":
            return _core.make_binary(self._operation(node), operands[0], operands[1], where)
        if node.kind == "cast":
            return _core.make_cast(operands[0], self._dtype(node.dtype), where)
        op = "max" if self._absolute and node.op == "min" else node.op
        return _core.make_reduce(op, operands[0], node.axes, where)

    def _dtype(self, name: str) -> str:
        return "float64" if self._widen and name.startswith("float") else name

    def _operation(self, node: _core.Expr) -> str:
        if not self._absolute or not node.dtype.startswith("float"):
            return node.op
        return {"-": "+", "min": "max"}.get(node.op, node.op)


def _is_bounded(node: _core.Tensor) -> bool:
    """Whether sums over absolute values bound all that rounding can do."""
    if node.body is None:
        return node.dtype.startswith("float")
    if node.self is not None or node.base is not None:
        return False  # roundings pass from step to step
    return _is_bounded_expr(node.body) and all(_is_bounded(read) for read in node.inputs)


def _is_bounded_expr(node: _core.Expr) -> bool:
    if node.kind in ("read", "float"):
        return True
    if node.kind == "select":
        condition, *chosen = node.operands
        return not _reads_data(condition) and all(_is_bounded_expr(e) for e in chosen)
    if node.kind == "reduce":
        return node.op in ("sum", "min", "max") and _is_bounded_expr(node.operands[0])
    if not node.dtype.startswith("float"):
        return False
    allowed = {"unary": {"-", "abs"}, "binary": _BOUNDED_OPS}.get(node.kind, set())
    return node.op in allowed and all(_is_bounded_expr(e) for e in node.operands)


def _reads_data(node: _core.Expr) -> bool:
    return node.kind == "read" or any(_reads_data(e) for e in node.operands)


def _operations(node: _core.Expr, sizes: Mapping[str, int]) -> int:
    """Floating-point operations of one evaluation."""
    if node.kind in ("int", "float", "size", "axis", "read"):
        return 0
    if node.kind == "select":
        chosen = max(_operations(e, sizes) for e in node.operands[1:])
        return _operations(node.operands[0], sizes) + chosen
    inner = sum(_operations(e, sizes) for e in node.operands)
    is_float = node.dtype.startswith("float") and node.kind != "cast"
    if node.kind == "reduce":
        return _points(node.axes, sizes) * (inner + is_float)
    return inner + (is_float and node.op not in _INTEGER_OPS)


def _points(axes: Iterable[_core.Axis], sizes: Mapping[str, int]) -> int:
    """The number of values that the axes take together; the most that it can be without `sizes`."""
    count = 1
    for axis in axes:
        begin, end = axis.begin, axis.end
        if sizes:
            begin, end = (x if isinstance(x, int) else evaluate(x, sizes) for x in axis.bounds)
        count *= max(end - begin, 0)
    return count


def _roundings(node: _core.Tensor, known: dict[_core.Tensor, int]) -> int:
    """The longest chain of roundings on the way to one element."""
    if node not in known:
        before = _roundings(node.base, known) if node.base is not None else 0
        changed = {} if node.base is None else {node.base: 0}
        own = _chain(node.body, known | changed) if node.body is not None else 0
        if node.self is not None or node.base is not None:  # every step may read the one before
            own *= prod(a.end - a.begin for a in node.axis)
        known[node] = 1 + own + before
    return known[node]


def _chain(node: _core.Expr, known: dict[_core.Tensor, int]) -> int:
    if node.kind == "read":
        assert node.tensor is not None
        if node.tensor.body is None:
            return 0
        return _roundings(node.tensor, known)
    inner = max((_chain(e, known) for e in node.operands), default=0)
    if node.kind == "reduce":
        return inner + prod(a.end - a.begin for a in node.axes)
    if node.kind in ("int", "float", "axis", "select"):
        return inner
    return inner + (4 if node.kind == "unary" or node.op == "pow" else 1)
