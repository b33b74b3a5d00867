"""Stages with an order or a domain, run as they are defined: one element after the other."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from solway import Tensor, _core

Array = np.ndarray


class Interpreter:
    """Runs the steps of one stage in lexicographic order.

    `memory` holds what the stage changes; `known` has the values of what it reads. The tables give
    operations by their names; `computed` is the type in which values of a type are computed.
    """

    def __init__(
        self,
        tensor: Tensor,
        memory: Array,
        known: Mapping[Tensor, Array],
        tables: Mapping[str, Mapping[str, Callable[..., Any]]],
        computed: Callable[[str], np.dtype],
        identity: Callable[[str, np.dtype], Any],
    ) -> None:
        self._node = tensor._node
        self._memory = memory
        self._known = known
        self._tables = tables
        self._computed = computed
        self._identity = identity
        self._at: dict[_core.Axis, int] = {}

    def run(self) -> None:
        """Every step: the element that it stores, and its value."""
        axes = self._node.axis
        for point in itertools.product(*(range(a.begin, a.end) for a in axes)):
            self._at = dict(zip(axes, point, strict=True))
            if self._node.domain is not None and not self._value(self._node.domain):
                continue
            value = self._value(self._node.body)
            place = point
            if self._node.base is not None:
                place = tuple(int(self._value(i)) for i in self._node.index)
            assert all(0 <= x < n for x, n in zip(place, self._memory.shape, strict=True)), place
            self._memory[place] = value

    def _value(self, e: _core.Expr) -> Any:
        if e.kind == "int":
            return np.dtype(e.dtype).type(e.int_value)
        if e.kind == "float":
            return np.float64(e.float_value)
        if e.kind == "axis":
            return np.int64(self._at[e.axis])
        if e.kind == "read":
            return self._read(e)
        if e.kind == "select":
            condition, if_true, if_false = e.operands
            return self._value(if_true if self._value(condition) else if_false)
        if e.kind == "reduce":
            return self._reduce(e)
        operands = [self._value(o) for o in e.operands]
        if e.kind == "bounded":
            return operands[0]
        if e.kind == "cast":
            return operands[0].astype(self._computed(e.dtype))
        return self._tables[e.kind][e.op](*operands)

    def _read(self, e: _core.Expr) -> Any:
        index = tuple(int(self._value(o)) for o in e.operands)
        own = e.tensor in (self._node.self, self._node.base)
        array = self._memory if own else self._known[Tensor(e.tensor)]
        assert all(0 <= x < n for x, n in zip(index, array.shape, strict=True)), (str(e), index)
        return array[index]

    def _reduce(self, e: _core.Expr) -> Any:
        (operand,) = e.operands
        dtype = self._computed(e.dtype)
        terms = []
        for point in itertools.product(*(range(a.begin, a.end) for a in e.axes)):
            self._at.update(zip(e.axes, point, strict=True))
            terms.append(self._value(operand))
        start = self._identity(e.op, dtype)
        return self._tables["reduce"][e.op].reduce(
            np.array(terms, dtype), dtype=dtype, initial=start
        )
