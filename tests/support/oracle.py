"""What a tensor expression means, computed with NumPy: the reference of the end-to-end tests.

Integers are exact, with wraparound, in their own type; floats are computed in float64 whatever
their type, so that a kernel's rounding shows as the difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from solway import Tensor, _core
from support.interpreter import Interpreter

Array = np.ndarray
_MAX_ELEMENTS = 1 << 24
_UNARY: dict[str, Callable[..., Array]] = {
    "-": np.negative,
    "not": np.logical_not,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
    "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "sin": np.sin,
    "cos": np.cos,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.rint,
    "invert": np.invert,
    **{
        name: getattr(np, name)
        for name in (
            "tan arcsin arccos arctan sinh cosh arcsinh arccosh arctanh exp2 expm1 log2 log10 "
            "log1p cbrt trunc sign isnan isinf isfinite"
        ).split()
    },
}
_BINARY: dict[str, Callable[..., Array]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.true_divide,
    "//": np.floor_divide,
    "%": np.mod,
    "min": np.minimum,
    "max": np.maximum,
    "pow": np.power,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "fmod": np.fmod,
    "arctan2": np.arctan2,
    "hypot": np.hypot,
    "copysign": np.copysign,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "<<": np.left_shift,
    ">>": np.right_shift,
}
_POSITIONS: dict[str, Callable[..., Array]] = {"argmin": np.argmin, "argmax": np.argmax}
_REDUCE: dict[str, np.ufunc] = {
    "sum": np.add,
    "prod": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "all": np.logical_and,
    "any": np.logical_or,
}


def evaluate(tensor: Tensor, inputs: Mapping[Tensor, Array], outside: int = 0) -> Array:
    """The elements of `tensor`, given those of the placeholders it stands on.

    Float results are float64; integer results have the tensor's own type. Elements that no stage
    stores are `outside`.
    """
    known = {t: _as_computed(np.asarray(a)) for t, a in inputs.items()}
    with np.errstate(all="ignore"):
        return _evaluate(tensor, known, outside)


def _as_computed(array: Array) -> Array:
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def _computed_dtype(name: str) -> np.dtype:
    if name == "bfloat16" or np.dtype(name).kind == "f":
        return np.dtype(np.float64)
    return np.dtype(name)


def _evaluate(tensor: Tensor, known: dict[Tensor, Array], outside: int) -> Array:
    if tensor in known:
        assert known[tensor].shape == tensor.shape, f"'{tensor.name}' got {known[tensor].shape}"
        return known[tensor]
    if tensor._node.is_constant:
        values = np.frombuffer(tensor._node.values, tensor.dtype).reshape(tensor.shape)
        known[tensor] = _as_computed(values)
        return known[tensor]
    body = tensor._node.body
    assert body is not None, f"no array for the placeholder '{tensor.name}'"
    for read in tensor.inputs:
        _evaluate(read, known, outside)
    node = tensor._node
    result = np.full(tensor.shape, outside, _computed_dtype(node.dtype))
    if node.self is not None or node.base is not None or node.domain is not None:
        if node.base is not None:
            result = known[Tensor(node.base)].copy()
        tables = {"unary": _UNARY, "binary": _BINARY, "reduce": _REDUCE}
        Interpreter(tensor, result, known, tables, _computed_dtype, _identity).run()
        known[tensor] = result
        return result
    for part in _slices(tensor):
        result[part] = _Evaluation(tensor, known, part).run(body)
    known[tensor] = result
    return result


def _slices(tensor: Tensor) -> list[slice]:
    """Parts of the first dimension, small enough for all terms of each to stand in memory."""
    if not tensor.shape:
        return [...]
    rows = tensor.shape[0]
    terms = math.prod(a.extent for a in (*tensor.axis[1:], *tensor.reduce_axis))
    step = max(1, _MAX_ELEMENTS // max(1, terms))
    return [slice(begin, min(begin + step, rows)) for begin in range(0, rows, step)]


class _Evaluation:
    """One part of one tensor. Each axis has an array dimension of its own, spatial ones first; a
    value has extent 1 along the axes it does not depend on."""

    def __init__(self, tensor: Tensor, known: dict[Tensor, Array], part: slice) -> None:
        axes = [a._axis for a in (*tensor.axis, *tensor.reduce_axis)]
        self._dim = {axis: d for d, axis in enumerate(axes)}
        self._values: list[Array] = []
        for d, axis in enumerate(axes):
            values = np.arange(axis.begin, axis.end, dtype=np.int64)
            values = values[part] if d == 0 and tensor.axis else values
            self._values.append(values.reshape([-1 if e == d else 1 for e in range(len(axes))]))
        self._spatial = len(tensor.axis)
        self._known = known
        self._memo: dict[tuple[_core.Expr, int], Array] = {}
        self._masks: list[Array] = []  # kept, so that their ids stay theirs

    def run(self, body: _core.Expr) -> Array:
        everywhere = self._mask(np.ones([1] * len(self._values), dtype=bool))
        value = self._value(body, everywhere)
        shape = [self._values[d].size for d in range(self._spatial)]
        return np.broadcast_to(value, shape + [1] * (len(self._values) - len(shape))).reshape(shape)

    def _mask(self, mask: Array) -> Array:
        self._masks.append(mask)
        return mask

    def _value(self, e: _core.Expr, mask: Array) -> Array:
        """The value of `e`; where `mask` is false it is not needed and may be anything."""
        key = (e, id(mask))
        if key not in self._memo:
            self._memo[key] = np.asarray(self._compute(e, mask))
        return self._memo[key]

    def _compute(self, e: _core.Expr, mask: Array) -> Array:
        if e.kind in ("int", "float"):
            return _literal(e)
        if e.kind == "axis":
            return self._values[self._dim[e.axis]]
        if e.kind == "read":
            return self._read(e, mask)
        if e.kind == "select":
            return self._select(e, mask)
        if e.kind == "item" and e.operands[0].op in _POSITIONS:
            return self._position(e.operands[0], mask)
        if e.kind == "item":
            return self._folded(e.operands[0], mask)[e.int_value]
        if e.kind == "reducer":
            return self._folded(e, mask)[0]
        operands = [self._value(o, mask) for o in e.operands]
        if e.kind == "unary":
            return _UNARY[e.op](operands[0])
        if e.kind == "binary":
            return _BINARY[e.op](*operands)
        if e.kind == "cast":
            return operands[0].astype(_computed_dtype(e.dtype))
        if e.kind == "bounded":
            return operands[0]
        assert e.kind == "reduce", e.kind
        return self._reduce(e, operands[0])

    def _read(self, e: _core.Expr, mask: Array) -> Array:
        array = self._known[Tensor(e.tensor)]
        if array.ndim == 0:
            return array
        indices = np.broadcast_arrays(*(self._value(o, mask) for o in e.operands))
        inside = np.ones(indices[0].shape, dtype=bool)
        for index, extent in zip(indices, array.shape, strict=True):
            inside &= (index >= 0) & (index < extent)
        if all(v.size for v in self._values):  # with an empty axis the read may never happen
            assert not (~inside & mask).any(), f"{e} leaves its tensor"
        if array.size == 0:
            return np.zeros(inside.shape, array.dtype)
        return array[tuple(np.where(inside, i, 0) for i in indices)]

    def _select(self, e: _core.Expr, mask: Array) -> Array:
        condition, if_true, if_false = e.operands
        chosen = self._value(condition, mask)
        a = self._value(if_true, self._mask(mask & chosen))
        b = self._value(if_false, self._mask(mask & ~chosen))
        return np.where(chosen, a, b)

    def _position(self, e: _core.Expr, mask: Array) -> Array:
        """Of argmin and argmax."""
        found = _POSITIONS[e.op](self._terms(e, e.operands[0], mask), axis=-1)
        return np.expand_dims(found, tuple(sorted(self._dim[a] for a in e.axes)))

    def _folded(self, e: _core.Expr, mask: Array) -> list[Array]:
        """The values of a combine function, one term after another."""
        terms = [self._terms(e, operand, mask) for operand in e.operands]
        held = [np.asarray(_literal(value)) for value in e.identity]
        for n in range(terms[0].shape[-1]):
            params = [*held, *(one[..., n] for one in terms)]
            held = [np.asarray(_combined(result, params)) for result in e.results]
        dims = tuple(sorted(self._dim[a] for a in e.axes))
        shape = terms[0].shape[:-1]
        return [np.expand_dims(np.broadcast_to(value, shape), dims) for value in held]

    def _terms(self, e: _core.Expr, operand: _core.Expr, mask: Array) -> Array:
        """What a reduction combines, along one last dimension."""
        dims = [self._dim[a] for a in e.axes]
        terms = self._value(operand, mask)
        shape = list(terms.shape) if terms.ndim else [1] * len(self._values)
        for d in dims:
            shape[d] = self._values[d].size
        terms = np.broadcast_to(terms, shape)
        last = np.moveaxis(terms, dims, range(-len(dims), 0))
        return last.reshape(*last.shape[: -len(dims)], -1)

    def _reduce(self, e: _core.Expr, terms: Array) -> Array:
        dims = tuple(self._dim[a] for a in e.axes)
        shape = list(terms.shape) if terms.ndim else [1] * len(self._values)
        for d in dims:
            shape[d] = self._values[d].size
        terms = np.broadcast_to(terms, shape)
        dtype = _computed_dtype(e.dtype)
        identity = _identity(e.op, dtype)
        return _REDUCE[e.op].reduce(terms, axis=dims, dtype=dtype, keepdims=True, initial=identity)


def _literal(e: _core.Expr) -> Array:
    if e.kind == "int":
        return np.asarray(e.int_value, dtype=e.dtype)
    assert e.kind == "float", e.kind
    return np.asarray(e.float_value)


def _combined(e: _core.Expr, params: list[Array]) -> Array:
    """The result of a combine function."""
    if e.kind == "param":
        return params[e.int_value]
    if e.kind in ("int", "float"):
        return _literal(e)
    operands = [_combined(operand, params) for operand in e.operands]
    if e.kind == "unary":
        return _UNARY[e.op](operands[0])
    if e.kind == "binary":
        return _BINARY[e.op](*operands)
    if e.kind == "select":
        return np.where(*operands)
    assert e.kind == "cast", e.kind
    return operands[0].astype(_computed_dtype(e.dtype))


def _identity(op: str, dtype: np.dtype) -> int | float:
    if op in ("sum", "prod", "any", "all"):
        return 0 if op in ("sum", "any") else 1
    if dtype.kind == "f":
        return math.inf if op == "min" else -math.inf
    limits = np.iinfo(dtype)
    return limits.max if op == "min" else limits.min
