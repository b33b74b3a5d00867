"""Programs that random tests found wrong once, each as small as it got."""

from pathlib import Path

import numpy as np
import pytest
import solway as sw

TARGETS = ("host", "c", "sw26010", "example-cluster")


@pytest.mark.parametrize("target", TARGETS)
def test_a_loop_of_one_iteration_names_only_the_index_that_it_is(target):
    A = sw.placeholder((8, 1), "float64", name="A")
    k = sw.reduce_axis((1, 3), name="k")

    def value(i, j):
        never = sw.select(k >= k, A[k + 1, j], A[j, j])
        return sw.min(never, axis=k) + A[i, j]

    B = sw.compute((7, 1), value, name="B")
    s = sw.create_schedule(B)
    s.buffer_read(A, at=B.axis[1])
    a = np.arange(8.0).reshape(8, 1)
    got = sw.build(s, [A, B], target=target).run(a)
    assert np.array_equal(got, np.arange(7.0).reshape(7, 1) + 2)


def test_a_buffer_stands_around_the_writes_of_a_recurrence_not_around_its_reads():
    A = sw.placeholder((5,), "int32", name="A")
    k = sw.reduce_axis(5, name="k")

    def value(H, i):
        return A[i] - sw.sum(sw.select(k < i, H[k], 0), axis=k)

    H = sw.recurrence((5,), value, "int32", name="H")
    s = sw.create_schedule(H)
    with pytest.raises(sw.ScheduleArgumentError, match="'k' is no loop around what writes 'H'"):
        s.buffer_write(H, at=k)


def test_a_condition_that_always_holds_is_a_number_of_isl():
    A = sw.placeholder((6,), "int32", name="A")
    T = sw.update(
        A,
        (2, 3, 2),
        lambda x, y, z: y - z,
        lambda x, y, z: 1,
        lambda x, y, z: sw.all_of(y + 2 * x != 1, y - z >= 0),
        name="T",
    )
    C = sw.compute((6,), lambda x: T[x] - 1, name="C")
    s = sw.create_schedule(C)
    assert "T[" in str(s) or "A[" in str(s)
    a = np.arange(6, dtype="int32")
    got = sw.build(s, [A, C], target="c").run(a)
    got = got[-1] if isinstance(got, tuple) else got
    assert np.array_equal(got, [0, 0, 0, 2, 3, 4])


def test_a_stage_of_which_nothing_is_needed_is_placed():
    A = sw.placeholder((4,), "int32", name="A")
    P = sw.compute((4,), lambda i: A[i] + 1, name="P")
    C = sw.compute((3, 0), lambda i, j: P[i] * 2, name="C")
    s = sw.create_schedule(C)
    s[P].compute_at(C, C.axis[1])
    assert sw.build(s, [A, C], target="c").run(np.zeros(4, "int32")).shape == (3, 0)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("extreme", [sw.maximum, sw.minimum])
def test_the_larger_of_a_magnitude_and_a_zero_that_is_known_late(target, extreme):
    A = sw.placeholder((4,), "float64", name="A")

    def value(i):
        zero = sw.cast(sw.cast(sw.select(i < 0, A[i], 0.0), "int8"), "float64")
        return extreme(sw.abs(A[i]), zero)

    B = sw.compute((4,), value, name="B")
    s = sw.create_schedule(B)
    s[B].split("i", factor=2)
    a = np.array([-2.0, 0.0, 3.0, -np.inf])
    got = sw.build(s, [A, B], target=target).run(a)
    assert np.array_equal(got, abs(a) if extreme is sw.maximum else np.zeros(4))


