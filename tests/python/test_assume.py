"""What the user states of sizes: it holds in proofs and in code, and every call checks it."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway.emulation import present_options

TARGETS = ["host", "c"]


@pytest.fixture(params=TARGETS)
def target(request):
    return request.param


def integers(*shape):
    return np.random.default_rng(0).integers(-4, 5, shape).astype(np.float32)


def doubled(columns=8):
    n = sw.size("n", max=4096)
    A = sw.placeholder((n, columns), name="A")
    B = sw.compute((n, columns), lambda i, j: A[i, j] * 2, name="B")
    return n, A, B, sw.create_schedule(B)


def shifted():
    """P[i + m] = A[i], in place: with m >= n no iteration reads what another one writes."""
    n, m = sw.size("n", max=40), sw.size("m", min=1, max=40)
    A = sw.placeholder((n + m,), name="A")
    P = sw.update(A, (n,), lambda i: (i + m,), lambda i: A[i] * 2, name="P")
    return n, m, P


def test_a_multiple_has_no_guard_and_no_tail(target):
    n, A, B, s = doubled()
    s.assume(n % 16 == 0)
    outer, inner = s[B].split("i", factor=16)
    s[B].reorder(outer, "j", inner)
    s[B].vectorize(inner)
    assert str(s) == (
        "Assume n % 16 == 0\n"
        "For i.o in range(n // 16)\n"
        "  For j in range(8)\n"
        "    For i.i in range(16)  # vectorized\n"
        "      B[i.o*16 + i.i, j] = A[i.o*16 + i.i, j]*2.0\n"
    )
    k = sw.build(s, [A, B], target=target)
    assert "min(" not in k.ir and "if " not in k.ir
    for rows in (16, 48, 4096):
        a = integers(rows, 8)
        assert np.array_equal(k.run(a), a * 2)


def test_an_assumption_after_a_split_is_as_good(target):
    n, A, B, s = doubled()
    outer, _ = s[B].split("i", factor=16)
    assert "min(" in str(s)
    s.assume(n % 16 == 0)
    assert "min(" not in str(s) and "range(n // 16)" in str(s)
    s.buffer_read(A, at=outer, depth=2)
    k = sw.build(s, [A, B], target=target)
    a = integers(80, 8)
    assert np.array_equal(k.run(a), a * 2)


def test_every_call_checks_it(target):
    n, A, B, s = doubled()
    s.assume(n % 16 == 0)
    k = sw.build(s, [A, B], target=target, name="doubled")
    with pytest.raises(sw.ArgumentMismatchError) as raised:
        k.run(integers(30, 8))
    assert "doubled runs only where n % 16 == 0\n" in str(raised.value)
    assert raised.value.why.startswith("got n = 30; the condition is assumed at ")
    assert "test_assume.py" in raised.value.why
    b = np.full((30, 8), 7, np.float32)
    with pytest.raises(sw.ArgumentMismatchError):
        k(integers(30, 8), b)
    assert (b == 7).all()


def test_the_code_itself_checks_it(target):
    n, A, B, s = doubled()
    s.assume(sw.any_of(n % 16 == 0, n == 3))
    k = sw.build(s, [A, B], target=target)
    options = present_options()

    def run(arrays):
        given = [(array.ctypes.data, array.nbytes) for array in arrays]
        landing, mode = options.landing, options.mode
        return k._code.run(given, options.seed, landing, options.seconds, mode, threads=1)

    for rows, status in ((16, 0), (3, 0), (30, 4)):
        a, b, sizes = integers(rows, 8), np.full((rows, 8), 7, np.float32), np.array([rows])
        assert run((a, b, sizes))[0] == status
        assert np.array_equal(b, a * 2 if status == 0 else np.full((rows, 8), 7))


def test_what_is_illegal_for_some_sizes_becomes_legal(target):
    n, m, P = shifted()
    s = sw.create_schedule(P)
    assert not s.legal("parallel", P, "i")
    assert not s.legal("reverse", P, "i")
    s.assume(m >= n)
    s[P].parallel("i")
    s[P].reverse("i")
    k = sw.build(s, [P], target=target)
    a = integers(12)
    expected = a.copy()
    expected[7:] = a[:5] * 2
    assert np.array_equal(k.run(a, sizes={"n": 5, "m": 7}), expected)
    with pytest.raises(sw.ArgumentMismatchError, match="got m = 5, n = 7"):
        k.run(a, sizes={"n": 7, "m": 5})


def test_an_assumption_that_is_too_weak_leaves_it_illegal():
    n, m, P = shifted()
    s = sw.create_schedule(P)
    s.assume(m + 1 >= n)
    with pytest.raises(sw.IllegalScheduleError) as raised:
        s[P].parallel("i")
    assert (raised.value.source, raised.value.sink) == (("P", (("i", 0),)), ("P", (("i", 1),)))


def test_stages_run_in_one_loop_where_sizes_allow_it(target):
    n, m = sw.size("n", max=30), sw.size("m", min=0, max=30)
    A = sw.placeholder((n + m,), name="A")
    P = sw.compute((n + m,), lambda i: A[i] * 2, name="P")
    C = sw.compute((n,), lambda i: P[i + m] + 1, name="C")
    s = sw.create_schedule(C)
    with pytest.raises(sw.IllegalScheduleError):
        s[P].fuse_with(C, "i")
    s.assume(m == 0)
    s[P].fuse_with(C, "i")
    k = sw.build(s, [A, C], target=target)
    a = integers(9)
    assert np.array_equal(k.run(a, sizes={"n": 9, "m": 0}), a * 2 + 1)


def test_a_tile_of_a_producer_gets_a_constant_size(target):
    n, w = sw.size("n", max=30), sw.size("w", max=9)
    A = sw.placeholder((n + w,), name="A")
    P = sw.compute((n + w,), lambda i: A[i] * 2, name="P")
    C = sw.compute((n,), lambda i: P[i] + P[i + w], name="C")
    s = sw.create_schedule(C)
    s.assume(w <= 2, w >= 2)
    outer, _ = s[C].split("i", factor=4)
    s[P].compute_at(C, outer)
    assert "For i in range(min(n - i.o*4, 4) + 2)" in str(s) or "6" in str(s)
    k = sw.build(s, [A, C], target=target)
    a = integers(13)
    assert np.array_equal(k.run(a, sizes={"n": 11, "w": 2}), a[:-2] * 2 + a[2:] * 2)


def test_a_fix_of_an_error_keeps_working():
    steps, n = sw.size("steps", max=9), sw.size("n", min=3, max=30)
    U = sw.recurrence(
        (steps, n),
        lambda U, t, i: sw.select(
            sw.any_of(t == 0, i == 0, i == n - 1), i + 0.0, U[t - 1, i - 1] + U[t - 1, i + 1]
        ),
        dtype="float32",
        name="U",
    )
    s = sw.create_schedule(U)
    s.assume(n % 4 == 0, steps <= n)
    with pytest.raises(sw.IllegalScheduleError) as raised:
        s[U].reorder("i", "t")
    raised.value.apply_fix()
    s[U].reorder("i", "t")
    assert [step.primitive for step in s.log] == ["assume", "skew", "reorder"]


def test_the_only_value_of_a_size_makes_an_extent_constant():
    n, A, B, s = doubled()
    s[B].reorder("j", "i")
    with pytest.raises(sw.UnsupportedError, match="known at run time"):
        s[B].fuse("j", "i")
    s.assume(n == 12)
    s[B].fuse("j", "i")
    assert "For j.i in range(96)" in str(s) or "range(96)" in str(s)
    k = sw.build(s, [A, B])
    a = integers(12, 8)
    assert np.array_equal(k.run(a), a * 2)


def test_one_of_two_versions_may_be_left_without_iterations(target):
    n, A, B, s = doubled()
    s[B].split("i", factor=16)
    rest = s[B].specialize(n % 16 == 0)
    s[rest].reverse("j")
    s.assume(n % 32 == 0)
    k = sw.build(s, [A, B], target=target)
    a = integers(64, 8)
    assert np.array_equal(k.run(a), a * 2)
    with pytest.raises(sw.ScheduleArgumentError, match="the condition always holds"):
        s[B].specialize(n % 8 == 0)


def test_conditions_that_hold_anyway_are_remarked_on(target):
    n, A, B, s = doubled()
    s.assume(n % 32 == 0, n >= 1, n % 8 == 0)
    k = sw.build(s, [A, B], target=target)
    assert [(r.step, r.verdict) for r in k.report() if "assume" in r.step] == [
        ("assume(n >= 1)", "has no effect"),
        ("assume(n % 8 == 0)", "has no effect"),
    ]


def test_what_is_no_condition_on_sizes():
    n, A, B, s = doubled()
    q = sw.size("q", max=8)
    other = sw.size("n", max=8)
    before = str(s)
    cases = [
        ((), sw.ScheduleArgumentError, "there is no condition"),
        ((True,), sw.ScheduleArgumentError, "takes conditions on sizes"),
        ((n % 16,), sw.ScheduleArgumentError, "it is a number"),
        ((B.axis[0] < n,), sw.ScheduleArgumentError, "depends on axis 'i'"),
        ((A[0, 0] < 1,), sw.ScheduleArgumentError, "depends on an element of 'A'"),
        ((q < 4,), sw.ScheduleArgumentError, "is no size of this schedule"),
        ((other < 4,), sw.ScheduleArgumentError, "is no size of this schedule"),
        ((n * n < 100,), sw.UnsupportedError, "is not affine in sizes"),
        ((n * 0.5 < 100,), sw.UnsupportedError, "is not affine in sizes"),
        ((n > 4096,), sw.ScheduleArgumentError, "'n > 4096' never holds"),
        ((n < 9, n % 16 == 0), sw.ScheduleArgumentError, "'n % 16 == 0' never holds"),
        ((n * 2**52 > 5,), sw.ScheduleArgumentError, "becomes too large"),
    ]
    for conditions, error, text in cases:
        with pytest.raises(error, match=text.replace("%", "%")) as raised:
            s.assume(*conditions)
        assert str(raised.value.where.file).endswith("test_assume.py")
    assert str(s) == before and s.log == ()


def test_an_earlier_assumption_is_named():
    n, _A, _B, s = doubled()
    s.assume(n % 16 == 0)
    with pytest.raises(sw.ScheduleArgumentError) as raised:
        s.assume(n % 8 == 4)
    assert "'n' runs from 1 to 4096, and n % 16 == 0 is assumed at" in raised.value.why


def test_it_is_asked_without_doing():
    n, _A, _B, s = doubled()
    assert s.legal("assume", n % 16 == 0, n > 3)
    verdict = s.legal("assume", n > 4096)
    assert not verdict and isinstance(verdict.error, sw.ScheduleArgumentError)
    assert s.log == ()


def conditions(n, m):
    return {
        "multiple": [n % 16 == 0],
        "order": [m <= n, 2 * m + 3 < 5 * n],
        "either": [sw.any_of(n == 3, sw.all_of(n % 4 == 0, m > 2), n > 2 * m)],
        "not": [sw.logical_not(n == m)],
        "functions": [sw.minimum(n, m) < sw.maximum(n - 1, 4), sw.select(n > m, n, 5) > 2],
        "quotient": [n // 4 >= 2, -n + 1 < m],
    }


@pytest.mark.parametrize("case", conditions(sw.size("n", max=2), sw.size("m", max=2)))
def test_it_is_written_and_read_back(case, tmp_path):
    n, m = sw.size("n", max=64), sw.size("m", max=64)
    A = sw.placeholder((n, m), name="A")
    B = sw.compute((n, m), lambda i, j: A[i, j] * 2, name="B")
    s = sw.create_schedule(B)
    s.assume(*conditions(n, m)[case])
    s[B].tile("i", "j", 4, 4)
    names = {"sw": sw, "outputs": [B]}
    exec(s.to_python(), names)
    s.save(tmp_path / "b.schedule")
    for other in (names["s"], sw.load_schedule(tmp_path / "b.schedule", B)):
        assert str(other) == str(s)
        assert [step[:4] for step in other.log] == [step[:4] for step in s.log]
        assert other.to_python() == s.to_python()
        k = [sw.build(one, [A, B]) for one in (s, other)]
        assert k[0].ir == k[1].ir


def test_its_line_of_text():
    n, _A, B, s = doubled()
    s.assume(n % 16 == 0, sw.any_of(n < 64, n > 128))
    s[B].split("i", factor=16)
    assert str(s.log[0]) == "s.assume(n % 16 == 0, n < 64 or n > 128)"
    assert s.log[0].where.text.startswith("s.assume(n % 16 == 0")
    assert s.to_python() == (
        "# solway schedule, version 1\n"
        "s = sw.create_schedule(outputs)\n"
        'n = s.sizes["n"]\n'
        'B = s.tensors["B"]\n'
        "s.assume(n % 16 == 0, sw.any_of(n < 64, n > 128))\n"
        "i_o, i_i = s[B].split(B.axis[0], factor=16)\n"
    )
    assert dict(s.sizes).keys() == {"n"} and s.sizes["n"].max == 4096


def test_it_is_on_the_page_and_in_the_explanation(tmp_path):
    n, _A, B, s = doubled()
    s[B].split("i", factor=16)
    s.assume(n % 16 == 0)
    assert "s.assume(n % 16 == 0)" in str(s.explain())
    page = s.show(tmp_path / "b.html").read_text()
    assert "s.assume(n % 16 == 0)" in page


def test_a_schedule_without_sizes_has_none_to_assume():
    A = sw.placeholder((8,), name="A")
    B = sw.compute((8,), lambda i: A[i] * 2, name="B")
    s = sw.create_schedule(B)
    assert dict(s.sizes) == {}
    with pytest.raises(sw.ScheduleArgumentError, match="is no size of this schedule"):
        s.assume(sw.size("n", max=4) > 2)
