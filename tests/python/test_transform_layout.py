"""Tensors in other layouts: what is computed, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ["host", "c", "sw26010"]


def program():
    a = sw.placeholder((5, 10), dtype="int32", name="A")
    p = sw.compute((5, 10), lambda i, j: a[i, j] * 2, name="P")
    c = sw.compute((10, 5), lambda j, i: p[i, 9 - j] + a[i, j], name="C")
    return a, p, c


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("which", ["argument", "intermediate", "output", "all"])
def test_values_stay(target, which):
    a, p, c = program()
    s = sw.create_schedule(c)
    if which in ("argument", "all"):
        s.transform_layout(a, lambda i, j: (j // 4, i, j % 4))
    if which in ("intermediate", "all"):
        s.transform_layout(p, lambda i, j: (j, i))
    if which in ("output", "all"):
        s.transform_layout(c, lambda j, i: (i // 2, j, i % 2))
    s[c].split("j", 4)
    x = np.arange(50, dtype="int32").reshape(5, 10)
    result = sw.build(s, [a, c], target=target).run(x)
    np.testing.assert_array_equal(result, (x * 2)[:, ::-1].T + x.T)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["int8", "float32", "int64"])
def test_a_constant_is_put_in_its_layout_when_building(target, dtype):
    values = np.arange(35).reshape(5, 7).astype(dtype)
    w = sw.constant(values, name="W")
    a = sw.placeholder((7,), dtype=dtype, name="A")
    k = sw.reduce_axis(7, name="k")
    c = sw.compute((5,), lambda i: sw.sum(w[i, k] * a[k], axis=k), name="C")
    s = sw.create_schedule(c)
    s.transform_layout(w, lambda i, k: (k // 4, i, k % 4))
    assert "W_layout" not in str(s)
    x = np.array([1, 0, 1, 0, 0, 0, 1], dtype=dtype)
    result = sw.build(s, [a, c], target=target).run(x)
    np.testing.assert_array_equal(result, values @ x)


@pytest.mark.parametrize("target", TARGETS)
def test_buffers_hold_tensors_in_their_layout(target):
    a = sw.placeholder((8, 12), dtype="int32", name="A")
    b = sw.placeholder((12, 16), dtype="int32", name="B")
    k = sw.reduce_axis(12, name="k")
    c = sw.compute((8, 16), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = sw.create_schedule(c)
    s.transform_layout(b, lambda k, j: (j // 4, k, j % 4))
    s.transform_layout(c, lambda i, j: (j // 4, i, j % 4))
    jo, ji = s[c].split("j", 4)
    s[c].reorder(jo, "i", k, ji)
    bb = s.buffer_read(b, [k, ji])
    cc = s.buffer_write(c, [ji])
    assert (bb.name, cc.name) == ("B_layout_buf", "C_layout_buf")
    assert "B_layout_buf[k, j.i] = B_layout[j.o, k, j.i]" in str(s)
    assert "C_layout[j.o, i, j.i] = C_layout_buf[j.i]" in str(s)
    copied = s.buffer_read(b, at="k", readers=[s.tensors["B_layout"]])
    assert copied.name == "BB"
    x = np.arange(96, dtype="int32").reshape(8, 12)
    y = np.arange(192, dtype="int32").reshape(12, 16)
    result = sw.build(s, [a, b, c], target=target).run(x, y)
    np.testing.assert_array_equal(result, x @ y)


def test_the_copy_of_an_argument_is_a_stage():
    a, _, c = program()
    s = sw.create_schedule(c)
    s.transform_layout(a, lambda i, j: (j, i))
    assert str(s).startswith(
        "For i in range(5)\n  For j in range(10)\n    A_layout[j, i] = A[i, j]\n"
    )
    copy = s.tensors["A_layout"]
    s[copy].reorder("j", "i")
    s[copy].parallel("j")


def test_padding_is_never_read():
    a = sw.placeholder((10,), name="A")
    p = sw.compute((10,), lambda i: a[i] + 1, name="P")
    k = sw.reduce_axis(10, name="k")
    c = sw.compute((), lambda: sw.sum(p[k], axis=k), name="C")
    s = sw.create_schedule(c)
    s.transform_layout(p, lambda i: (i // 8, i % 8))
    x = np.arange(10, dtype="float32")
    assert sw.build(s, [a, c], target="c").run(x) == x.sum() + 10


def test_refusals():
    a, p, c = program()
    s = sw.create_schedule(c)
    with pytest.raises(sw.ScheduleArgumentError, match="two elements would have one place"):
        s.transform_layout(p, lambda i, j: (i + j,))
    with pytest.raises(sw.ScheduleArgumentError, match="'i - 2' is negative"):
        s.transform_layout(p, lambda i, j: (i - 2, j))
    s.buffer_read(p, at=s[c].axis[0], readers=[c])
    with pytest.raises(sw.ScheduleArgumentError, match="a buffer depends on 'P'"):
        s.transform_layout(p, lambda i, j: (j, i))
    assert [step.primitive for step in s.log] == ["buffer_read"]
    assert a.shape == (5, 10)
