"""Reductions of every kind on every target: positions, conditions, combine functions, tuples."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from solway._cpu import runs
from support.guarded import GuardedKernel

TARGETS = ["host", "c", "sw26010"]


def run(schedule, tensors, target, *arrays):
    results = sw.build(schedule, tensors, target=target).run(*arrays)
    return results if isinstance(results, tuple) else (results,)


def ties(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    return rng.integers(0, 4, shape).astype(dtype)


def positions(name, dtype, shape=(5, 12)):
    A = sw.placeholder(shape, dtype, name="A")
    k = sw.reduce_axis(shape[1], name="k")
    C = sw.compute(shape[:1], lambda i: getattr(sw, name)(A[i, k], axis=k), name="C")
    return A, C, k


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["argmin", "argmax"])
@pytest.mark.parametrize("dtype", ["float32", "int8", "uint8", "float16", "bool"])
def test_positions_are_numpys(dtype, name, target):
    a = ties(dtype, (5, 12))
    if dtype.startswith("float"):
        a[1, 3] = a[1, 7] = np.nan
        a[2] = np.inf
        a[3] = -np.inf
    A, C, _ = positions(name, dtype)
    assert C.dtype == np.int64
    (got,) = run(sw.create_schedule(C), [A, C], target, a)
    np.testing.assert_array_equal(got, getattr(np, name)(a, axis=1))


ORDERS = {
    "split": lambda s, C, k: s[C].split(k, factor=5),
    "reordered": lambda s, C, k: s[C].reorder(k, C.axis[0]),
    "both": lambda s, C, k: s[C].reorder(*reversed(s[C].split(k, factor=4)), C.axis[0]),
    "vectorized": lambda s, C, k: s[C].vectorize(C.axis[0]),
    "lanes": lambda s, C, k: s[C].vectorize(k),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_the_first_position_wins_in_every_order(name, order):
    a = ties("float32", (5, 12), seed=3)
    A, C, k = positions(name, "float32")
    s = sw.create_schedule(C)
    ORDERS[order](s, C, k)
    for target in ("host", "c"):
        if target == "c" and order in ("vectorized", "lanes"):
            continue
        (got,) = run(s, [A, C], target, a)
        np.testing.assert_array_equal(got, getattr(np, name)(a, axis=1))


def test_positions_over_several_axes_are_flattened():
    a = ties("int32", (3, 4, 5), seed=2)
    A = sw.placeholder(a.shape, "int32", name="A")
    j, k = sw.reduce_axis((1, 4), name="j"), sw.reduce_axis(5, name="k")
    C = sw.compute((3,), lambda i: sw.argmax(A[i, j, k], axis=(j, k)) * 2 + 1, name="C")
    expected = a[:, 1:].reshape(3, -1).argmax(1) * 2 + 1
    for target in TARGETS:
        (got,) = run(sw.create_schedule(C), [A, C], target, a)
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("target", TARGETS)
def test_any_and_all(target):
    a = ties("int32", (6, 7), seed=4)
    a[0], a[1] = 0, 3
    A = sw.placeholder(a.shape, "int32", name="A")
    k, m = sw.reduce_axis(7, name="k"), sw.reduce_axis(7, name="m")
    C = sw.compute((6,), lambda i: sw.any(A[i, k] > 2, axis=k), name="C")
    D = sw.compute((6,), lambda i: sw.all(A[i, m], axis=m), name="D")
    assert C.dtype == bool and D.dtype == bool
    got = run(sw.create_schedule([C, D]), [A, C, D], target, a)
    np.testing.assert_array_equal(got[0], (a > 2).any(1))
    np.testing.assert_array_equal(got[1], a.all(1))


def test_extremes_of_conditions_are_conditions():
    A = sw.placeholder((3, 4), "bool", name="A")
    k, m = sw.reduce_axis(4, name="k"), sw.reduce_axis(4, name="m")
    C = sw.compute((3,), lambda i: sw.max(A[i, k], axis=k), name="C")
    D = sw.compute((3,), lambda i: sw.min(A[i, m], axis=m), name="D")
    a = np.array([[0, 0, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]], bool)
    got = run(sw.create_schedule([C, D]), [A, C, D], "host", a)
    np.testing.assert_array_equal(got[0], a.max(1))
    np.testing.assert_array_equal(got[1], a.min(1))


@pytest.mark.parametrize("target", TARGETS)
def test_a_combine_function_of_tuples(target):
    """Mean and sum of squared differences by Chan's formula, in exact integers."""
    a = ties("int64", (4, 9), seed=5)
    A = sw.placeholder(a.shape, "int64", name="A")
    k = sw.reduce_axis(9, name="k")
    moments = sw.reducer(lambda x, y: (x[0] + y[0], x[1] + y[1]), (0, 0), name="moments")
    S, Q = sw.compute((4,), lambda i: moments((A[i, k], A[i, k] * A[i, k]), axis=k), name="M")
    assert (S.name, Q.name) == ("M_0", "M_1")
    s = sw.create_schedule([S, Q])
    s[Q].split(k, factor=4)
    got = run(s, [A, S, Q], target, a)
    np.testing.assert_array_equal(got[0], a.sum(1))
    np.testing.assert_array_equal(got[1], (a * a).sum(1))


