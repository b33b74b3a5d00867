"""Two versions of a stage: what they print, that later primitives reach either, and values."""

import random

import numpy as np
import pytest
import solway as sw

TARGETS = ("host", "c", "sw26010")


def matmul(m=10, n=10, depth=10):
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


def check(s, A, B, C, target):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-4, 5, t.shape).astype(np.float32) for t in (A, B))
    assert np.array_equal(sw.build(s, [A, B, C], target=target).run(a, b), a @ b)


@pytest.mark.parametrize("target", TARGETS)
def test_full_tiles_apart_from_the_others_with_buffers_in_both(target):
    A, B, C = matmul()
    s = sw.create_schedule(C)
    io, jo, ii, ji = s[C].tile("i", "j", 4, 4)
    ko, ki = s[C].split("k", 4)
    s[C].reorder(io, jo, ko, ii, ji, ki)
    rest = s[C].specialize(io < 2, jo < 2)
    s.buffer_read(B, [ki, ji])
    s.buffer_write(C, [ii, ji])
    other = s[rest].axis[1]
    first, second = s.buffer_read(B, at=other), s.buffer_write(C, at=other)
    assert {first.name, second.name} == {"BB_1", "CC_1"}
    check(s, A, B, C, target)


@pytest.mark.parametrize("target", TARGETS)
def test_later_primitives_reach_either_version(target):
    A, B, C = matmul()
    s = sw.create_schedule(C)
    jo, ji = s[C].split("j", 8)
    rest = s[C].specialize(jo < 1)
    s[C].parallel("i")
    s[C].reorder(jo, "k", ji)
    s[C].vectorize(ji)
    s[rest].parallel(C.axis[0])  # the axis of C, as a loop of this version
    s[rest].unroll("j.i")
    text = str(s)
    assert "# vectorized" in text and "# unrolled" in text
    check(s, A, B, C, target)


@pytest.mark.parametrize("target", TARGETS)
def test_a_version_is_divided_again(target):
    A, B, C = matmul()
    s = sw.create_schedule(C)
    i, j = C.axis
    rest = s[C].specialize(i < 7)
    last = s[rest].specialize(i + j < 12)
    assert last.name == "C_else_else"
    s[C].specialize(i <= j)
    check(s, A, B, C, target)


def test_a_condition_on_a_reduction_axis():
    A, B, C = matmul()
    s = sw.create_schedule(C)
    ko, ki = s[C].split("k", 4)
    rest = s[C].specialize(ko < 2)
    s[C].unroll(ki)
    assert [loop.name for loop in s[rest].reduce_axis] == ["k.o", "k.i"]
    for target in TARGETS:
        check(s, A, B, C, target)


def test_a_stage_inside_other_loops_shares_them():
    A = sw.placeholder((40,), name="A")
    P = sw.compute((40,), lambda i: A[i] * 2, name="P")
    C = sw.compute((36,), lambda i: P[i] + P[i + 4], name="C")
    s = sw.create_schedule(C)
    outer, _ = s[C].split("i", 6)
    s[P].compute_at(C, outer)
    rest = s[P].specialize(s[P].axis[0] < 4)
    assert str(s).count("For i.o") == 1
    s[rest].unroll("i")
    a = np.arange(40, dtype=np.float32)
    for target in TARGETS:
        got = sw.build(s, [A, C], target=target).run(a)
        assert np.array_equal(got, a[:36] * 2 + a[4:] * 2)


def test_partial_results_and_in_place_stages_are_divided():
    A = sw.placeholder((6, 8), "int32", name="A")
    k = sw.reduce_axis(8, name="k")
    C = sw.compute((6,), lambda i: sw.sum(A[i, k], axis=k), name="C")
    D = sw.update(C, (3,), lambda i: 2 * i, lambda i: C[2 * i] + 100, name="D")
    s = sw.create_schedule(D)
    _, ki = s[C].split(k, 4)
    P = s.rfactor(C, ki)
    s[P].specialize(s[P].axis[0] < 2)
    s[C].specialize(C.axis[0] < 4)
    s[D].specialize(D.axis[0] < 1)
    a = np.arange(48, dtype=np.int32).reshape(6, 8)
    want = a.sum(axis=1)
    want[::2] += 100
    for target in TARGETS:
        assert np.array_equal(sw.build(s, [A, D], target=target).run(a), want)


def test_the_script_makes_an_equal_schedule(tmp_path):
    _, _, C = matmul()
    s = sw.create_schedule(C)
    io, ii = s[C].split("i", 4)
    rest = s[C].specialize(io * 4 + ii < 6, C.axis[1] != 3)
    s[rest].reorder("j", "i.o")
    s.save(tmp_path / "c.schedule")
    again = sw.load_schedule(tmp_path / "c.schedule", [C])
    assert str(again) == str(s) and again.to_python() == s.to_python()
    script = {"sw": sw, "outputs": [C]}
    exec(s.to_python(), script)
    assert str(script["s"]) == str(s)


@pytest.mark.parametrize("seed", range(12))
def test_random_conditions_compute_the_same(seed):
    rng = random.Random(seed)
    A, B, C = matmul(7, 6, 5)
    s = sw.create_schedule(C)
    if rng.random() < 0.7:
        s[C].split(rng.choice(["i", "j"]), rng.randint(2, 4), tail=rng.choice(["guard", "cut"]))
    stage = C
    for _ in range(rng.randint(1, 2)):
        axes = [*s[stage].axis, *s[stage].reduce_axis]
        a, b = rng.choice(axes), rng.choice(axes)
        condition = a * rng.choice((1, 2)) + b * rng.choice((-1, 0, 1)) < rng.randint(-2, 8)
        try:
            rest = s[stage].specialize(condition)
        except sw.ScheduleArgumentError:  # it holds always or never
            continue
        order = list(s[rest].axis)
        rng.shuffle(order)
        s[rest].reorder(*order)
        stage = rng.choice([C, rest])
    check(s, A, B, C, "c")


def test_loops_of_versions_come_back():
    """Both versions have the axes of the stage, so that only their loops tell them apart."""
    A = sw.placeholder((8, 4), name="A")
    B = sw.compute((8, 4), lambda i, j: A[i, j] * 2, name="B")
    s = sw.create_schedule(B)
    rest = s[B].specialize(B.axis[1] < 2)
    s[B].fuse_with(rest, "i")
    s[rest].fuse_with(B, s[rest].axis[0])
    names = {"sw": sw, "outputs": [B]}
    exec(s.to_python(), names)
    assert str(names["s"]) == str(s)
