"""Ill-formed programs: the class, the user's line and the fact that is reported."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest
import solway as sw
from solway.errors import Where

A = sw.placeholder((8,), name="A")
M = sw.placeholder((4, 6), name="M")
I8 = sw.placeholder((8,), "int8", name="I8")
ROWS = sw.placeholder((8,), "int32", name="ROWS")


def refused(error, function, why, what="", marker="here"):
    """Asserts that `function` raises `error` at its line marked ``# here``, saying `why`."""
    with pytest.raises(sw.Error) as caught:
        function()
    e = caught.value
    assert type(e) is error, f"{type(e).__name__}: {e}"
    assert why in e.why, e.why
    assert what in e.what, e.what
    lines, first = inspect.getsourcelines(function)
    marked = [first + n for n, text in enumerate(lines) if text.rstrip().endswith(f"# {marker}")]
    assert e.where.line in marked, f"{e.where} is not among the lines {marked}"
    assert e.where.file == __file__
    assert f"{__file__}:{e.where.line}" in str(e)
    assert e.what and e.why and e.fix
    return e


def test_a_read_outside_a_tensor():
    def program():
        def body(i):
            first = A[i]
            return first + A[i + 1]  # here

        return sw.compute((8,), body, name="C")

    e = refused(sw.DslError, program, "A[i + 1] reads element 8 of 8 at i=7")
    assert e.what == "A[i + 1] reads outside 'A'"
    assert e.where.text.startswith("return first + A[i + 1]")
    assert str(e).splitlines()[1].startswith("  why: ")
    assert str(e).splitlines()[-1].startswith("  at:  ")


def test_a_read_outside_under_a_guard_that_is_too_weak():
    def program():
        return sw.compute((8,), lambda i: sw.select(i >= 0, A[i - 1], 0), name="C")  # here

    refused(sw.DslError, program, "A[i - 1] reads element -1 of 8 at i=0")


def test_a_read_outside_in_a_reduction():
    def program():
        k = sw.reduce_axis((0, 6), name="k")
        return sw.compute((4,), lambda i: sw.sum(M[i, k + 1], axis=k), name="C")  # here

    refused(sw.DslError, program, "M[i, k + 1] reads element 6 of 6 in dimension 1 at i=0, k=5")


def test_a_negative_index_is_outside():
    def program():
        return sw.compute((8,), lambda i: A[-1], name="C")  # here

    refused(sw.DslError, program, "A[-1] reads element -1 of 8 at i=0")


@pytest.mark.parametrize("index", [(0,), (0, 0, 0)])
def test_wrong_number_of_indices(index):
    def program():
        return M[index]  # here

    refused(sw.DslError, program, f"got {len(index)} indices, tensor 'M' has rank 2")


def test_indices_that_are_no_integers():
    def fractional():
        return sw.compute((8,), lambda i: A[i / 2], name="C")  # here

    def literal():
        return A[1.5]  # here

    def sliced():
        return A[1:3]  # here

    def text():
        return A["i"]  # here

    refused(sw.DslError, fractional, "has type 'float64'")
    refused(sw.DslError, literal, "1.5 has type 'float64'")
    refused(sw.DslError, sliced, "an index is a slice")
    refused(sw.DslError, text, "got 'i'")


def test_indices_that_are_not_affine():
    def data():
        return sw.compute((8,), lambda i: A[ROWS[i]], name="C")  # here

    def product():
        return sw.compute((2, 3), lambda i, j: A[i * j], name="C")  # here

    refused(sw.UnsupportedError, data, "'ROWS[i]' depends on data")
    refused(sw.UnsupportedError, product, "'i * j' is not a sum of multiples of axes")


def test_truth_values():
    def chain():
        return sw.compute((8,), lambda i: sw.select(0 <= i < 4, A[i], 0), name="C")  # here

    def statement():
        return sw.compute((8,), lambda i: A[i] if i > 3 else 0, name="C")  # here

    refused(sw.DslError, chain, "it is a condition on elements")
    e = refused(sw.DslError, statement, "it is a condition on elements", "'i > 3'")
    assert "sw.select" in e.fix