@pytest.mark.parametrize("target", TARGETS)
def test_values_of_a_tuple_in_larger_expressions(target):
    a = ties("int32", (4, 9), seed=6)
    A = sw.placeholder(a.shape, "int32", name="A")
    k = sw.reduce_axis(9, name="k")
    both = sw.reducer(lambda x, y: (x[0] + y[0], sw.maximum(x[1], y[1])), (0, -100))

    def body(i):
        total, largest = both((A[i, k], A[i, k]), axis=k)
        return total - largest, largest * 2

    C, D = sw.compute((4,), body, name="C")
    got = run(sw.create_schedule([C, D]), [A, C, D], target, a)
    np.testing.assert_array_equal(got[0], a.sum(1) - a.max(1))
    np.testing.assert_array_equal(got[1], a.max(1) * 2)


def test_a_reducer_that_does_not_commute_keeps_its_order():
    """Digits of a number: f(a, b) = (a.value * b.scale + b.value, a.scale * b.scale)."""
    digits = np.random.default_rng(7).integers(0, 10, (3, 8)).astype("int64")
    A = sw.placeholder(digits.shape, "int64", name="A")
    k = sw.reduce_axis(8, name="k")
    number = sw.reducer(
        lambda x, y: (x[0] * y[1] + y[0], x[1] * y[1]), (0, 1), commutative=False, name="number"
    )
    N, P = sw.compute((3,), lambda i: number((A[i, k], sw.cast(10, "int64")), axis=k), name="N")
    s = sw.create_schedule([N, P])
    ko, ki = s[N].split(k, factor=4)
    expected = np.array([int("".join(map(str, row))) for row in digits])
    for target in TARGETS:
        got = run(s, [A, N, P], target, digits)
        np.testing.assert_array_equal(got[0], expected)
        np.testing.assert_array_equal(got[1], [10**8] * 3)
    with pytest.raises(sw.IllegalScheduleError):
        s[N].reorder(ki, ko)
    with pytest.raises(sw.IllegalScheduleError):
        s[N].vectorize(ki)


@pytest.mark.parametrize("target", TARGETS)
def test_several_outputs_of_one_compute(target):
    a = ties("float32", (4, 6), seed=8)
    A = sw.placeholder(a.shape, name="A")
    D, R, W = sw.compute((4, 6), lambda i, j: (A[i, j] * 2, A[i, j] > 1, i + j), name="D")
    assert D.dtype == np.float32 and R.dtype == bool and W.dtype == np.int64
    s = sw.create_schedule([D, R, W])
    s[W].reorder(D.axis[1], D.axis[0])
    assert s[R].axis[0].name == "j" and s[D].axis[0].name == "j"
    got = run(s, [A, D, R, W], target, a)
    np.testing.assert_array_equal(got[0], a * 2)
    np.testing.assert_array_equal(got[1], a > 1)
    np.testing.assert_array_equal(got[2], np.add.outer(np.arange(4), np.arange(6)))
    assert "D_1[i, j] = " in str(s)


