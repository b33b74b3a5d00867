"""Buffers of tensors whose rows are as long as sizes say: their strides are expressions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import solway as sw

VALUES = (1, 7, 16, 19)


def product():
    m, n, d = (sw.size(name, max=20) for name in "mnd")
    A = sw.placeholder((m, d), "int64", name="A")
    B = sw.placeholder((d, n), "int64", name="B")
    k = sw.reduce_axis((0, d), name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    io, jo, ii, ji = s[C].tile("i", "j", 4, 8)
    ko, ki = s[C].split("k", factor=4)
    s[C].reorder(io, jo, ko, ki, ii, ji)
    return s, (A, B, C), (io, jo, ko, ki, ii, ji)


def tiles(s, A, B, C, io, jo, ko, ki, ii, ji):
    s.buffer_read(A, [ii, ki])
    s.buffer_read(B, [ki, ji])
    s.buffer_write(C, [ii, ji])


def transposed(s, A, B, C, io, jo, ko, ki, ii, ji):
    s.buffer_read(A, [ki, ii], layout=[1, 0])
    s.buffer_read(B, [ki, ji])


def panels(s, A, B, C, io, jo, ko, ki, ii, ji):
    jv, jl = s[C].split(ji, factor=4)
    s[C].reorder(jo, io, ko, jv, ii, ki, jl)
    s.buffer_read(B, [jv, ki, jl])
    s[C].vectorize(jl)


def early(s, A, B, C, io, jo, ko, ki, ii, ji):
    AA, BB = s.buffer_read(A, [ii, ki]), s.buffer_read(B, [ki, ji])
    s.double_buffer(AA)
    s.prefetch(BB, distance=2)


@pytest.mark.parametrize("stage", [tiles, transposed, panels, early])
@pytest.mark.parametrize(
    ("target", "poison"), [("host", False), ("host", True), ("c", True), ("sw26010", False)]
)
def test_rows_as_long_as_a_size(stage, target, poison):
    s, tensors, loops = product()
    stage(s, *tensors, *loops)
    k = sw.build(s, tensors, target=target, poison_transfers=poison)
    numbers = np.random.default_rng(0)
    for m, n, d in itertools.product(VALUES, repeat=3):
        a, b = numbers.integers(-4, 5, (m, d)), numbers.integers(-4, 5, (d, n))
        assert np.array_equal(k.run(a, b), a @ b), (m, n, d)


@pytest.mark.parametrize("target", ["host", "c", "sw26010"])
def test_planes_of_rows(target):
    m, n = sw.size("m", max=5), sw.size("n", max=6)
    A = sw.placeholder((3, m, n), "int64", name="A")
    B = sw.compute((3, m, n), lambda c, i, j: A[2 - c, i, j] * 2 + c, name="B")
    s = sw.create_schedule(B)
    s.buffer_read(A, at="c")
    s.buffer_write(B, at="c")
    k = sw.build(s, [A, B], target=target)
    for shape in ((3, 1, 1), (3, 5, 2), (3, 4, 6)):
        a = np.arange(np.prod(shape)).reshape(shape)
        assert np.array_equal(k.run(a), a[::-1] * 2 + np.arange(3)[:, None, None])