def test_operands_that_are_no_scalars():
    def tensor():
        return sw.compute((8,), lambda i: A + 1 if False else sw.exp(A), name="C")  # here

    def array():
        return sw.compute((8,), lambda i: A[i] * np.ones(8), name="C")  # here

    def nothing():
        return sw.compute((8,), lambda i: None, name="C")  # here

    def huge():
        return sw.compute((8,), lambda i: i + 2**63, name="C")  # here

    def long():
        return sw.compute((8,), lambda i: A[i] * np.longdouble(2), name="C")  # here

    refused(sw.DslError, tensor, "it has rank 1", "tensor 'A' stands where a number is needed")
    refused(
        sw.DslError, array, "got an array of shape (8,)", "ndarray cannot be part of an expression"
    )
    refused(sw.DslError, nothing, "its function returned None")
    refused(sw.DslError, huge, f"{2**63} is outside 'int64'")
    refused(sw.UnsupportedError, long, "float32", "element type '")


def test_numbers_that_do_not_fit():
    def add():
        return sw.compute((8,), lambda i: I8[i] + 300, name="C")  # here

    def power():
        return sw.compute((8,), lambda i: I8[i] ** -1, name="C")  # here

    refused(sw.DslError, add, "300 is outside 'int8'")
    refused(sw.DslError, power, "the exponent is -1")


def test_conditions_as_numbers():
    def negated():
        return sw.compute((8,), lambda i: -(A[i] > 0), name="C")  # here

    def subtracted():
        return sw.compute((8,), lambda i: (A[i] > 0) - (A[i] > 1), name="C")  # here

    refused(sw.DslError, negated, "the operand is 'bool'")
    refused(sw.DslError, subtracted, "both operands are 'bool'")


def test_bit_operators_of_floats():
    def program():
        return sw.compute((8,), lambda i: A[i] & 3, name="C")  # here

    def inverted():
        return sw.compute((8,), lambda i: ~A[i], name="C")  # here

    refused(sw.DslError, program, "the operands are 'float32'", "'&' does not take floats")
    refused(sw.DslError, inverted, "the operand is 'float32'", "'~' does not take a float")


def test_reduction_axes():
    k = sw.reduce_axis(8, name="k")

    def outside():
        return sw.compute((8,), lambda i: A[k], name="C")  # here

    def spatial():
        return sw.compute((8,), lambda i: sw.sum(A[i], axis=i), name="C")  # here

    def text():
        return sw.compute((8,), lambda i: sw.sum(A[i], axis="k"), name="C")  # here

    def number():
        return sw.compute((8,), lambda i: sw.sum(A[i], axis=0), name="C")  # here

    def none():
        return sw.compute((8,), lambda i: sw.sum(A[i], axis=()), name="C")  # here

    def twice():
        return sw.compute((), lambda: sw.sum(A[k], axis=(k, k)), name="C")  # here

    def again():
        return sw.compute((), lambda: sw.sum(A[k], axis=k) + sw.max(A[k], axis=k), name="C")  # here

    refused(sw.DslError, outside, "used outside of a reduction over it")
    refused(sw.DslError, spatial, "'i' is an axis of the output")
    refused(sw.DslError, text, "axis= holds 'k'")
    refused(sw.DslError, number, "axis= holds 0")
    refused(sw.DslError, none, "axis= names none")
    refused(sw.DslError, twice, "'k' is named twice")
    refused(sw.DslError, again, "uses the axis of another reduction", "'k' is reduced over twice")


def test_axes_of_another_compute():
    C = sw.compute((8,), lambda i: A[i], name="C")

    def program():
        return sw.compute((8,), lambda j: A[C.axis[0]], name="D")  # here

    refused(sw.DslError, program, "it is an axis of another tensor")


