"""Kernels of target sw26010 with parallel loops inside sequential ones: values, and barriers."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import HAZARDS, assert_equal_in_every_landing
from support.oracle import evaluate


def whole(shape, seed=1):
    return np.random.default_rng(seed).integers(-3, 4, shape).astype("int32")


def barriers(kernel):
    """How often barriers stand in the code of the cores."""
    return kernel.source["kernel_cpe.c"].count("athread_syn")


def check(s, inputs, out, count):
    """Runs a schedule under every policy, compares it with the oracle, and counts barriers."""
    k = sw.build(s, [*inputs, out], target="sw26010")
    arrays = [whole(t.shape, seed) for seed, t in enumerate(inputs)]
    expected = evaluate(out, dict(zip(inputs, [a.copy() for a in arrays], strict=True)))
    for policy in HAZARDS:
        with sw.emulator(**policy):
            np.testing.assert_array_equal(k.run(*[a.copy() for a in arrays]), expected)
    assert barriers(k) == count, k.source["kernel_cpe.c"]
    return k


def check_update(s, base, out, count):
    """The same where `out` changes `base` in place."""
    k = sw.build(s, [base], target="sw26010")
    start = whole(base.shape)
    expected = evaluate(out, {base: start.copy()})
    for policy in HAZARDS:
        array = start.copy()
        with sw.emulator(**policy):
            k(array)
        np.testing.assert_array_equal(array, expected)
    assert barriers(k) == count, k.source["kernel_cpe.c"]


def steps(times, points, value):
    init = sw.placeholder((points,), "int32", name="init")
    H = sw.recurrence(
        (times, points),
        lambda H, t, i: sw.select(t == 0, init[i], value(H, t, i)),
        dtype="int32",
        name="H",
    )
    return init, H, sw.create_schedule(H)


def neighbours(points):
    """A Jacobi step."""
    return lambda H, t, i: (
        H[t - 1, i]
        + sw.select(sw.all_of(i > 0, i < points - 1), H[t - 1, i - 1] - H[t - 1, i + 1], 0)
    )


@pytest.mark.parametrize("points", [1, 64, 130])
def test_time_steps_of_points_that_do_not_meet(points):
    init, H, s = steps(4, points, lambda H, t, i: H[t - 1, i] + t)
    s[H].parallel("i")
    check(s, [init], H, 0)


@pytest.mark.parametrize("points", [5, 64, 130])
def test_time_steps_of_neighbours(points):
    init, H, s = steps(4, points, neighbours(points))
    s[H].parallel("i")
    k = check(s, [init], H, 1)
    assert "if (0 < t) {\n      athread_syn(ARRAY_SCOPE, 0xffff);" in k.source["kernel_cpe.c"]


def test_neighbours_of_one_core_need_no_barrier():
    # 32 pairs: each core has one, and the two points of a pair only use each other.
    init, H, s = steps(4, 64, lambda H, t, i: H[t - 1, i] + H[t - 1, i + 1 - 2 * (i % 2)])
    io, _ = s[H].split("i", 2)
    s[H].parallel(io)
    check(s, [init], H, 0)


def test_tiles_of_time_steps():
    init, H, s = steps(7, 20, neighbours(20))
    s[H].split("t", 3)
    s[H].parallel("i")
    check(s, [init], H, 2)  # in a tile, and between two


def test_a_buffer_inside_the_parallel_loop():
    init, H, s = steps(4, 130, neighbours(130))
    io, _ = s[H].split("i", 16)
    s[H].parallel(io)
    s.buffer_read(H, at=io)
    k = check(s, [init], H, 1)
    assert k.last_run.bytes["get"] > 0


def test_buffers_of_results():
    init, H, s = steps(3, 40, lambda H, t, i: H[t - 1, i] * 3)
    io, _ = s[H].split("i", 8)
    s[H].parallel(io)
    s.buffer_write(H, at=io)
    check(s, [init], H, 0)


def test_a_buffer_outside_the_parallel_loop_serves_no_core():
    init, H, s = steps(4, 20, neighbours(20))
    s.buffer_read(init, at="t")
    with pytest.raises(sw.IllegalScheduleError, match="on a core that did not fill it"):
        s[H].parallel("i")


def two_stages():
    init = sw.placeholder((40,), "int32", name="init")
    X = sw.recurrence(
        (4, 40), lambda X, t, i: sw.select(t == 0, init[i], X[t - 1, i] + 1), "int32", name="X"
    )
    Y = sw.compute((4, 40), lambda t, i: X[t, 39 - i] * 2, name="Y")
    s = sw.create_schedule(Y)
    s[Y].fuse_with(X, "t")
    return init, X, Y, s


@pytest.mark.parametrize("shared", ["X", "Y", "XY"])
def test_two_stages_in_one_time_loop(shared):
    init, X, Y, s = two_stages()
    for stage in (X, Y):
        if stage.name in shared:
            s[stage].parallel("i")
    k = check(s, [init], Y, 1)
    alone = k.source["kernel_cpe.c"].count("if (id == 0) {")
    assert alone == (0 if shared == "XY" else 1)


def test_nests_that_use_their_own_elements_have_no_barrier():
    A = sw.placeholder((100,), "int32", name="A")
    D = sw.compute((100,), lambda i: A[i] * 2, name="D")
    E = sw.compute((100,), lambda i: D[i] + 1, name="E")
    s = sw.create_schedule(E)
    s[D].parallel("i")
    s[E].parallel("i")
    check(s, [A], E, 0)


def plane(value):
    init = sw.placeholder((20, 30), "int32", name="init")
    H = sw.recurrence(
        (3, 20, 30),
        lambda H, t, i, j: sw.select(t == 0, init[i, j], value(H, t, i, j)),
        dtype="int32",
        name="H",
    )
    return init, H, sw.create_schedule(H)


def test_a_mesh_inside_time_steps():
    init, H, s = plane(lambda H, t, i, j: H[t - 1, i, j] * 2)
    s[H].parallel("i", "j", grid=(8, 8))
    check(s, [init], H, 0)

    def moved(H, t, i, j):
        return H[t - 1, i, j] + sw.select(sw.all_of(i > 0, j < 29), H[t - 1, i - 1, j + 1], 0)

    init, H, s = plane(moved)
    s[H].parallel("i", "j", grid=(8, 8))
    check(s, [init], H, 1)
    init, H, s = plane(moved)
    s[H].bind("i", "row")
    check(s, [init], H, 1)
    init, H, s = plane(moved)
    io, jo, _, _ = s[H].tile("i", "j", 3, 5)
    s[H].parallel(io, jo, grid=(4, 8))
    s.buffer_read(H, at=jo)
    check(s, [init], H, 1)


def test_a_grid_of_loops_of_one_iteration():
    A = sw.placeholder((1, 1), "int32", name="A")
    C = sw.compute((1, 1), lambda i, j: A[i, j] * 2, name="C")
    s = sw.create_schedule(C)
    io, jo, _, _ = s[C].tile("i", "j", 4, 5)
    s[C].parallel(io, jo, grid=(8, 8))
    s.buffer_read(A, at=jo)
    assert str(s).count("For j.o") == 1
    check(s, [A], C, 0)


def test_floyd_warshall_with_parallel_rows():
    n = 24
    D = sw.placeholder((n, n), "int32", name="D")
    F = sw.update(
        D,
        (n, n, n),
        lambda k, i, j: (i, j),
        lambda k, i, j: sw.minimum(D[i, j], D[i, k] + D[k, j]),
        where=lambda k, i, j: sw.any_of(i < k, i > k),
        name="F",
    )
    s = sw.create_schedule(F)
    s[F].parallel("i")
    check_update(s, D, F, 1)


def test_elimination_with_rows_that_get_fewer():
    n = 24
    A = sw.placeholder((n, n), "int32", name="A")
    U = sw.update(
        A,
        (n, n, n),
        lambda k, i, j: (i, j),
        lambda k, i, j: A[i, j] - A[i, k] * A[k, j],
        where=lambda k, i, j: sw.all_of(i > k, j > k),
        name="U",
    )
    s = sw.create_schedule(U)
    s[U].parallel("i")
    check_update(s, A, U, 1)


def test_a_wavefront():
    init, H, s = steps(8, 30, lambda H, t, i: sw.select(i > 0, H[t - 1, i - 1], 0))
    s[H].skew("i", by="t", factor=1)
    s[H].reorder("i", "t")
    s[H].parallel("t")
    check(s, [init], H, 1)


def test_a_reduction_outside_the_parallel_loop():
    A = sw.placeholder((4, 8), "int32", name="A")
    B = sw.placeholder((8, 8), "int32", name="B")
    k = sw.reduce_axis(8, name="k")
    C = sw.compute((4, 8), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    s[C].reorder("k", "i", "j")
    s[C].parallel("j")
    check(s, [A, B], C, 0)


@pytest.mark.parametrize("kind", ["read", "write", "both"])
def test_buffers_of_whole_blocks_and_of_the_rest(kind):
    A = sw.placeholder((20, 6), "int32", name="A")
    C = sw.compute((20, 6), lambda i, j: A[i, j] * 2, name="C")
    s = sw.create_schedule(C)
    io, ii = s[C].split("i", factor=8, tail="cut")
    s[C].reorder(io, "j", ii)
    s[C].parallel("j")
    if kind != "write":
        s.buffer_read(A, at="j")
    if kind != "read":
        s.buffer_write(C, at="j")
    k = sw.build(s, [A, C], target="sw26010")
    a = whole((20, 6))
    assert_equal_in_every_landing(k, [a], a * 2)