@pytest.mark.parametrize("target", TARGETS)
def test_slots_of_a_buffer_follow_the_loop_that_fuse_makes(target):
    A = sw.placeholder((7, 8), name="A")
    k = sw.reduce_axis(4, name="k")
    T = sw.compute((5, 5), lambda i, j: sw.max(A[k, (j * 3 + 2) % 8], axis=k), name="T")
    s = sw.create_schedule(T)
    s.buffer_read(A, at="j", layout=[1, 0], depth=3)
    s[T].skew("i", by="j", factor=-1)
    s[T].fuse("i", "j")
    a = np.arange(56, dtype="float32").reshape(7, 8)
    expected = np.tile(a[3, (np.arange(5) * 3 + 2) % 8], (5, 1))
    assert np.array_equal(sw.build(s, [A, T], target=target).run(a), expected)


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("target", TARGETS)
def test_a_deep_buffer_stays_legal_when_its_loops_change(target, depth):
    A = sw.placeholder((6, 35), name="A")
    T = sw.compute((6, 35), lambda i, j: A[i, j] * 2, name="T")

    def changed(change):
        s = sw.create_schedule(T)
        outer, inner = s[T].split("j", factor=5)
        s.buffer_read(A, [inner], depth=depth)
        change(s[T], outer)
        return s

    a = np.arange(210, dtype="float32").reshape(6, 35)
    for change in (
        lambda stage, outer: stage.fuse("i", outer),
        lambda stage, outer: stage.reorder(outer, "i"),
        lambda stage, outer: stage.reverse(outer),
        lambda stage, outer: stage.split(outer, factor=2),
        lambda stage, outer: stage.shift(outer, 1),
        lambda stage, outer: stage.skew("i", outer, 1),
    ):
        kernel = sw.build(changed(change), [A, T], target=target)
        assert np.array_equal(kernel.run(a), a * 2)


@pytest.mark.parametrize("target", TARGETS)
def test_fused_loops_of_a_union_below_a_loop_of_one_iteration(target):
    A = sw.placeholder((3, 4), "int32", name="A")
    where = lambda i, j: (j < 2 + i) | (j == 2)  # noqa: E731
    T = sw.compute((3, 4), lambda i, j: A[i, j] * 2, name="T", where=where)
    s = sw.create_schedule(T)
    s.buffer_read(A, at="j")
    _, inner = s[T].split("i", factor=3)
    s[T].fuse(inner, "j")
    a = np.arange(12, dtype="int32").reshape(3, 4)
    assert "For i.i.j in range(12)" in str(s)
    got = sw.build(s, [A, T], target=target).run(a)
    runs = np.fromfunction(where, (3, 4))
    assert np.array_equal(got[runs], 2 * a[runs])


@pytest.mark.parametrize("target", ["host", "c", "sw26010"])
def test_a_stage_is_placed_where_nothing_of_it_is_needed(target):
    """Seed 500073776: its only reader has it in a branch that is never taken."""
    A = sw.placeholder((4,), name="A")
    P = sw.compute((3,), lambda i: sw.cast(1, "float32"), name="P")
    C = sw.compute((2,), lambda i: sw.select(i < 2, A[i + 1], P[i + 1]), name="C")
    s = sw.create_schedule(C)
    s[P].compute_at(C, "i")
    a = np.arange(4, dtype="float32")
    assert sw.build(s, [A, C], target=target).run(a).tolist() == [1, 2]


@pytest.mark.parametrize("depth", [1, 2])
def test_affine_keeps_a_placed_stage_in_the_loops_of_its_consumer(depth):
    A = sw.placeholder((4, 3), "int64", name="A")
    k = sw.reduce_axis(3, name="k")
    S = sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k), name="S")
    D = sw.compute((4, 3), lambda i, j: A[i, j] - S[i], name="D")
    s = sw.create_schedule(D)
    ko, ki = s[S].split(k, factor=2)
    s[S].compute_at(D, D.axis[0])
    s.buffer_read(A, region=[S.axis[0], ko, ki], at=D.axis[0], readers=[S], depth=depth)
    s[S].affine("{ [k.i, i] -> [k.i + i, i] }", names=["p", "q"])
    a = np.arange(12).reshape(4, 3)
    for target in TARGETS:
        got = sw.build(s, [A, D], target=target).run(a)
        assert np.array_equal(got, a - a.sum(axis=1, keepdims=True))