def test_an_output_that_nobody_asked_for_is_a_temporary():
    a = ties("int32", (8,), seed=9)
    A = sw.placeholder((8,), "int32", name="A")
    C, D = sw.compute((8,), lambda i: (A[i] + 1, A[i] * 2), name="C")
    E = sw.compute((8,), lambda i: C[i] + D[i], name="E")
    (got,) = run(sw.create_schedule(E), [A, E], "host", a)
    np.testing.assert_array_equal(got, a * 3 + 1)
    (got,) = run(sw.create_schedule(D), [A, D], "c", a)
    np.testing.assert_array_equal(got, a * 2)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
def test_tuples_of_no_and_one_element(shape):
    a = np.ones(shape, "int32")
    A = sw.placeholder(shape, "int32", name="A")
    C, D = sw.compute(shape, lambda *i: (A[i] + 1, A[i] * 5), name="C")
    s = sw.create_schedule([C, D])
    assert str(s)
    for target in ("host", "c"):
        got = run(s, [A, C, D], target, a)
        np.testing.assert_array_equal(got[0], a + 1)
        np.testing.assert_array_equal(got[1], a * 5)


@pytest.mark.parametrize("target", TARGETS)
def test_reads_at_data(target):
    rng = np.random.default_rng(10)
    table = rng.integers(-50, 50, (10, 3)).astype("int32")
    index = rng.integers(0, 10, 16).astype("int32")
    T = sw.placeholder(table.shape, "int32", name="T")
    I = sw.placeholder((16,), "int32", name="I")  # noqa: E741
    C = sw.compute((16, 3), lambda i, j: T[sw.bounded(I[i], 0, 10), j] + 1, name="C")
    s = sw.create_schedule(C)
    s[C].reorder(C.axis[1], C.axis[0])
    (got,) = run(s, [T, I, C], target, table, index)
    np.testing.assert_array_equal(got, table[index] + 1)


def test_reads_at_data_of_data():
    rng = np.random.default_rng(11)
    table = rng.permutation(12).astype("int64")
    T = sw.placeholder((12,), "int64", name="T")

    def follow(i, steps):
        for _ in range(steps):
            i = T[sw.bounded(i, 0, 12)]
        return i

    C = sw.compute((12,), lambda i: follow(T[i], 3), name="C")
    (got,) = run(sw.create_schedule(C), [T, C], "host", table)
    np.testing.assert_array_equal(got, table[table[table[table]]])


def test_a_histogram_of_a_stage_read_at_data_waits_for_all_of_it():
    A = sw.placeholder((8,), "int32", name="A")
    P = sw.compute((8,), lambda i: A[i] * 10, name="P")
    C = sw.compute((8,), lambda i: P[sw.bounded(7 - A[i], 0, 8)], name="C")
    a = np.arange(8, dtype="int32")
    (got,) = run(sw.create_schedule(C), [A, C], "host", a)
    np.testing.assert_array_equal(got, (a * 10)[7 - a])


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    rows=st.integers(1, 6),
    columns=st.integers(1, 20),
    factor=st.integers(1, 8),
    outer=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_random_orders_of_positions(rows, columns, factor, outer, seed):
    a = ties("int32", (rows, columns), seed)
    A, C, k = positions("argmin", "int32", (rows, columns))
    s = sw.create_schedule(C)
    ko, ki = s[C].split(k, factor=factor)
    if outer:
        s[C].reorder(ki, C.axis[0], ko)
    (got,) = run(s, [A, C], "host", a)
    np.testing.assert_array_equal(got, a.argmin(1))


@pytest.mark.parametrize("target", ["host", "c"])
def test_debug_names_the_value_that_breaks_a_promise(target):
    T = sw.placeholder((10,), name="T")
    I = sw.placeholder((4, 3), "int32", name="I")  # noqa: E741
    k = sw.reduce_axis((1, 3), name="k")
    C = sw.compute(
        (4,),
        lambda i: sw.sum(sw.select(i > 0, T[sw.bounded(I[i - 1, k], 2, 10)], 0), axis=k),
        name="C",
    )
    debug = sw.Options(debug=True)
    kernel = sw.build(sw.create_schedule(C), [T, I, C], target=target, options=debug)
    t, index = np.arange(10, dtype="float32"), np.full((4, 3), 5, "int32")
    index[3] = index[:, 0] = -7  # never read
    np.testing.assert_array_equal(kernel.run(t, index), [0, 10, 10, 10])
    index[1, 2] = 12
    with pytest.raises(sw.ArgumentMismatchError) as caught:
        kernel.run(t, index)
    assert "is 12 at i=2, k=2, promised 2 <= index < 10" in caught.value.why
    assert "test_reducers.py" in caught.value.why


