"""Recurrences, domains and updates: values on every target, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.oracle import evaluate

TARGETS = ("host", "c", "sw26010")


def check(outputs, inputs, target, schedule=None, dtype=None):
    """Runs a schedule of whole numbers and compares with the definition, exactly."""
    rng = np.random.default_rng(3)
    s = schedule or sw.create_schedule(outputs)
    arrays = [rng.integers(-3, 4, t.shape).astype(t.dtype) for t in inputs]
    own = [t for t in outputs if root(t) not in inputs]
    results = [np.full(t.shape, 77, t.dtype) for t in own]
    given = {t: a.copy() for t, a in zip(inputs, arrays, strict=True)}
    sw.build(s, [*inputs, *own], target=target)(*arrays, *results)
    held = dict(zip([*inputs, *own], [*arrays, *results], strict=True))
    for tensor in outputs:
        array = held[tensor] if tensor in held else held[root(tensor)]
        expected = evaluate(tensor, given, outside=77).astype(tensor.dtype)
        np.testing.assert_array_equal(array, expected, err_msg=f"{tensor}\n{s}")


def root(tensor):
    node = tensor._node
    while node.base is not None:
        node = node.base
    return sw.Tensor(node)


def stencil(steps, n, dtype="int64"):
    A = sw.placeholder((n,), dtype, name="A")
    H = sw.recurrence(
        (steps, n),
        lambda H, t, i: sw.select(
            t == 0,
            A[i],
            sw.select(
                sw.all_of(i > 0, i < n - 1),
                H[t - 1, i - 1] - H[t - 1, i] * 2 + H[t - 1, i + 1],
                H[t - 1, i],
            ),
        ),
        dtype,
    )
    return A, H


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["int64", "int32", "float32"])
def test_time_stepped_stencil(target, dtype):
    A, H = stencil(4, 9, dtype)
    check([H], [A], target)
    s = sw.create_schedule(H)
    s[H].split("i", factor=4)
    s[H].vectorize("i.i")
    check([H], [A], target, s)


def test_space_cannot_go_before_time():
    _, H = stencil(4, 9)
    s = sw.create_schedule(H)
    with pytest.raises(sw.IllegalScheduleError) as caught:
        s[H].reorder("i", "t")
    assert caught.value.source == ("H", (("t", 0), ("i", 2)))
    assert caught.value.sink == ("H", (("t", 1), ("i", 1)))
    assert caught.value.tensor == "H"
    with pytest.raises(sw.IllegalScheduleError):
        s[H].parallel("t")
    s[H].parallel("i")


@pytest.mark.parametrize("target", TARGETS)
def test_scan(target):
    A = sw.placeholder((9,), "int32", name="A")
    S = sw.recurrence((9,), lambda S, i: A[i] + sw.select(i > 0, S[i - 1], 0), "int32")
    D = sw.compute((9,), lambda i: S[8 - i] * 2 - A[i], name="D")
    check([D], [A], target)


@pytest.mark.parametrize("target", TARGETS)
def test_reductions_over_earlier_elements(target):
    k = sw.reduce_axis(7, name="k")
    A = sw.placeholder((7, 7), "int64", name="A")
    x = sw.recurrence(
        (7,),
        lambda x, i: 1 - sw.sum(sw.select(k < i, A[i, k] * x[k], 0), axis=k),
        "int64",
        name="x",
    )
    m = sw.reduce_axis(7, name="m")
    y = sw.recurrence(
        (7,), lambda y, i: sw.max(sw.select(m < i, y[m] + A[m, i], x[m]), axis=m), "int64", name="y"
    )
    check([y], [A], target)


@pytest.mark.parametrize("target", TARGETS)
def test_a_guarded_reduction_runs_where_it_is_needed(target):
    A = sw.placeholder((5, 4), "int64", name="A")
    k = sw.reduce_axis(4, name="k")
    C = sw.compute(
        (7,),
        lambda i: sw.select(sw.all_of(i > 0, i < 6), sw.sum(A[i - 1, k], axis=k), -1) + 1,
        name="C",
    )
    check([C], [A], target)
    assert str(sw.create_schedule(C)) == (
        "For i in range(7)\n"
        "  If i >= 1 and i <= 5\n"
        "    C_r0[i - 1] = 0\n"
        "    For k in range(4)\n"
        "      C_r0[i - 1] += A[i - 1, k]\n"
        "  C[i] = select(i > 0 and i < 6, C_r0[i - 1], -1) + 1\n"
    )


@pytest.mark.parametrize("op", ["sum", "prod", "min", "max"])
def test_terms_that_are_the_identity_are_left_out(op):
    A = sw.placeholder((6, 6), "int64", name="A")
    k = sw.reduce_axis(6, name="k")
    low, high = -(2**63), 2**63 - 1
    identity = {"sum": 0, "prod": 1, "min": high, "max": low}[op]
    reduce = getattr(sw, op)
    C = sw.compute((6,), lambda i: reduce(sw.select(k < i, A[i, k], identity), axis=k), name="C")
    check([C], [A], "host")
    assert "For k in range(i)\n" in str(sw.create_schedule(C))
    other = sw.compute((6,), lambda i: reduce(sw.select(k < i, A[i, k], 2), axis=k), name="C")
    check([other], [A], "host")
    assert "For k in range(6)\n" in str(sw.create_schedule(other))


def test_a_recurrence_reads_lexicographically_earlier_elements():
    n = 6
    A = sw.placeholder((n, n), "int64", name="A")

    def body(W, i, j):  # a wavefront, and the whole row above
        up = sw.select(i > 0, W[i - 1, n - 1 - j], 0)
        return A[i, j] + up + sw.select(j > 0, W[i, j - 1], 1)

    W = sw.recurrence((n, n), body, "int64", name="W")
    check([W], [A], "host")


def test_domains_of_computes():
    n = 8
    A = sw.placeholder((n, n), "int64", name="A")
    for where in (
        lambda i, j: j <= i,
        lambda i, j: sw.any_of(i + j < 5, i == j),
        lambda i, j: sw.all_of(i % 3 == 1, j > 2),
        lambda i, j: i != 4,
        lambda i, j: i == 3,
        lambda i, j: False,
        lambda i, j: i > 100,
    ):
        for target in TARGETS:
            L = sw.compute((n, n), lambda i, j: A[i, j] * 2, where=where, name="L")
            check([L], [A], target)


@pytest.mark.parametrize("target", TARGETS)
def test_domains_of_intermediates_and_reductions(target):
    n = 7
    A = sw.placeholder((n, n), "int64", name="A")
    k = sw.reduce_axis(n, name="k")
    L = sw.compute((n, n), lambda i, j: A[i, j] - A[j, i], where=lambda i, j: j <= i, name="L")
    C = sw.compute(
        (n, n),
        lambda i, j: sw.sum(sw.select(k <= sw.minimum(i, j), L[i, k] * L[j, k], 0), axis=k),
        where=lambda i, j: j <= i,
        name="C",
    )
    check([C, L], [A], target)


def test_a_domain_of_a_recurrence():
    n = 8
    P = sw.recurrence(
        (n, n),
        lambda P, i, j: sw.select(sw.any_of(j == 0, j == i), 1, P[i - 1, j - 1] + P[i - 1, j]),
        "int64",
        where=lambda i, j: j <= i,
        name="P",
    )
    for target in TARGETS:
        check([P], [], target)
    got = sw.build(sw.create_schedule(P), [P]).run()
    assert got[7].tolist() == [1, 7, 21, 35, 35, 21, 7, 1]
    assert np.array_equal(got, np.tril(got)), "run starts from zeros"


@pytest.mark.parametrize("target", TARGETS)
def test_triangular_loops_in_tiles_and_vectors(target):
    n = 11
    A = sw.placeholder((n, n), "int32", name="A")

    def make():
        L = sw.compute((n, n), lambda i, j: A[i, j] * 2, where=lambda i, j: j <= i, name="L")
        return L, sw.create_schedule(L)

    L, s = make()
    s[L].tile("i", "j", 4, 4)
    s[L].vectorize("j.i")
    check([L], [A], target, s)
    L, s = make()
    s[L].vectorize("j")
    check([L], [A], target, s)
    L, s = make()
    s[L].reorder("j", "i")
    s[L].unroll("i")
    check([L], [A], target, s)
    L, s = make()
    s[L].fuse("i", "j")
    check([L], [A], target, s)
    L, s = make()
    s[L].parallel("i")
    s[L].unroll("j")
    check([L], [A], target, s)
    L, s = make()
    s[L].parallel("j")
    check([L], [A], target, s)


@pytest.mark.parametrize("target", TARGETS)
def test_buffers_of_triangles(target):
    n = 12
    A = sw.placeholder((n, n), "int32", name="A")
    k = sw.reduce_axis(n, name="k")
    C = sw.compute(
        (n, n), lambda i, j: sw.sum(A[i, k] * A[j, k], axis=k), where=lambda i, j: j <= i, name="C"
    )
    s = sw.create_schedule(C)
    _, _, jo, _ = s[C].tile("i", "j", 4, 4)
    s.buffer_read(A, at=jo)
    s.buffer_write(C, at=jo)
    check([C], [A], target, s)


@pytest.mark.parametrize("target", TARGETS)
def test_gauss_seidel(target):
    n = 7
    A = sw.placeholder((n, n), "int64", name="A")
    A2 = sw.update(
        A,
        (3, n - 2, n - 2),
        lambda t, i, j: (i + 1, j + 1),
        lambda t, i, j: A[i, j + 1] - A[i + 1, j] + A[i + 2, j + 1] - A[i + 1, j + 2],
    )
    check([A2], [A], target)


@pytest.mark.parametrize("target", TARGETS)
def test_updates_of_updates_and_of_computes(target):
    n = 6
    A = sw.placeholder((n, n), "int64", name="A")
    B = sw.compute((n, n), lambda i, j: A[i, j] * 2, name="B")
    before = sw.compute((n,), lambda i: B[i, i] + 1, name="before")
    B2 = sw.update(
        B,
        (n, n),
        lambda i, j: (j, i),
        lambda i, j: B[i, j] + B[j, i] - before[i],
        where=lambda i, j: j < i,
    )
    between = sw.compute((n,), lambda i: B2[0, i] - B2[i, 0], name="between")
    B3 = sw.update(B2, n, lambda i: (i, 0), lambda i: between[i] + B2[0, i])
    after = sw.compute((n,), lambda i: B3[i, 0] * before[i], name="after")
    assert B3.name == "B3"
    check([after, B3], [A], target)
    check([B3, after], [A], target)


@pytest.mark.parametrize("target", TARGETS)
def test_an_update_may_store_one_element_often(target):
    A = sw.placeholder((3, 5), "int64", name="A")
    S = sw.placeholder((3,), "int64", name="S")
    S2 = sw.update(S, (3, 5), lambda i, j: (i,), lambda i, j: S[i] * 2 + A[i, j])
    check([S2], [A, S], target)
    H = sw.placeholder((6,), "int64", name="H")
    H2 = sw.update(H, (3, 5), lambda i, j: (i + j) // 2, lambda i, j: H[(i + j) // 2] + A[i, j])
    check([H2], [A, H], target)


@pytest.mark.parametrize("target", TARGETS)
def test_the_value_of_an_update_may_hold_reductions(target):
    n = 6
    A = sw.placeholder((n, n), "int64", name="A")
    k = sw.reduce_axis(n, name="k")
    A2 = sw.update(
        A,
        (n, n),
        lambda i, j: (i, j),
        lambda i, j: sw.sum(sw.select(k < j, A[i, k] - A[k, j], 1), axis=k),
        where=lambda i, j: j <= i,
    )
    check([A2], [A], target)


def test_stages_that_read_before_an_update_stay_before_it():
    A = sw.placeholder((8,), "int64", name="A")
    B = sw.compute((8,), lambda i: A[7 - i] + 1, name="B")
    A2 = sw.update(A, 8, lambda i: i, lambda i: A[i] * 10)
    for outputs in ([A2, B], [B, A2]):
        check(outputs, [A], "host")
    C = sw.compute((8,), lambda i: A2[i] + B[i], name="C")
    check([C], [A], "host")


def test_a_call_changes_the_callers_array_and_run_keeps_it():
    A = sw.placeholder((4,), "int32", name="A")
    A2 = sw.update(A, 4, lambda i: i, lambda i: A[i] + 1)
    k = sw.build(sw.create_schedule(A2), [A])
    assert [a.role for a in k.arguments] == ["inout"]
    given = np.arange(4, dtype="int32")
    assert k.run(given).tolist() == [1, 2, 3, 4]
    assert given.tolist() == [0, 1, 2, 3]
    k(given)
    assert given.tolist() == [1, 2, 3, 4]
    given.flags.writeable = False
    with pytest.raises(sw.ArgumentMismatchError):
        k(given)


def test_printed_forms():
    A = sw.placeholder((8, 8), "int64", name="A")
    A2 = sw.update(
        A, (8, 8), lambda i, j: (j, i), lambda i, j: A[i, j] * 2, where=lambda i, j: i < j
    )
    assert str(A2) == "A2: int64[8, 8] = [i, j] A[j, i] <- A[i, j] * 2 where i < j"
    L = sw.compute((8, 8), lambda i, j: A2[i, j], where=lambda i, j: j <= i, name="L")
    assert str(sw.create_schedule(L)) == (
        "For i in range(7)\n"
        "  For j in range(i + 1, 8)\n"
        "    A[j, i] = A[i, j]*2\n"
        "For i in range(8)\n"
        "  For j in range(i + 1)\n"
        "    L[i, j] = A[i, j]\n"
    )


def test_default_names_of_updates():
    A = sw.placeholder(4, name="A")
    B = sw.update(A, 4, lambda i: i, lambda i: 0.0)
    A = sw.update(B, 4, lambda i: i, lambda i: 1.0)
    (C,) = [sw.update(A, 4, lambda i: i, lambda i: 2.0)]
    assert [B.name, A.name, C.name] == ["B", "A_2", "A_3"]


def test_the_planner_keeps_the_order_that_another_one_would_break():
    A = sw.placeholder((16,), "int32", name="A")
    H = sw.recurrence(
        (8, 16), lambda H, t, i: sw.select(t == 0, A[i], H[t - 1, (i + 1) % 16] * 2), "int32"
    )
    s = sw.create_schedule(H)
    planned = s.auto_buffer("sw26010", planner="greedy")
    # No loop is moved, cut or shared out.
    assert {step.primitive for step in s.log} == {"buffer_read", "buffer_write"}
    assert any("keeps the order of its loops" in verdict for _, verdict, _ in planned.remarks)
    check([H], [A], "sw26010", s)


@pytest.mark.parametrize("target", ["host", "sw26010"])
def test_buffers_of_what_changes_in_place(target):
    A = sw.placeholder((16, 32), "int32", name="A")
    A2 = sw.update(A, (16, 32), lambda i, j: (i, j), lambda i, j: A[i, j] * 2 + 1)
    B = sw.compute((16, 32), lambda i, j: A2[i, j] - A2[15 - i, j], name="B")
    s = sw.create_schedule([B, A2])
    s[A2].parallel("i")
    s.buffer_write(A2, ["j"])
    s[B].parallel("i")
    s.buffer_read(A2, ["j"], at="i", readers=[B])
    check([B, A2], [A], target, s)
    text = s.to_python()
    names = {"sw": sw, "outputs": [B, A2]}
    exec(text, names)
    assert str(names["s"]) == str(s)
