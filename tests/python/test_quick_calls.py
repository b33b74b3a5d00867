"""Calls with plain NumPy arrays take a short way; anything else takes the one that says what."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import solway as sw
from solway.kernel import Kernel


def doubled(rows=3, columns=4):
    A = sw.placeholder((rows, columns), name="A")
    B = sw.compute((rows, columns), lambda i, j: A[i, j] * 2, name="B")
    return sw.build(sw.create_schedule(B), [A, B], name="doubled")


@pytest.fixture
def long_calls(monkeypatch):
    """The calls that take the long way."""
    calls = []
    run = Kernel._call

    def counted(self, *arguments):
        calls.append(self.name)
        return run(self, *arguments)

    monkeypatch.setattr(Kernel, "_call", counted)
    return calls


def arrays():
    return np.arange(12, dtype="float32").reshape(3, 4), np.zeros((3, 4), "float32")


def test_plain_arrays_take_the_short_way(long_calls):
    kernel, (a, b) = doubled(), arrays()
    assert kernel.last_run is None
    kernel(a, b)
    assert long_calls == []
    assert np.array_equal(b, 2 * a)
    assert kernel.last_run.seconds > 0
    assert kernel.last_run.threads == 1
    assert kernel.last_run is kernel.last_run


@pytest.mark.parametrize("threads", [1, 2, 1024])
def test_calls_that_say_their_threads_take_it_too(long_calls, threads):
    kernel, (a, b) = doubled(), arrays()
    kernel(a, b, threads=threads)
    assert long_calls == []
    assert np.array_equal(b, 2 * a)


@pytest.mark.parametrize("threads", [0, -1, 1025, 2**40, True, 1.0, "1"])
def test_what_is_no_number_of_threads_is_refused(threads):
    kernel, (a, b) = doubled(), arrays()
    with pytest.raises(sw.Error, match="is no number of threads"):
        kernel(a, b, threads=threads)
    assert not b.any()


class OfItsOwn:
    """An array that only says where it lies."""

    def __init__(self, array):
        self.array = array

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


@pytest.mark.parametrize("other", [OfItsOwn, lambda a: pickle.loads(pickle.dumps(a))])
def test_other_arrays_are_right_as_well(long_calls, other):
    kernel, (a, b) = doubled(), arrays()
    kernel(other(a), b)
    assert np.array_equal(b, 2 * a)


def wrong(change):
    a, b = arrays()
    whole = np.zeros(28, "float32")
    read_only = b.copy()
    read_only.flags.writeable = False
    shifted = np.frombuffer(bytearray(49), "uint8")[1:].view("float32").reshape(3, 4)
    return {
        "dtype": (a.astype("float64"), b),
        "byte order": (a.astype(">f4"), b),
        "shape": (a[:2], b),
        "rank": (a.ravel(), b),
        "layout": (np.asfortranarray(a), b),
        "alignment": (shifted, b),
        "read-only": (a, read_only),
        "overlaps": (whole[:12].reshape(3, 4), whole[8:20].reshape(3, 4)),
        "takes 2 arrays": (a,),
        "no array": ([[1.0] * 4] * 3, b),
    }[change]


@pytest.mark.parametrize(
    "change",
    [
        *("dtype", "byte order", "shape", "rank", "layout", "alignment"),
        *("read-only", "overlaps", "takes 2 arrays", "no array"),
    ],
)
def test_what_does_not_fit_is_refused_and_runs_nothing(change):
    kernel, given = doubled(), wrong(change)
    before = [np.array(a) for a in given]
    said = {"byte order": "dtype", "rank": "shape"}.get(change, change)
    with pytest.raises(sw.ArgumentMismatchError, match=said):
        kernel(*given)
    for array, was in zip(given, before, strict=True):
        assert np.array_equal(array, was)
    assert kernel.last_run is None


def test_arrays_that_only_touch_are_apart(long_calls):
    whole = np.zeros(24, "float32")
    whole[:12] = np.arange(12)
    doubled()(whole[:12].reshape(3, 4), whole[12:].reshape(3, 4))
    assert long_calls == []
    assert np.array_equal(whole[12:], 2 * whole[:12])


def test_one_array_may_be_both_where_each_element_is_read_before_it_is_stored():
    kernel, (a, _) = doubled(), arrays()
    expected = 2 * a
    assert (1, 0) in kernel._shareable
    kernel(a, a)
    assert np.array_equal(a, expected)


def test_the_environment_is_asked_in_each_call(monkeypatch):
    kernel, (a, b) = doubled(), arrays()
    kernel(a, b)
    monkeypatch.setenv("SOLWAY_THREADS", "none")
    with pytest.raises(sw.ScheduleArgumentError, match="SOLWAY_THREADS"):
        kernel(a, b)


def test_checked_indices_take_the_long_way(long_calls):
    index = sw.placeholder((4,), name="index", dtype="int32")
    X = sw.placeholder((6,), name="X")
    Y = sw.compute((4,), lambda i: X[sw.bounded(index[i], 0, 6)], name="Y")
    kernel = sw.build(
        sw.create_schedule(Y), [index, X, Y], name="checked", options=sw.Options(debug=True)
    )
    at = np.array([0, 5, 6, 1], "int32")
    with pytest.raises(sw.ArgumentMismatchError, match="6"):
        kernel(at, np.zeros(6, "float32"), np.zeros(4, "float32"))
    assert "checked" in long_calls


def sized(extent=lambda n: 2 * n + 1):
    n = sw.size("n", min=2, max=64)
    m = sw.size("m", min=1, max=9)
    A = sw.placeholder((n, extent(n)), name="A")
    B = sw.placeholder((m + n,), name="B")
    C = sw.compute((n, m), lambda i, j: A[i, 0] * 2 + B[i + j], name="C")
    return sw.build(sw.create_schedule(C), [A, B, C], name="sized")


def sized_arrays(n, m):
    a = np.arange(n * (2 * n + 1), dtype="float32").reshape(n, -1)
    return a, np.arange(n + m, dtype="float32"), np.zeros((n, m), "float32")


@pytest.mark.parametrize(("n", "m"), [(2, 1), (7, 9), (64, 3)])
def test_kernels_with_sizes_take_the_short_way(long_calls, n, m):
    a, b, c = sized_arrays(n, m)
    sized()(a, b, c)
    assert long_calls == []
    i, j = np.indices((n, m))
    assert np.array_equal(c, a[i, 0] * 2 + b[i + j])


@pytest.mark.parametrize(
    "shapes",
    [
        ((1, 3), (2,), (1, 1)),  # below the bounds
        ((65, 131), (66,), (65, 1)),
        ((4, 8), (5,), (4, 1)),  # no odd number
        ((4, 11), (5,), (4, 1)),
        ((4, 9), (6,), (4, 1)),  # sizes that do not fit together
        ((4, 9), (5,), (3, 1)),
    ],
)
def test_shapes_that_do_not_fit_are_refused(shapes):
    with pytest.raises(sw.ArgumentMismatchError):
        sized()(*(np.zeros(shape, "float32") for shape in shapes))


def test_sizes_that_a_caller_states_take_the_long_way(long_calls):
    a, b, c = sized_arrays(4, 3)
    sized()(a, b, c, sizes={"n": 4})
    assert long_calls == ["sized"]


def test_extents_with_quotients_take_the_long_way(long_calls):
    n = sw.size("n", min=2, max=64)
    A = sw.placeholder((n // 2, n), name="A")
    B = sw.compute((n // 2,), lambda i: A[i, 0] + 1, name="B")
    b = np.zeros(3, "float32")
    sw.build(sw.create_schedule(B), [A, B], name="halved")(np.ones((3, 6), "float32"), b)
    assert long_calls == ["halved"]
    assert np.array_equal(b, [2, 2, 2])


def test_what_is_assumed_of_sizes_is_checked(long_calls):
    n = sw.size("n", min=1, max=64)
    A = sw.placeholder((n,), name="A")
    B = sw.compute((n,), lambda i: A[i] + 1, name="B")
    s = sw.create_schedule(B)
    s.assume(n % 4 == 0)
    kernel = sw.build(s, [A, B], name="fours")
    b = np.zeros(8, "float32")
    kernel(np.ones(8, "float32"), b)
    assert long_calls == []
    assert np.array_equal(b, np.full(8, 2))
    with pytest.raises(sw.ArgumentMismatchError, match="assume"):
        kernel(np.ones(6, "float32"), b[:6])