def test_debug_looks_at_both_ends_of_a_promise():
    T = sw.placeholder((6,), name="T")
    I = sw.placeholder((3,), "int64", name="I")  # noqa: E741
    C = sw.compute((3,), lambda i: T[sw.bounded(I[i], 1, 5)], name="C")
    kernel = sw.build(sw.create_schedule(C), [T, I, C], options=sw.Options(debug=True))
    t = np.arange(6, dtype="float32")
    np.testing.assert_array_equal(kernel.run(t, np.array([1, 4, 2])), [1, 4, 2])
    for outside in (0, 5):  # both are elements of T
        with pytest.raises(sw.ArgumentMismatchError) as caught:
            kernel.run(t, np.array([1, 4, outside]))
        assert f"is {outside} at i=2, promised 1 <= index < 5" in caught.value.why


def test_debug_checks_what_an_index_is_made_of_first():
    """The reads of an index are safe when it is looked at: neither kernel leaves its tensors."""
    I = sw.placeholder((4,), "int64", name="I")  # noqa: E741
    P = sw.compute((4,), lambda i: I[sw.bounded(I[i], 0, 4)], name="P")
    C, _ = sw.compute((4,), lambda i: (I[sw.bounded(I[sw.bounded(P[i], 0, 4)], 0, 4)], i), name="C")
    s = sw.create_schedule(C)
    kernel = sw.build(s, [I, C], options=sw.Options(debug=True))
    good = np.array([1, 2, 3, 0])
    p = good[good]
    np.testing.assert_array_equal(kernel.run(good), good[good[p]])
    with pytest.raises(sw.ArgumentMismatchError, match="'P' reads") as caught:
        kernel.run(np.array([1, 2, 3, 2**60]))
    assert f"is {2**60} at i=3" in caught.value.why


def test_debug_of_the_environment(monkeypatch):
    I = sw.placeholder((2,), "int64", name="I")  # noqa: E741
    C = sw.compute((2,), lambda i: I[sw.bounded(I[i], 0, 2)], name="C")
    monkeypatch.setenv("SOLWAY_DEBUG", "1")
    kernel = sw.build(sw.create_schedule(C), [I, C])
    with pytest.raises(sw.ArgumentMismatchError):
        kernel.run(np.array([0, -1]))
    monkeypatch.setenv("SOLWAY_DEBUG", "0")
    np.testing.assert_array_equal(
        sw.build(sw.create_schedule(C), [I, C]).run(np.array([1, 0])), [0, 1]
    )


def test_a_promise_about_a_reduction():
    A = sw.placeholder((8,), "int32", name="A")
    k = sw.reduce_axis(3, name="k")
    C = sw.compute((4,), lambda i: A[sw.bounded(sw.sum(A[k + i], axis=k), 0, 8)], name="C")
    a = np.array([0, 1, 2, 1, 0, 0, 3, 4], "int32")
    expected = a[np.array([a[i : i + 3].sum() for i in range(4)])]
    for target in TARGETS:
        (got,) = run(sw.create_schedule(C), [A, C], target, a)
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("order", ["vectorize", "parallel", "split", "compute_at", "staged"])
def test_reads_at_data_under_primitives(order):
    rng = np.random.default_rng(12)
    table, index = rng.integers(-50, 50, (10,)).astype("int32"), rng.integers(0, 10, 16)
    T = sw.placeholder((10,), "int32", name="T")
    I = sw.placeholder((16,), "int64", name="I")  # noqa: E741
    P = sw.compute((16,), lambda i: I[i] + 0, name="P")
    C = sw.compute((16,), lambda i: T[sw.bounded(P[i], 0, 10)] + 1, name="C")
    s = sw.create_schedule(C)
    if order in ("vectorize", "parallel"):
        getattr(s[C], order)(C.axis[0])
    if order == "split":
        s[C].split(C.axis[0], factor=5)
    if order == "compute_at":
        outer, _ = s[C].split(C.axis[0], factor=4)
        s[P].compute_at(C, outer)
    if order == "staged":
        outer, inner = s[C].split(C.axis[0], factor=4)
        s.buffer_read(P, [inner])
    for target in ("host", "c"):
        (got,) = run(s, [T, I, C], target, table, index)
        np.testing.assert_array_equal(got, table[index] + 1)


