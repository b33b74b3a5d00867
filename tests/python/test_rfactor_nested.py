"""rfactor of a reduction that stands inside an expression: sums of 16-bit floats are such."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ["host", "c", "sw26010"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("factor", [1, 4, 7, 30])
def test_what_uses_the_sum_runs_after_the_merge(target, factor):
    A, b = sw.placeholder((3, 30), "int32", name="A"), sw.placeholder((3,), "int32", name="b")
    k = sw.reduce_axis(30, name="k")
    C = sw.compute((3,), lambda i: sw.sum(A[i, k], axis=k) * b[i] + i, name="C")
    s = sw.create_schedule(C)
    outer, _ = s[C].split(k, factor=factor)
    P = s.rfactor(C, outer)
    assert P.shape == (-(-30 // factor), 3)
    given = np.random.default_rng(0).integers(-9, 9, (3, 30), np.int32), np.arange(3, dtype="int32")
    got = sw.build(s, [A, b, C], target=target).run(*given)
    assert np.array_equal(got, given[0].sum(1) * given[1] + np.arange(3))


@pytest.mark.parametrize("target", ["host", "c"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_partial_sums_of_16_bit_floats_have_32(target, dtype):
    A = sw.placeholder((64,), dtype, name="A")
    k = sw.reduce_axis(64, name="k")
    C = sw.compute((), lambda: sw.sum(A[k], axis=k), name="C")
    s = sw.create_schedule(C)
    P = s.rfactor(C, s[C].split(k, factor=8)[1])
    assert P.dtype == np.float32
    s[P].vectorize(P.axis[0])
    values = np.random.default_rng(0).integers(-64, 64, 64).astype(np.float32)
    given = values.astype(np.float16) if dtype == "float16" else values.view(np.uint32) >> 16
    given = given if dtype == "float16" else given.astype(np.uint16)
    got = sw.build(s, [A, C], target=target).run(given)
    wanted = np.float32(values.sum())
    if dtype == "bfloat16":
        assert int(got) == int(wanted.view(np.uint32)) >> 16
    else:
        assert got == np.float16(wanted)


def test_the_cores_sum_parts_of_a_norm():
    A = sw.placeholder((512,), name="A")
    k = sw.reduce_axis(512, name="k")
    C = sw.compute((), lambda: sw.sqrt(sw.sum(A[k] * A[k], axis=k)), name="C")
    s = sw.create_schedule(C)
    outer, _ = s[C].split(k, factor=8)
    P = s.rfactor(C, outer)
    s[P].parallel(P.axis[0])
    a = np.zeros(512, np.float32)
    a[[3, 400]] = 3, 4
    assert sw.build(s, [A, C], target="sw26010").run(a) == 5


def test_a_step_in_place_that_needs_its_sum_is_refused():
    A = sw.placeholder((8, 8), name="A")
    k = sw.reduce_axis(8, name="k")
    U = sw.update(
        A, (8,), lambda i: (i, 0), lambda i: sw.sum(A[i, k] + A[7 - i, k], axis=k), name="U"
    )
    s = sw.create_schedule(U)
    with pytest.raises(sw.IllegalScheduleError):
        s.rfactor(U, k)
    assert s.log == ()


def test_as_text():
    A = sw.placeholder((3, 30), name="A")
    k = sw.reduce_axis(30, name="k")
    C = sw.compute((3,), lambda i: sw.sqrt(sw.sum(A[i, k], axis=k)), name="C")
    s = sw.create_schedule(C)
    s.rfactor(C, s[C].split(k, factor=4)[0])
    names = {"sw": sw, "outputs": [C]}
    exec(s.to_python(), names)
    assert str(names["s"]) == str(s)


def test_loops_that_fission_made_for_what_uses_the_sum_are_gone():
    A, k = sw.placeholder((4, 30), name="A"), sw.reduce_axis(30, name="k")
    C = sw.compute((4,), lambda i: sw.sum(A[i, k], axis=k) + 1.0, name="C")
    s = sw.create_schedule(C)
    s[C].fission(C.axis[0])
    s.rfactor(C, k)
    s.auto_schedule("host", search=False)
    given = np.arange(120, dtype="float32").reshape(4, 30)
    got = sw.build(s, [A, C], target="host").run(given)
    np.testing.assert_array_equal(got, given.sum(1) + 1)