def test_two_axes_of_one_name():
    def program():
        k = sw.reduce_axis(8, name="i")  # here
        return sw.compute((8,), lambda i: sw.sum(A[k], axis=k), name="C")

    refused(sw.DslError, program, "loops are addressed by name", "are named 'i'")


def test_functions_that_do_not_fit_the_shape():
    def few():
        return sw.compute((8, 8), lambda i: A[i], name="C")  # here

    def domain():
        return sw.compute((8,), lambda i: A[i], where=lambda i: i * i < 4, name="C")  # here

    refused(sw.DslError, few, "its function takes 1 (i), its shape has rank 2")
    refused(sw.UnsupportedError, domain, "not made of comparisons")


def test_shapes():
    def negative():
        return sw.placeholder((4, -1), name="X")  # here

    def negative_compute():
        return sw.compute((-1,), lambda i: 0.0, name="X")  # here

    def fractional():
        return sw.placeholder((4.5,), name="X")  # here

    def huge():
        return sw.placeholder((2**40, 2**40), name="X")  # here

    refused(sw.DslError, negative, "its shape is (4, -1)")
    refused(sw.DslError, negative_compute, "its shape is (-1,)")
    refused(sw.DslError, fractional, "got 4.5")
    refused(sw.DslError, huge, "2**63 bytes")


def test_ranges():
    def backward():
        return sw.reduce_axis((4, 2), name="k")  # here

    def triple():
        return sw.reduce_axis((0, 4, 2), name="k")  # here

    refused(sw.DslError, backward, "it runs from 4 to 2")
    refused(sw.DslError, triple, "got (0, 4, 2)")


@pytest.mark.parametrize("name", ["", "1A", "A B", "A-B", "größe"])
def test_names(name):
    def program():
        return sw.placeholder((4,), name=name)  # here

    refused(sw.DslError, program, f"the name is '{name}'")


@pytest.mark.parametrize("dtype", ["uint16", "uint64", "complex64"])
def test_element_types_that_are_missing(dtype):
    def program():
        return sw.placeholder((4,), dtype, name="X")  # here

    e = refused(sw.UnsupportedError, program, "int16, int8, uint8 and bool")
    assert e.what == f"element type '{dtype}' is not supported"


def test_element_types_that_are_none():
    def word():
        return sw.placeholder((4,), "float31", name="X")  # here

    def foreign():
        return sw.placeholder((4,), np.dtype("float32").newbyteorder("S"), name="X")  # here

    refused(sw.DslError, word, "NumPy has no type 'float31'")
    refused(sw.UnsupportedError, foreign, "byte order")


ERRORS = [
    sw.DslError("what", "why", "fix", ("f.py", 3, "text")),
    sw.IllegalScheduleError(
        "what",
        "why",
        "fix",
        Where("f.py", 3, "text"),
        source=("H", (("t", 0),)),
        sink=("H", (("t", 1),)),
        tensor="H",
        element=(0, 4),
        primitive="reorder(i, t)",
    ),
    sw.CapacityError("what", needed_bytes=3, available_bytes=2, buffers=(("AA", 3, "x"),)),
    sw.EmulatorError("what", kind="race", cause=Where("k.c", 2, ""), cpe=5),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("copied", [copy.copy, lambda e: pickle.loads(pickle.dumps(e))])
def test_errors_are_copied_whole(error, copied):
    again = copied(error)
    assert type(again) is type(error) and str(again) == str(error)
    assert vars(again) == vars(error)


def test_all_errors_derive_from_error():
    names = [n for n in sw.__all__ if n.endswith("Error")]
    assert len(names) == 11 and all(issubclass(getattr(sw, n), sw.Error) for n in names)


def test_the_text_of_an_error():
    assert str(ERRORS[0]) == "what\n  why: why\n  fix: fix\n  at:  f.py:3: text"
    assert str(sw.InternalError("what")) == "what"