def test_tuples_under_primitives():
    a = ties("int32", (9, 7), seed=13)
    A = sw.placeholder(a.shape, "int32", name="A")
    P, Q = sw.compute(a.shape, lambda i, j: (A[i, j] + 1, A[i, j] * 2), name="P")
    C = sw.compute(a.shape, lambda i, j: P[i, j] - Q[i, j], name="C")
    expected = 1 - a
    for place in ("compute_at", "buffers", "fuse_with", "parallel"):
        s = sw.create_schedule(C)
        outer, _ = s[C].split(C.axis[0], factor=4)
        if place == "compute_at":
            s[Q].compute_at(C, outer)
        if place == "buffers":
            s.buffer_write(Q, [P.axis[1]])
            s.buffer_read(P, [C.axis[1]])
        if place == "fuse_with":
            s = sw.create_schedule(C)
            s[P].fuse_with(C, C.axis[0])
        if place == "parallel":
            s[P].parallel(P.axis[0])
        for target in TARGETS:
            (got,) = run(s, [A, C], target, a)
            np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("buffered", [False, True])
def test_positions_in_parallel_and_in_buffers(target, buffered):
    a = ties("float32", (8, 16), seed=14)
    A, C, k = positions("argmax", "float32", a.shape)
    s = sw.create_schedule(C)
    s[C].parallel(C.axis[0])
    _, ki = s[C].split(k, factor=4)
    if buffered:
        s.buffer_read(A, [ki])
        s.buffer_write(C, [])
    (got,) = run(s, [A, C], target, a)
    np.testing.assert_array_equal(got, a.argmax(1))


def test_a_position_may_not_be_raced_for():
    A, C, k = positions("argmin", "float32")
    s = sw.create_schedule(C)
    try:
        s[C].parallel(k)
    except sw.Error:
        return
    a = ties("float32", (5, 12), seed=15)
    for target in TARGETS:
        try:
            (got,) = run(s, [A, C], target, a)
        except sw.UnsupportedError:
            continue
        np.testing.assert_array_equal(got, a.argmin(1))


@pytest.mark.parametrize("name", ["argmin", "argmax"])
@pytest.mark.parametrize("part", ["outer", "inner"])
def test_parts_of_positions(name, part):
    a = ties("float32", (5, 12), seed=16)
    a[2, 7] = a[2, 3] = np.nan
    A, C, k = positions(name, "float32")
    s = sw.create_schedule(C)
    outer, inner = s[C].split(k, factor=5)
    V, P = s.rfactor(C, outer if part == "outer" else inner)
    assert (V.name, P.name, P.dtype) == ("C_rf_0", "C_rf_1", np.int64)
    assert P.shape == ((3, 5) if part == "outer" else (5, 5))
    if part == "inner":
        s[P].vectorize(s[V].axis[-1])
    else:
        s[P].parallel(s[P].axis[0])
    same = {"outputs": [C], "sw": sw}
    exec(s.to_python(), same)
    assert str(same["s"]) == str(s)
    for target in TARGETS:
        (got,) = run(s, [A, C], target, a)
        np.testing.assert_array_equal(got, getattr(np, name)(a, axis=1))


@pytest.mark.parametrize("target", TARGETS)
def test_parts_of_tuples_and_parts_of_parts(target):
    a = ties("int64", (4, 24), seed=17)
    A = sw.placeholder(a.shape, "int64", name="A")
    k = sw.reduce_axis(24, name="k")
    both = sw.reducer(lambda x, y: (x[0] + y[0], sw.maximum(x[1], y[1])), (0, -100))
    S, X = sw.compute((4,), lambda i: both((A[i, k], A[i, k]), axis=k), name="S")
    s = sw.create_schedule([S, X])
    outer, rest = s[S].split(k, factor=12)
    middle, _ = s[S].split(rest, factor=4)
    first = s.rfactor(X, middle)
    s.rfactor(first[1], outer)
    got = run(s, [A, S, X], target, a)
    np.testing.assert_array_equal(got[0], a.sum(1))
    np.testing.assert_array_equal(got[1], a.max(1))


