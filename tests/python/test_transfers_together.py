"""What one place moves is asked for together, and each part waited for before its first use."""

from __future__ import annotations

import re

import numpy as np
import pytest
import solway as sw

from tests.support.landings import POLICIES, assert_equal_in_every_landing


def transfers(kernel: sw.Kernel) -> list[str]:
    """The issues and waits of a kernel in the order of its text: "issue AA_get", ..."""
    return re.findall(r"(?:issue|wait) \w+_(?:get|put)", str(kernel.ir))


def integers(shape, seed):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype("float32")


@pytest.mark.parametrize("depths", [(1, 1), (2, 1), (1, 2), (2, 2)], ids=str)
def test_operands_of_a_product(depths):
    a, b = sw.placeholder((20, 18), name="A"), sw.placeholder((18, 24), name="B")
    k = sw.reduce_axis(18, name="k")
    c = sw.compute((20, 24), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = sw.create_schedule(c)
    io, ii = s[c].split("i", 4)
    ko, ki = s[c].split("k", 6)
    s[c].reorder(io, ko, ii, "j", ki)
    s[c].parallel(io)
    for tensor, depth in zip((a, b), depths, strict=True):
        buffer = s.buffer_read(tensor, at=ko)
        if depth == 2:
            s.double_buffer(buffer)
    s.buffer_write(c, at=io)
    kernel = sw.build(s, [a, b, c], target="sw26010", name="product")
    gets = [move for move in transfers(kernel) if move.endswith("get")]  # the loop's come last
    assert sorted(gets[-4:-2]) == ["issue AA_get", "issue BB_get"]
    assert sorted(gets[-2:]) == ["wait AA_get", "wait BB_get"]
    if depths == (2, 1):  # what is needed now comes first
        assert gets[-4:-2] == ["issue BB_get", "issue AA_get"]
    x, y = integers((20, 18), 1), integers((18, 24), 2)
    assert_equal_in_every_landing(kernel, [x, y], x @ y)


def test_both_results_of_a_reduction():
    x = sw.placeholder((64, 40), name="X")
    k = sw.reduce_axis(40, name="k")
    both = sw.reducer(lambda a, b: (a[0] + b[0], sw.maximum(a[1], b[1])), (0, -100), name="both")
    total, top = sw.compute((64,), lambda i: both((x[i, k], x[i, k]), axis=k), name="M")
    s = sw.create_schedule([total, top])
    io, _ = s[total].split("i", 8)
    s[total].parallel(io)
    s.buffer_read(x, at=io)
    s.buffer_write(total, at=io)
    s.buffer_write(top, at=io)
    kernel = sw.build(s, [x, total, top], target="sw26010", name="both")
    puts = [move.split()[0] for move in transfers(kernel) if move.endswith("put")]
    assert puts == ["issue", "issue", "wait", "wait"]
    values = integers((64, 40), 3)
    for options in POLICIES:
        with sw.emulator(**options):
            sums, tops = kernel.run(values)
        np.testing.assert_array_equal(sums, values.sum(1))
        np.testing.assert_array_equal(tops, values.max(1))
