"""`Schedule.pad`: more elements are computed, and those that were there keep their values."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.convolutions import bordered_convolution

RNG = np.random.default_rng(11)


def ints(*shape):
    return RNG.integers(-3, 4, shape).astype("f4")


def product(m, n, depth):
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


@pytest.mark.parametrize("target", ["host", "c", "sw26010", "sw26010pro"])
@pytest.mark.parametrize("shape", [(8, 16), (7, 16), (8, 13)])
def test_a_padded_product(target, shape):
    A, B, C = product(7, 13, 9)
    s = sw.create_schedule(C)
    P = s.pad(C, shape)
    assert P.shape == shape
    a, b = ints(7, 9), ints(9, 13)
    np.testing.assert_array_equal(sw.build(s, [A, B, C], target=target).run(a, b), a @ b)


@pytest.mark.parametrize("landing", ["at_wait", "at_issue", "random"])
def test_borders_are_filled_in_tiles(landing):
    A, B, C = product(30, 45, 20)
    s = sw.create_schedule(C)
    P = s.pad(C, (32, 48))
    io, ii = s[P].split("i", factor=8)
    jo, ji = s[P].split("j", factor=16)
    s[P].reorder(io, jo, ii, "k", ji)
    s[P].parallel(io)
    s.buffer_write(P, at=jo)
    s.buffer_read(s.tensors["A_pad"], at=jo, fill_padding=True)
    s.buffer_read(s.tensors["B_pad"], at=jo, fill_padding=True)
    a, b = ints(30, 20), ints(20, 45)
    kernel = sw.build(s, [A, B, C], target="sw26010")
    with sw.emulator("hazard", landing=landing):
        np.testing.assert_array_equal(kernel.run(a, b), a @ b)


def test_the_sums_run_in_tiles_of_the_output():
    A, B, C = product(30, 45, 20)
    s = sw.create_schedule(C)
    P = s.pad(C, (32, 48))
    io, _ = s[C].split("i", factor=8)
    s[P].compute_at(C, io)
    a, b = ints(30, 20), ints(20, 45)
    np.testing.assert_array_equal(sw.build(s, [A, B, C]).run(a, b), a @ b)


def test_a_tensor_between_others_goes():
    A = sw.placeholder((30,), name="A")
    P = sw.compute((30,), lambda i: A[i] * 2, name="P")
    C = sw.compute((28,), lambda i: P[i] + P[i + 2], name="C")
    s = sw.create_schedule(C)
    s.pad(P, (32,))
    assert "For i in range(28)\n  C[i] = P_pad[i] + P_pad[i + 2]\n" in str(s)
    a = ints(30)
    np.testing.assert_array_equal(sw.build(s, [A, C]).run(a), 2 * (a[:28] + a[2:]))


def test_a_border_around_an_image_grows():
    layer = bordered_convolution(3, 5, 6, 7)
    image, weights = ints(3, 6, 7), ints(5, 3, 3, 3)
    s = sw.create_schedule(layer.R)
    s.pad(layer.S, (8, 8, 8))
    assert "For d0 in range(3)" not in str(s)  # P is computed in P_pad
    assert {"P_pad", "W_pad", "S_pad"} <= set(s.tensors)
    assert "S" not in s.tensors
    kernel = sw.build(s, [layer.A, layer.W, layer.R])
    np.testing.assert_array_equal(kernel.run(image, weights), layer.relu(image, weights))


def test_what_an_update_changes_is_read_where_it_was():
    A = sw.placeholder((6,), name="A")
    Q = sw.compute((6,), lambda i: A[i] + 1, name="Q")
    P = sw.compute((6,), lambda i: Q[i] * 2, name="P")
    U = sw.update(Q, (6,), lambda i: (i,), lambda i: Q[i] * 10, name="U")
    C = sw.compute((6,), lambda i: P[i] + 1, name="C")
    s = sw.create_schedule([C, U])
    s.pad(C, (8,))
    a = ints(6)
    got, updated = sw.build(s, [A, C, U]).run(a)
    np.testing.assert_array_equal(got, (a + 1) * 2 + 1)
    np.testing.assert_array_equal(updated, (a + 1) * 10)


@pytest.mark.parametrize("dtype", ["float64", "int32", "int8", "bool"])
def test_zeros_are_of_the_tensors_type(dtype):
    A = sw.placeholder((5,), dtype, name="A")
    C = sw.compute((5,), lambda i: sw.select(A[i] > 0, 1.0, 2.0), name="C")
    s = sw.create_schedule(C)
    s.pad(C, (8,))
    a = RNG.integers(0, 2, 5).astype(dtype)
    np.testing.assert_array_equal(sw.build(s, [A, C]).run(a), np.where(a > 0, 1, 2).astype("f4"))


def test_a_chain_is_padded_from_its_end():
    A, B, C = product(5, 6, 7)
    E = sw.placeholder((6, 3), name="E")
    k = sw.reduce_axis(6, name="q")
    D = sw.compute((5, 3), lambda i, j: sw.sum(C[i, k] * E[k, j], axis=k), name="D")
    s = sw.create_schedule(D)
    s.pad(D, (8, 4))
    s.pad(C, (8, 8))
    a, b, e = ints(5, 7), ints(7, 6), ints(6, 3)
    np.testing.assert_array_equal(sw.build(s, [A, B, E, D]).run(a, b, e), a @ b @ e)


def test_the_script_of_a_padded_schedule_runs(tmp_path):
    _, _, C = product(7, 13, 9)
    s = sw.create_schedule(C)
    P = s.pad(C, (8, 16))
    i, _ = s[P].split("i", factor=4)
    s.buffer_read(s.tensors["A_pad"], at=i, fill_padding=True)
    names = {"sw": sw, "outputs": [C]}
    exec(s.to_python(), names)
    s.save(tmp_path / "padded.schedule")
    for again in (names["s"], sw.load_schedule(tmp_path / "padded.schedule", [C])):
        assert str(again) == str(s)
        assert again.to_python() == s.to_python()