def test_parts_of_a_combine_function():
    a = ties("int64", (4, 24), seed=18)
    A = sw.placeholder(a.shape, "int64", name="A")
    k = sw.reduce_axis(24, name="k")
    largest = sw.reducer(lambda x, y: sw.maximum(x, y), -100)
    C = sw.compute((4,), lambda i: largest(A[i, k], axis=k), name="C", where=lambda i: i > 1)
    s = sw.create_schedule(C)
    s.rfactor(C, s[C].split(k, factor=7)[0])
    (got,) = run(s, [A, C], "host", a)
    np.testing.assert_array_equal(got[2:], a.max(1)[2:])
    D = sw.compute((4,), lambda i: sw.argmax(A[i, k], axis=k), name="D", where=lambda i: i > 1)
    s = sw.create_schedule(D)
    s.rfactor(D, s[D].split(k, factor=7)[0])
    (got,) = run(s, [A, D], "host", a)
    np.testing.assert_array_equal(got[2:], a.argmax(1)[2:])


def test_parts_of_a_reducer_that_does_not_commute_are_refused():
    A = sw.placeholder((8,), name="A")
    k = sw.reduce_axis(8, name="k")
    last = sw.reducer(lambda a, b: b, 0.0, commutative=False)
    C = sw.compute((), lambda: last(A[k], axis=k), name="C")
    s = sw.create_schedule(C)
    with pytest.raises(sw.UnsupportedError, match="keep their order"):
        s.rfactor(C, k)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_one_s_own_reducer_of_short_floats_rounds_once(dtype):
    H = sw.placeholder((2049,), dtype, name="H")
    q, r = sw.reduce_axis(2049, name="q"), sw.reduce_axis(2049, name="r")
    add = sw.reducer(lambda a, b: a + b, 0)
    own = sw.compute((), lambda: sw.cast(add(H[q], axis=q), "float32"), name="own")
    sums = sw.compute((), lambda: sw.cast(sw.sum(H[r], axis=r), "float32"), name="sums")
    h = np.full(2049, 0.5, "float16")
    h[:2] = [2048, 1]
    if dtype == "bfloat16":
        h = (h.astype("float32").view("uint32") >> 16).astype("uint16")
    got = sw.build(sw.create_schedule([own, sums]), [H, own, sums]).run(h)
    assert got == (3072, 3072)


def test_several_short_floats_are_rounded_once_each():
    H = sw.placeholder((9,), "float16", name="H")
    q = sw.reduce_axis(9, name="q")
    both = sw.reducer(lambda a, b: (a[0] + b[0], a[1] * b[1]), (0, 1))
    C = sw.compute((1,), lambda i: both((H[q], H[q]), axis=q), name="C")
    assert [t.dtype for t in C] == [np.float16, np.float16]
    for got in sw.build(sw.create_schedule(C), [H, *C]).run(np.full(9, 2, "f2")):
        assert got.dtype == np.float16 and got[0] in (18, 512)


#: Rows of fewer terms than a vector has lanes, of whole vectors, and of one more.
LENGTHS = [1, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 100, 333, 1030]


def plan(output, target):
    s = sw.create_schedule(output)
    s.auto_schedule(target, search=False)
    return GuardedKernel(sw.build(s, target=target))


