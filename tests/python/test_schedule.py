"""Primitives from Python: loops, text, log and refusals."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import solway as sw

A = sw.placeholder((6, 8), name="A")
B = sw.placeholder((8, 6), name="B")


def matmul():
    """C = A B, its schedule and its reduction axis."""
    k = sw.reduce_axis(8, name="k")
    C = sw.compute((6, 6), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return C, sw.create_schedule(C), k


def chain():
    """Two stages: D doubles the transpose of A, E adds B."""
    D = sw.compute((8, 6), lambda i, j: A[j, i] * 2, name="D")
    E = sw.compute((8, 6), lambda x, y: D[x, y] + B[x, y], name="E")
    return D, E, sw.create_schedule(E)


def names(loops):
    return [loop.name for loop in loops]


def refused(error, function, s, why, what=""):
    """Asserts that `function` raises `error` at its line, saying `why`, and leaves `s` alone."""
    before = str(s), s.log, s.tree
    with pytest.raises(sw.Error) as caught:
        function()
    e = caught.value
    assert type(e) is error, f"{type(e).__name__}: {e}"
    assert why in e.why, e.why
    assert what in e.what, e.what
    first = inspect.getsourcelines(function)[1]
    assert (e.where.file, e.where.line) == (__file__, first)
    assert (str(s), s.log, s.tree) == before
    return e


def test_every_stage_starts_as_it_was_written():
    C, s, _ = matmul()
    assert names(s[C].axis) == ["i", "j"] and names(s[C].reduce_axis) == ["k"]
    assert str(s) == (
        "For i in range(6)\n"
        "  For j in range(6)\n"
        "    C[i, j] = 0.0\n"
        "    For k in range(8)\n"
        "      C[i, j] += A[i, k]*B[k, j]\n"
    )
    assert s.log == ()


def test_figure_2b():
    M, K, N = 1, 1024, 1024
    A = sw.placeholder((M, K), name="A")
    B = sw.placeholder((K, N), name="B")
    k = sw.reduce_axis((0, K), name="k")
    C = sw.compute((M, N), lambda x, y: sw.sum(A[x, k] * B[k, y], axis=k), name="C")
    s = sw.create_schedule(C.op)
    yo, yi = s[C].split(C.op.axis[1], 128)
    ko, ki = s[C].split(k, 64)
    s[C].reorder(yo, ko, yi, ki)
    assert str(s) == (
        "For x in range(1)\n"
        "  For y.o in range(8)\n"
        "    For y.i in range(128)\n"
        "      C[x, y.o*128 + y.i] = 0.0\n"
        "    For k.o in range(16)\n"
        "      For y.i in range(128)\n"
        "        For k.i in range(64)\n"
        "          C[x, y.o*128 + y.i] += A[x, k.o*64 + k.i]*B[k.o*64 + k.i, y.o*128 + y.i]\n"
    )


def test_figure_4():
    v1 = sw.placeholder((1024,), name="v1")
    v2 = sw.placeholder((1024,), name="v2")
    v = sw.compute((1024,), lambda i: v1[i] + v2[i], name="v")
    s = sw.create_schedule(v.op)
    assert str(s) == "For i in range(1024)\n  v[i] = v1[i] + v2[i]\n"
    s[v].athread_parallel(v.op.axis[0])
    assert str(s) == (
        "Id = get_id()\n"
        "Let i.begin = min(Id*ceil(1024/cores), 1024)\n"
        "Let i.end = min(i.begin + ceil(1024/cores), 1024)\n"
        "For i in range(i.begin, i.end)  # parallel\n"
        "  v[i] = v1[i] + v2[i]\n"
    )
    assert [step.primitive for step in s.log] == ["parallel"]


def test_split_by_a_factor():
    C, s, k = matmul()
    ko, ki = s[C].split(k, factor=4)
    assert (ko.name, ki.name) == ("k.o", "k.i")
    assert s[C].reduce_axis == (ko, ki)
    assert "For k.o in range(2)\n      For k.i in range(4)\n" in str(s)


def test_split_into_parts():
    C, s, k = matmul()
    s[C].split(k, parts=3)
    assert "For k.o in range(3)" in str(s)
    assert [str(step) for step in s.log] == ["k.o, k.i = s[C].split(k, factor=3)"]


def test_split_into_more_parts_than_iterations():
    C, s, k = matmul()
    s[C].split(k, parts=100)
    assert "For k.o in range(8)\n      For k.i in range(1)\n" in str(s)


def test_split_by_what_does_not_divide_guards_the_last_block():
    C, s, _ = matmul()
    s[C].split("i", 4)
    assert "For i.o in range(2)\n" in str(s)
    a, b = np.arange(48.0).reshape(6, 8), np.arange(48.0).reshape(8, 6)
    got = sw.build(s, [A, B, C]).run(a.astype("f4"), b.astype("f4"))
    np.testing.assert_array_equal(got, a @ b)


@pytest.mark.parametrize("factor", [7, 1000, 2**62, np.int64(6)])
def test_split_by_the_extent_or_more_makes_one_block(factor):
    C, s, _ = matmul()
    s[C].split("i", factor)
    assert "For i.o in range(1)\n  For i.i in range(6)\n" in str(s)


def test_axes_are_given_as_objects_loops_and_names():
    texts = set()
    for pick in (lambda C, s: C.axis[1], lambda C, s: C.op.axis[1], lambda C, s: s[C].axis[1]):
        C, s, _ = matmul()
        s[C].split(pick(C, s), 2)
        texts.add(str(s))
    C, s, _ = matmul()
    s[C].split("j", 2)
    assert texts == {str(s)}


def test_tile():
    C, s, _ = matmul()
    loops = s[C].tile("i", "j", 2, 3)
    assert names(loops) == ["i.o", "j.o", "i.i", "j.i"]
    assert s[C].axis == loops
    assert [step.primitive for step in s.log] == ["split", "split", "reorder"]


def test_a_tile_that_is_refused_halfway_changes_nothing():
    C, s, _ = matmul()
    refused(
        sw.ScheduleArgumentError,
        lambda: s[C].tile("i", "j", 2, 0),
        s,
        "a block of 0 iterations is empty",
    )


def test_fuse():
    _, E, s = chain()
    fused = s[E].fuse("x", "y")
    assert fused.name == "x.y" and s[E].axis == (fused,)
    assert "For x.y in range(48)\n" in str(s)


def test_reorder_moves_only_the_named_loops():
    C, s, k = matmul()
    s[C].reorder(k, "j", "i")
    assert str(s) == (
        "For j in range(6)\n"
        "  For i in range(6)\n"
        "    C[i, j] = 0.0\n"
        "For k in range(8)\n"
        "  For j in range(6)\n"
        "    For i in range(6)\n"
        "      C[i, j] += A[i, k]*B[k, j]\n"
    )
    assert names(s[C].axis) == ["j", "i"]
    D, _, s = chain()
    s[D].tile("i", "j", 4, 2)
    s[D].reorder("j.i", "i.o")
    assert names(s[D].axis) == ["j.i", "j.o", "i.i", "i.o"]


def test_marks_show_in_the_text():
    C, s, k = matmul()
    s[C].parallel("i")
    s[C].vectorize("j")
    s[C].unroll(k)
    text = str(s)
    assert "For i in range(i.begin, i.end)  # parallel\n" in text
    assert "# vectorized\n" in text and "For k in range(8)  # unrolled\n" in text


def test_loops_of_another_schedule_are_not_equal():
    C, s, _ = matmul()
    other = sw.create_schedule(C)
    assert s[C].axis[0] == s[C].axis[0] and hash(s[C].axis[0]) == hash(s[C].axis[0])
    assert s[C].axis[0] != other[C].axis[0] and s[C].axis[0] != s[C].axis[1]
    assert s[C].axis[0] != "i"


@pytest.mark.parametrize("pick", [lambda C: C.axis[0], lambda C: C.op.axis[0]])
def test_an_axis_that_was_split_is_gone(pick):
    C, s, _ = matmul()
    s[C].split("i", 2)
    line = inspect.currentframe().f_lineno - 1
    e = refused(
        sw.ScheduleArgumentError,
        lambda: s[C].split(pick(C), 2),
        s,
        "replaced it by 'i.o', 'i.i'",
        "axis 'i' is no longer there",
    )
    assert f"{__file__}:{line} " in e.why


def test_a_loop_that_was_fused_is_gone():
    _, E, s = chain()
    x = s[E].axis[0]
    s[E].fuse("x", "y")
    refused(sw.ScheduleArgumentError, lambda: s[E].unroll(x), s, "replaced it by 'x.y'")


def test_a_name_that_is_no_loop():
    C, s, _ = matmul()
    refused(sw.ScheduleArgumentError, lambda: s[C].unroll("z"), s, "its loops are 'i', 'j', 'k'")


def test_what_is_no_axis():
    C, s, _ = matmul()
    refused(sw.ScheduleArgumentError, lambda: s[C].unroll(0), s, "got int, not an axis")


def test_an_axis_of_another_stage():
    D, E, s = chain()
    refused(sw.ScheduleArgumentError, lambda: s[E].unroll(D.axis[0]), s, "it belongs to 'D'")
    refused(sw.ScheduleArgumentError, lambda: s[E].unroll(s[D].axis[0]), s, "it belongs to 'D'")


def test_an_axis_of_another_program():
    _, E, s = chain()
    C, _, k = matmul()
    for axis in (C.axis[0], k):
        refused(sw.ScheduleArgumentError, lambda a=axis: s[E].unroll(a), s, "no axis of this")


def test_a_loop_of_another_schedule():
    C, s, _ = matmul()
    i = sw.create_schedule(C)[C].axis[0]
    refused(sw.ScheduleArgumentError, lambda: s[C].unroll(i), s, "a loop of another schedule")


def test_a_tensor_that_is_no_stage():
    _, s, _ = matmul()
    refused(sw.ScheduleArgumentError, lambda: s[A], s, "it is an input")
    refused(sw.ScheduleArgumentError, lambda: s[sw.compute((2,), lambda i: i)], s, "no output")
    refused(sw.ScheduleArgumentError, lambda: s["C"], s, "got 'C'")


@pytest.mark.parametrize(
    ("factor", "why"),
    [
        (0, "a block of 0 iterations is empty"),
        (-3, "a block of -3 iterations is empty"),
        (2.5, "got 2.5"),
        (True, "got True"),
        ("2", "got '2'"),
        (2**70, f"got {2**70}"),
    ],
)
def test_factors_that_are_no_factors(factor, why):
    C, s, _ = matmul()
    refused(sw.ScheduleArgumentError, lambda: s[C].split("i", factor), s, why)


def test_arguments_of_split():
    C, s, _ = matmul()
    refused(sw.ScheduleArgumentError, lambda: s[C].split("i"), s, "got neither")
    refused(sw.ScheduleArgumentError, lambda: s[C].split("i", 2, parts=2), s, "factor=2 and parts=")
    refused(sw.ScheduleArgumentError, lambda: s[C].split("i", parts=0), s, "not positive")
    refused(sw.ScheduleArgumentError, lambda: s[C].split("i", parts=1.5), s, "got 1.5")
    refused(sw.ScheduleArgumentError, lambda: s[C].split("i", 2, tail="pad"), s, "'guard'")


def test_reorder_of_an_axis_twice():
    C, s, _ = matmul()
    refused(
        sw.ScheduleArgumentError,
        lambda: s[C].reorder("i", "j", "i"),
        s,
        "each axis has one place",
        "axis 'i' is named twice",
    )


def test_fuse_of_what_are_no_neighbours():
    C, s, k = matmul()
    refused(sw.ScheduleArgumentError, lambda: s[C].fuse("j", "i"), s, "only neighbouring loops")
    refused(sw.ScheduleArgumentError, lambda: s[C].fuse("i", k), s, "only neighbouring loops")
    refused(sw.ScheduleArgumentError, lambda: s[C].fuse("i"), s, "got 1")
    refused(sw.ScheduleArgumentError, lambda: s[C].fuse(), s, "got 0")


def test_a_second_mark():
    C, s, _ = matmul()
    s[C].unroll("i")
    refused(sw.ScheduleArgumentError, lambda: s[C].parallel("i"), s, "it is unrolled since")


def test_parallel_of_a_reduction():
    C, s, k = matmul()
    e = refused(sw.IllegalScheduleError, lambda: s[C].parallel(k), s, "C[i=0, j=0, k=1] writes")
    assert "rfactor" in e.fix


def test_one_name_for_two_tensors():
    X = sw.compute((4,), lambda i: 1.0, name="X")
    Y = sw.compute((4,), lambda i: X[i] + 1, name="X")
    with pytest.raises(sw.DslError, match="'X'"):
        sw.create_schedule(Y)


def test_outputs_that_are_none():
    for outputs in (A, []):
        with pytest.raises(sw.Error):
            sw.create_schedule(outputs)
    for outputs in (3, ["C"], None):
        with pytest.raises(sw.ScheduleArgumentError) as caught:
            sw.create_schedule(outputs)
        assert caught.value.what == "only tensors can be scheduled"


def test_two_outputs():
    X = sw.compute((4,), lambda i: A[0, i] + 1, name="X")
    Y = sw.compute((4,), lambda i: A[1, i] + 2, name="Y")
    s = sw.create_schedule([X, Y])
    assert names(s[X].axis) == ["i"] and names(s[Y].axis) == ["i"]
    s[X].split(X.axis[0], 2)
    assert names(s[Y].axis) == ["i"]


def test_legal_answers_and_changes_nothing():
    C, s, k = matmul()
    i, j = s[C].axis
    before = str(s), s.log, s.tree
    yes = s.legal("split", C, i, factor=4)
    assert yes and yes.error is None and repr(yes) == "legal"
    assert s.legal("reorder", C, j, i) and s.legal("tile", C, "i", "j", 2, 2)
    no = s.legal("parallel", C, k)
    assert not no and type(no.error) is sw.IllegalScheduleError
    assert no.error.where.text == 'no = s.legal("parallel", C, k)'
    assert not s.legal("split", C, "i", 0)
    assert (str(s), s.log, s.tree) == before
    assert s[C].axis == (i, j)


def test_legal_of_what_is_no_primitive():
    C, s, _ = matmul()
    for name in ("axis", "_id", "shuffle"):
        refused(sw.ScheduleArgumentError, lambda n=name: s.legal(n, C), s, "the primitives are")


def test_the_log_holds_the_users_lines():
    C, s, k = matmul()
    first = inspect.currentframe().f_lineno
    i, j, ii, jj = s[C].tile("i", "j", 2, 3)
    ko, ki = s[C].split(k, parts=2)
    s[C].reorder(i, j, ko, ii, jj, ki)
    s[C].vectorize(jj)
    assert [str(step) for step in s.log] == [
        "i.o, i.i = s[C].split(i, factor=2)",
        "j.o, j.i = s[C].split(j, factor=3)",
        "s[C].reorder(i.o, j.o, i.i, j.i)",
        "k.o, k.i = s[C].split(k, factor=4)",
        "s[C].reorder(i.o, j.o, k.o, i.i, j.i, k.i)",
        "s[C].vectorize(j.i)",
    ]
    assert {step.where[0] for step in s.log} == {__file__}
    assert [step.where[1] - first for step in s.log] == [1, 1, 1, 2, 3, 4]
    assert s.log[-1].where[2] == "s[C].vectorize(jj)"


def test_the_initialisation_stands_before_the_outermost_reduction_loop():
    k = sw.reduce_axis(8, name="k")
    D = sw.compute((6,), lambda i: sw.sum(A[i, k], axis=k) * 2, name="D")
    s = sw.create_schedule(D)
    s[D].reorder(k, "i")
    a = np.arange(48, dtype="float32").reshape(6, 8)
    np.testing.assert_array_equal(sw.build(s, [A, D]).run(a), a.sum(axis=1) * 2)


def test_two_loops_of_one_name_are_told_apart():
    A = sw.placeholder((16,), name="A")
    F = sw.compute((16,), lambda i: A[i] * 2, name="F")
    G = sw.compute((16,), lambda i: F[i] - F[15 - i], name="G")
    s = sw.create_schedule(G)
    s[F].compute_at(G, "i")
    text = str(s)
    assert text.startswith("For i in range(16)\n  For i_1 in range(") and "F[i_1] = A[i_1]" in text
    assert text.count("For i in") == text.count("For i_1 in") == 1


def test_loops_on_a_mesh_say_which_way():
    A = sw.placeholder((64, 48), name="A")
    B = sw.compute((64, 48), lambda i, j: A[i, j] + 1, name="B")
    s = sw.create_schedule(B)
    s[B].parallel("i", "j", grid=(8, 4))
    assert (
        str(s)
        == """\