def test_bounds_of_a_box_do_not_change_when_isl_is_asked_about_them():
    A = sw.placeholder((2, 4, 5), "int8", name="A")
    r = sw.reduce_axis((1, 9), name="r")
    q = sw.reduce_axis((0, 1), name="q")

    def value(i, j, k):
        inner = sw.select(A[1 - i, j * 3 % 4, i] > 0, A[q, (j * 3 + 1) % 4, k], A[j // 4, i, q + 4])
        return sw.max(inner, axis=[r, q])

    B = sw.compute((2, 8, 3), value, name="B")
    s = sw.create_schedule(B)
    s.buffer_read(A, at=q, readers=[B])
    a = np.arange(40, dtype="int8").reshape(2, 4, 5) - 20
    i, j, k = np.indices((2, 8, 3))
    expected = np.where(a[1 - i, j * 3 % 4, i] > 0, a[0, (j * 3 + 1) % 4, k], a[j // 4, i, 4])
    assert np.array_equal(sw.build(s, [A, B], target="c").run(a), expected)


@pytest.mark.parametrize("target", TARGETS)
def test_a_value_that_stays_in_a_register_of_the_outermost_loop_is_declared(target):
    A = sw.placeholder((4, 3), "int8", name="A")
    k = sw.reduce_axis(3, name="k")
    S = sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k), name="S")
    D = sw.compute((4, 3), lambda i, j: A[i, j] * 3 - S[i], name="D")
    s = sw.create_schedule(D)
    s[S].compute_at(D, D.axis[0])
    s[D].fuse_with(S, S.axis[0])
    a = np.arange(12, dtype="int8").reshape(4, 3)
    kernel = sw.build(s, [A, D], target=target)
    for mode in ("functional", "hazard"):
        with sw.emulator(mode):
            assert np.array_equal(kernel.run(a), a * 3 - a.sum(axis=1, keepdims=True))


def test_a_tile_of_a_loop_that_only_a_quotient_has():
    """A grouped convolution reads channel f // 2: the loop inside a tile of two moves no index."""
    A, W = sw.placeholder((4, 9), name="A"), sw.placeholder((8, 3), name="W")
    k = sw.reduce_axis(3, name="k")
    S = sw.compute((8, 7), lambda f, x: sw.sum(A[f // 2, x + k] * W[f, k], axis=k), name="S")
    s = sw.create_schedule(S)
    s[S].split("f", factor=2)
    s.auto_buffer("sw26010", planner="greedy")
    a = np.arange(36.0, dtype="float32").reshape(4, 9)
    w = np.arange(24.0, dtype="float32").reshape(8, 3) % 5
    windows = np.lib.stride_tricks.sliding_window_view(a, 3, axis=1)
    expected = np.einsum("fxk,fk->fx", windows[np.arange(8) // 2], w)
    assert np.array_equal(sw.build(s, [A, W, S], target="sw26010").run(a, w), expected)


def machine(folder, *figures):
    """The file of SW26010 with other figures: texts, and what replaces them."""
    text = (Path(__file__).parents[2] / "targets" / "sw26010.toml").read_text()
    for old, new in figures:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = folder / "machine.toml"
    path.write_text(text)
    return path


def test_vectors_in_a_scratchpad_whose_buffers_begin_inside_one(tmp_path):
    target = machine(tmp_path, ("alignment_bytes = 32 ", "alignment_bytes = 8 "))
    A = sw.placeholder((64,), name="A")
    B = sw.compute((64,), lambda i: A[i] * 3, name="B")
    s = sw.create_schedule(B)
    outer, inner = s[B].split("i", factor=8)
    s[B].vectorize(inner)
    s.buffer_read(A, at=outer)
    s.buffer_write(B, at=outer)
    a = np.arange(64.0, dtype="float32")
    kernel = sw.build(s, [A, B], target=target)
    assert "simd_loadu" in kernel.source[f"{kernel.name}_cpe.c"]
    assert np.array_equal(kernel.run(a), a * 3)


def test_parameters_that_are_longer_than_one_transfer(tmp_path):
    target = machine(
        tmp_path,
        ("max_size_bytes = 16777212 ", "max_size_bytes = 16 "),
        ("max_block_bytes = 1048572 ", "max_block_bytes = 16 "),
    )
    A, C = sw.placeholder((9,), name="A"), sw.placeholder((9,), name="C")
    B = sw.compute((9,), lambda i: A[i] * 3 - C[i], name="B")
    s = sw.create_schedule(B)
    s.auto_buffer(target, planner="greedy")
    a, c = np.arange(9.0, dtype="float32"), np.ones(9, "float32")
    assert np.array_equal(sw.build(s, [A, C, B], target=target).run(a, c), a * 3 - 1)


@pytest.mark.parametrize("planner", ["optimal", "greedy"])
def test_room_for_all_but_a_table_at_data_and_constants(tmp_path, planner):
    target = machine(tmp_path, ("size_bytes = 65536     #", "size_bytes = 2128     #"))
    T, P = sw.placeholder((11, 33), "float64", name="T"), sw.placeholder((1,), "int32", name="P")
    K = sw.constant(np.arange(33.0) % 5, "float64", name="K")

    def value(i, j):
        row = sw.cast(sw.minimum(sw.maximum(P[i], 0), 10), "int64")
        return T[sw.bounded(row, 0, 11), j] + K[j]

    G = sw.compute((1, 33), value, name="G")
    s = sw.create_schedule(G)
    plan = s.auto_buffer(target, planner=planner)
    left = [step for step, verdict, _ in plan.remarks if verdict == "accessed in main memory"]
    assert [step.split("'")[1] for step in left] == ["T", "K"]
    t, p = np.arange(363.0).reshape(11, 33), np.array([7], "int32")
    with sw.emulator("hazard"):
        found = sw.build(s, [T, P, G], target=target).run(t, p)
    assert np.array_equal(found, t[7:8] + np.arange(33.0) % 5)


def test_vectors_of_a_stage_with_two_results():
    A = sw.placeholder((8, 16), name="A")
    S, D = sw.compute((8, 16), lambda i, j: (A[i, j] + 1, A[i, j] * 2), name="S")
    s = sw.create_schedule([S, D])
    for tensor in (S, D):
        s.buffer_write(tensor, at="i")
    s.buffer_read(A, at="i")
    s[S].vectorize("j")
    a = np.arange(128.0, dtype="float32").reshape(8, 16)
    kernel = sw.build(s, [A, S, D], target="sw26010")
    assert "const floatv4" in kernel.source[f"{kernel.name}_cpe.c"]
    for found, right in zip(kernel.run(a), (a + 1, a * 2), strict=True):
        assert np.array_equal(found, right)


@pytest.mark.parametrize("target", ["host", "sw26010", "sw26010pro"])
def test_a_copy_that_one_column_of_the_mesh_makes(target):
    A = sw.placeholder((2, 4), "int64", name="A")
    k = sw.reduce_axis(4, name="k")

    def value(i, j, m):
        return sw.sum(sw.select(j == 0, A[i, k], m), axis=k)

    B = sw.compute((2, 8, 3), value, name="B")
    s = sw.create_schedule(B)
    s[B].parallel("i", "j", grid=(2, 8))
    s.buffer_read(A, at="j")  # in the first iteration of j only
    a = np.arange(8).reshape(2, 4)
    right = np.broadcast_to(np.arange(3) * 4, (2, 8, 3)).copy()
    right[:, 0, :] = a.sum(axis=1)[:, None]
    with sw.emulator("hazard"):
        assert np.array_equal(sw.build(s, [A, B], target=target).run(a), right)


@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
def test_requests_for_lines_stand_in_the_loop_that_was_counted(target):
    # 8 filters in tiles of 3: the last tile has loops of its own, of the same names.
    X = sw.placeholder((4, 8, 8, 16), name="X")
    W = sw.placeholder((8, 4, 16), name="W")
    c = sw.reduce_axis(4, name="c")
    C = sw.compute(
        (8, 4, 4, 16),
        lambda f, y, x, v: sw.sum(X[c, 2 * y, 2 * x, 0] * W[f, c, v], axis=c),
        name="C",
    )
    s = sw.create_schedule(C)
    f_o, f_i = s[C].split("f", factor=3)
    x_o, x_i = s[C].split("x", factor=2)
    s[C].reorder("y", x_o, f_o, c, x_i, f_i, "v")
    s[C].unroll(f_i)
    s[C].unroll(x_i)
    s[C].vectorize("v")
    s.buffer_read(X, region=[x_i, c], at=x_o)
    s.buffer_write(C, at=f_o, scope="register")
    s[C].prefetch_lines(X, x_o, distance=1, inside=c)
    rng = np.random.default_rng(0)
    x, w = (rng.integers(-4, 5, size=t.shape).astype("float32") for t in (X, W))
    got = sw.build(s, [X, W, C], target=target).run(x, w)
    assert np.array_equal(got, np.einsum("cyx,fcv->fyxv", x[:, ::2, ::2, 0], w))
