"""One array as an input and an output."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ("host", "c", "sw26010")


def kernel(read, target="host", schedule=lambda s, B: None):
    A = sw.placeholder((64,), "int32", name="A")
    B = sw.compute((64,), lambda i: A[read(i)] * 2 + 1, name="B")
    s = sw.create_schedule(B)
    schedule(s, B)
    return sw.build(s, [A, B], target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_an_output_may_be_an_input_whose_elements_are_read_first(target):
    for read in (lambda i: i, lambda i: sw.minimum(i + 1, 63)):
        k = kernel(read, target)
        given = np.arange(64, dtype="int32")
        expected = k.run(given)
        k(given, given)
        np.testing.assert_array_equal(given, expected)


def test_vectors_read_whole_vectors():
    in_vectors = lambda s, B: s[B].vectorize("i")  # noqa: E731
    k = kernel(lambda i: i, schedule=in_vectors)
    given = np.arange(64, dtype="int32")
    k(given, given)
    assert given.tolist() == list(range(1, 129, 2))


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_still_read_must_not_be_overwritten(target):
    k = kernel(lambda i: 63 - i, target)
    given = np.arange(64, dtype="int32")
    with pytest.raises(sw.ArgumentMismatchError, match="overlaps 'A'"):
        k(given, given)
    assert given.tolist() == list(range(64))


def test_any_other_overlap_is_refused():
    k = kernel(lambda i: i)
    memory = np.zeros(128, "int32")
    with pytest.raises(sw.ArgumentMismatchError, match="overlaps"):
        k(memory[:64], memory[1:65])
    k(memory[:64], memory[64:])


def test_what_changes_in_place_overlaps_nothing():
    A = sw.placeholder((8,), "int32", name="A")
    B = sw.placeholder((8,), "int32", name="B")
    A2 = sw.update(A, 8, lambda i: i, lambda i: A[i] + B[i])
    k = sw.build(sw.create_schedule(A2), [A, B])
    given = np.arange(8, dtype="int32")
    with pytest.raises(sw.ArgumentMismatchError, match="overlaps"):
        k(given, given)