Row = get_row()
Let i.begin = min(Row*8, 64)
Let i.end = min(i.begin + 8, 64)
For i in range(i.begin, i.end)  # parallel, rows
  Column = get_column()
  Let j.begin = min(Column*12, 48)
  Let j.end = min(j.begin + 12, 48)
  For j in range(j.begin, j.end)  # parallel, columns
    B[i, j] = A[i, j] + 1.0
"""
    )
    s = sw.create_schedule(B)
    s[B].bind("j", "column")
    assert "Let j.begin = min(Column*ceil(48/columns), 48)" in str(s)


def test_remarks_and_refusals_name_loops_as_the_schedule_does():
    A = sw.placeholder((30, 30), name="A")
    B = sw.compute((30, 30), lambda i, j: A[i, j] + 1, name="B")
    s = sw.create_schedule(B)
    _, ii = s[B].split("i", factor=4)
    _, ji = s[B].split("j", factor=4)
    s[B].unroll(ii)
    remarks = sw.build(s, [A, B], target="sw26010").report()
    assert [r.step for r in remarks] == ["unroll(i.i)"]
    assert "min(((i.o * -4) + 30), 4)" in remarks[0].why
    s[B].parallel("i.o")
    s[B].parallel(ji)
    with pytest.raises(sw.UnsupportedError, match=r"parallel\('j\.i'\) lies inside .* 'i\.o'"):
        sw.build(s, [A, B], target="sw26010")