@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
@pytest.mark.parametrize("name", ["argmin", "argmax"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "int8"])
def test_planned_positions_are_numpys(dtype, name, target):
    if not runs(target):
        pytest.skip(f"needs {target}")
    for length in LENGTHS:
        a = ties(dtype, (7, length), seed=length)
        if dtype.startswith("float"):
            a[1, length // 2 :] = np.nan
            a[2] = np.inf
            a[3] = -np.inf
            a[4, -1] = np.nan
        for axis in (1, 0):
            A = sw.placeholder(a.shape, dtype, name="A")
            k = sw.reduce_axis(a.shape[axis], name="k")
            C = sw.compute(
                (a.shape[1 - axis],),
                lambda i, A=A, k=k, axis=axis: getattr(sw, name)(
                    A[i, k] if axis == 1 else A[k, i], axis=k
                ),
                name="C",
            )
            got = plan(C, target).run(a)
            np.testing.assert_array_equal(got, getattr(np, name)(a, axis=axis), err_msg=f"{length}")


@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
def test_lanes_of_tuples_combine_apart(target):
    """Sums, squares and counts: each term must be in one lane, and no identity in any."""
    if not runs(target):
        pytest.skip(f"needs {target}")
    moments = sw.reducer(
        lambda a, b: tuple(x + y for x, y in zip(a, b, strict=True)), (0, 0, 0), name="moments"
    )
    for length in LENGTHS:
        a = np.random.default_rng(length).integers(-9, 10, (5, length)).astype("int32")
        A = sw.placeholder(a.shape, "int32", name="A")
        k = sw.reduce_axis(length, name="k")
        outs = sw.compute(
            (5,),
            lambda i, A=A, k=k: moments((A[i, k], A[i, k] * A[i, k], 1), axis=k),
            name="M",
        )
        s = sw.create_schedule(outs)
        s[outs[0]].vectorize("k")
        kernel = GuardedKernel(sw.build(s, target=target))
        assert kernel.report() == () or length < 16
        got = kernel.run(a)
        expected = (a.sum(1), (a * a).sum(1), np.full(5, length))
        for g, e in zip(got, expected, strict=True):
            np.testing.assert_array_equal(g, e, err_msg=f"{length}")


@pytest.mark.skipif(not runs("x86-64-v4"), reason="needs AVX-512")
def test_positions_along_rows_and_columns_are_planned_in_vectors():
    for shape, axis in (((50, 1000), 1), ((1000, 512), 0)):
        A = sw.placeholder(shape, name="A")
        k = sw.reduce_axis(shape[axis], name="k")
        C = sw.compute(
            (shape[1 - axis],),
            lambda i, A=A, k=k, axis=axis: sw.argmax(A[i, k] if axis == 1 else A[k, i], axis=k),
            name="C",
        )
        s = sw.create_schedule(C)
        s.auto_schedule("x86-64-v4", search=False)
        kernel = sw.build(s, target="x86-64-v4")
        assert kernel.report() == ()
        code = "\n".join(text for name, text in kernel.source.items() if name.endswith(".s"))
        assert "vpblendmq" in code or "vmovdqa64" in code
        assert "gather" not in code
        assert ("int32[" in kernel.ir) == (axis == 1)  # lanes of a row hold positions so


@pytest.mark.parametrize("target", ["host", "x86-64-v3"])
@pytest.mark.parametrize("dtype", ["float32", "int32", "float64"])
def test_lanes_of_one_value_combine_apart(dtype, target):
    """A function that no declared reduction is: the largest magnitude, with its sign."""
    if not runs(target):
        pytest.skip(f"needs {target}")
    farthest = sw.reducer(
        lambda a, b: sw.select(sw.abs(b) > sw.abs(a), b, sw.select(sw.abs(b) < sw.abs(a), a, b)), 0
    )
    for length in LENGTHS:
        a = np.random.default_rng(length).permutation(5 * length).reshape(5, length) + 1
        a = (a * np.where(a % 3 == 0, -1, 1)).astype(dtype)
        A = sw.placeholder(a.shape, dtype, name="A")
        k = sw.reduce_axis(length, name="k")
        C = sw.compute((5,), lambda i, A=A, k=k: farthest(A[i, k], axis=k), name="C")
        kernel = plan(C, target)
        expected = a[np.arange(5), np.abs(a).argmax(1)]
        np.testing.assert_array_equal(kernel.run(a), expected, err_msg=f"{length}")
        if length >= 100:
            assert "state_" in kernel.ir


def test_one_value_whose_order_counts_runs_in_order():
    A = sw.placeholder((200,), "int32", name="A")
    k = sw.reduce_axis(200, name="k")
    last = sw.reducer(lambda a, b: sw.select(b % 7 == 0, a, b), 0, commutative=False)
    C = sw.compute((), lambda: last(A[k], axis=k), name="C")
    a = np.arange(200, dtype=np.int32)[::-1].copy()
    kernel = plan(C, "host")
    assert "state_" not in kernel.ir
    assert kernel.run(a) == 1
