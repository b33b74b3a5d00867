"""Reads outside a tensor are refused exactly when enumerating the indices finds one."""

from __future__ import annotations

import itertools
import re

import pytest
import solway as sw
from hypothesis import given, settings
from hypothesis import strategies as st

I_EXTENT, K_EXTENT = 5, 4
INTEGERS = st.integers(-3, 3)


def build(max_leaves):
    """Integer expressions of i and k, as functions that work on numbers and on axes alike."""
    leaves = st.one_of(
        st.just(("i",)), st.just(("k",)), INTEGERS.map(lambda value: ("number", value))
    )

    def extend(children):
        return st.one_of(
            st.tuples(st.sampled_from(["+", "-", "min", "max"]), children, children),
            st.tuples(st.just("*"), INTEGERS, children),
            st.tuples(st.sampled_from(["//", "%"]), children, st.integers(1, 4)),
            st.tuples(st.just("select"), conditions(children), children, children),
        )

    return st.recursive(leaves, extend, max_leaves=max_leaves)


def conditions(integers):
    comparison = st.tuples(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), integers, integers)
    return st.recursive(
        comparison,
        lambda inner: st.one_of(
            st.tuples(st.sampled_from(["and", "or"]), inner, inner),
            st.tuples(st.just("not"), inner),
        ),
        max_leaves=3,
    )


COMPARE = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def number(tree, i, k):
    """The value of a tree at one index, with Python's integers."""
    match tree:
        case ("i",):
            return i
        case ("k",):
            return k
        case ("number", value):
            return value
        case ("*", factor, a):
            return factor * number(a, i, k)
        case ("//", a, divisor):
            return number(a, i, k) // divisor
        case ("%", a, divisor):
            return number(a, i, k) % divisor
        case ("select", c, a, b):
            return number(a, i, k) if number(c, i, k) else number(b, i, k)
        case ("not", c):
            return not number(c, i, k)
        case (op, a, b):
            x, y = number(a, i, k), number(b, i, k)
            if op in COMPARE:
                return COMPARE[op](x, y)
            if op in ("and", "or"):
                return (x and y) if op == "and" else (x or y)
            return {"+": x + y, "-": x - y, "min": min(x, y), "max": max(x, y)}[op]


def expression(tree, i, k):
    """The same tree as an expression of axes."""
    match tree:
        case ("i",):
            return i + 0
        case ("k",):
            return k + 0
        case ("number", value):
            return sw.cast(value, "int64")
        case ("*", factor, a):
            return factor * expression(a, i, k)
        case ("//", a, divisor):
            return expression(a, i, k) // divisor
        case ("%", a, divisor):
            return expression(a, i, k) % divisor
        case ("select", c, a, b):
            return sw.select(expression(c, i, k), expression(a, i, k), expression(b, i, k))
        case ("not", c):
            return ~expression(c, i, k)
        case (op, a, b):
            x, y = expression(a, i, k), expression(b, i, k)
            if op in COMPARE:
                return COMPARE[op](x, y)
            combine = {"and": sw.all_of, "or": sw.any_of, "min": sw.minimum, "max": sw.maximum}
            if op in combine:
                return combine[op](x, y)
            return x + y if op == "+" else x - y


@settings(max_examples=250, deadline=None)
@given(index=build(5), guard=conditions(build(2)), extent=st.integers(0, 12), negated=st.booleans())
def test_bounds_agree_with_enumeration(index, guard, extent, negated):
    outside = [
        (i, k)
        for i, k in itertools.product(range(I_EXTENT), range(K_EXTENT))
        if bool(number(guard, i, k)) != negated and not 0 <= number(index, i, k) < extent
    ]
    A = sw.placeholder((extent,), name="A")
    axis = sw.reduce_axis(K_EXTENT, name="k")

    def body(i):
        read = A[expression(index, i, axis)]
        condition = expression(guard, i, axis)
        sides = (0, read) if negated else (read, 0)
        return sw.sum(sw.select(condition, *sides), axis=axis)

    if not outside:
        sw.compute((I_EXTENT,), body, name="C")
        return
    with pytest.raises(sw.DslError) as caught:
        sw.compute((I_EXTENT,), body, name="C")
    why = caught.value.why
    reported = re.search(r"reads element (-?\d+) of (\d+) at i=(\d+), k=(\d+)$", why)
    assert reported, why
    element, size, i, k = map(int, reported.groups())
    assert (i, k) == outside[0]
    assert (element, size) == (number(index, i, k), extent)
