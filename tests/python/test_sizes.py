"""Sizes that are known when a kernel runs."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ("host", "c", "sw26010")


def integers(*shape):
    return np.random.default_rng(0).integers(-4, 5, shape).astype(np.float32)


@pytest.fixture(params=TARGETS)
def target(request):
    return request.param


def test_one_kernel_serves_all_values(target):
    n = sw.size("n", min=1, max=64)
    A = sw.placeholder((n, 8), name="A")
    B = sw.compute((n, 8), lambda i, j: A[i, j] * 2 + i, name="B")
    k = sw.build(sw.create_schedule(B), [A, B], target=target)
    for rows in (1, 2, 7, 64):
        a = integers(rows, 8)
        assert np.array_equal(k.run(a), a * 2 + np.arange(rows, dtype=np.float32)[:, None])


def matmul(m, n, k_extent):
    A = sw.placeholder((m, k_extent), name="A")
    B = sw.placeholder((k_extent, n), name="B")
    k = sw.reduce_axis((0, k_extent), name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return A, B, C


def schedules():
    def plain(s, C):
        pass

    def tiled(s, C):
        io, jo, ii, ji = s[C].tile("i", "j", 4, 16)
        s[C].reorder(io, jo, "k", ii, ji)
        s[C].vectorize(ji)
        s[C].unroll(ii)

    def vector(s, C):
        s[C].reorder("k", "i", "j")
        s[C].vectorize("j")
        s[C].parallel("i")

    return [plain, tiled, vector]


@pytest.mark.parametrize("make", schedules(), ids=lambda f: f.__name__)
def test_matmul_of_any_size(make, target):
    m, n, d = sw.size("m", max=40), sw.size("n", max=70), sw.size("d", min=0, max=30)
    A, B, C = matmul(m, n, d)
    s = sw.create_schedule(C)
    make(s, C)
    k = sw.build(s, [A, B, C], target=target)
    for rows, columns, depth in [(1, 1, 0), (3, 5, 2), (40, 70, 30), (4, 16, 8), (17, 33, 9)]:
        a, b = integers(rows, depth), integers(depth, columns)
        assert np.array_equal(k.run(a, b), a @ b)


def test_buffers_are_sized_by_the_bounds(target):
    m = sw.size("m", max=40)
    A, B, C = matmul(m, 32, 24)
    s = sw.create_schedule(C)
    io, ii = s[C].split("i", factor=8)
    s[C].reorder(io, "k", ii, "j")
    s.buffer_read(A, at=io)
    s.buffer_write(C, at=io)
    k = sw.build(s, [A, B, C], target=target)
    for rows in (1, 8, 9, 40):
        a, b = integers(rows, 24), integers(24, 32)
        assert np.array_equal(k.run(a, b), a @ b)


def test_temporaries_are_sized_by_the_bounds(target):
    n = sw.size("n", max=50)
    A = sw.placeholder((n, n), name="A")
    B = sw.compute((n, n), lambda i, j: A[j, i] + 1, name="B")
    C = sw.compute((n, n), lambda i, j: B[j, i] * 2, name="C")
    k = sw.build(sw.create_schedule(C), [A, C], target=target)
    for rows in (1, 13, 50):
        a = integers(rows, rows)
        assert np.array_equal(k.run(a), (a + 1) * 2)


def test_extents_are_affine_in_sizes(target):
    n = sw.size("n", min=3, max=30)
    A = sw.placeholder((n,), name="A")
    B = sw.compute((n - 2,), lambda i: A[i] + A[i + 1] + A[i + 2], name="B")
    C = sw.compute(
        (2 * n + 1,), lambda i: sw.select(i < n, A[sw.minimum(i, n - 1)], n - i), name="C"
    )
    k = sw.build(sw.create_schedule([B, C]), [A, B, C], target=target)
    a = integers(11)
    b, c = k.run(a)
    assert np.array_equal(b, a[:-2] + a[1:-1] + a[2:])
    assert np.array_equal(c, np.concatenate([a, 11 - np.arange(11, 23)]))


def test_a_size_is_found_from_an_affine_extent():
    n = sw.size("n", min=3, max=30)
    A = sw.placeholder((2 * n - 1,), name="A")
    B = sw.compute((n,), lambda i: A[2 * i], name="B")
    k = sw.build(sw.create_schedule(B), [A, B])
    a = integers(9)
    assert np.array_equal(k.run(a), a[::2])
    with pytest.raises(sw.ArgumentMismatchError, match="has an extent that no 'n' gives"):
        k.run(integers(10))
    with pytest.raises(sw.ArgumentMismatchError, match="has an extent that no 'n' gives"):
        k.run(integers(3))


def test_a_size_that_no_input_tells_is_passed():
    n = sw.size("n", max=30)
    A = sw.placeholder((4,), name="A")
    B = sw.compute((n,), lambda i: A[i % 4], name="B")
    k = sw.build(sw.create_schedule(B), [A, B])
    a, b = integers(4), np.empty(7, np.float32)
    k(a, b)
    assert np.array_equal(b, np.resize(a, 7))
    assert np.array_equal(k.run(a, sizes={"n": 6}), np.resize(a, 6))
    with pytest.raises(sw.ArgumentMismatchError, match="needs the value of 'n'"):
        k.run(a)
    with pytest.raises(sw.ArgumentMismatchError, match="out of its bounds"):
        k.run(a, sizes={"n": 31})
    with pytest.raises(sw.ArgumentMismatchError, match="has no size 'q'"):
        k.run(a, sizes={"n": 3, "q": 1})


def test_arrays_must_agree_on_a_size():
    n = sw.size("n", max=30)
    A = sw.placeholder((n,), name="A")
    B = sw.placeholder((n,), name="B")
    C = sw.compute((n,), lambda i: A[i] + B[i], name="C")
    k = sw.build(sw.create_schedule(C), [A, B, C])
    with pytest.raises(sw.ArgumentMismatchError, match="argument 'B' has another shape"):
        k.run(integers(4), integers(5))


def test_reads_are_proved_in_bounds_for_all_values():
    n = sw.size("n", min=1, max=30)
    A = sw.placeholder((n,), name="A")
    with pytest.raises(sw.DslError) as raised:
        sw.compute((n,), lambda i: A[i + 1], name="B")
    assert "A[i + 1] reads element 1 of n at i=0, n=1" in str(raised.value)
    B = sw.placeholder((8,), name="B")
    with pytest.raises(sw.DslError, match="reads element 8 of 8 at i=8, n=9"):
        sw.compute((n,), lambda i: B[i], name="C")


def test_legality_holds_for_all_values():
    n = sw.size("n", max=8)
    A = sw.placeholder((n, n), name="A")
    k = sw.reduce_axis((0, n), name="k")
    B = sw.compute((n,), lambda i: sw.sum(A[i, k], axis=k), name="B")
    C = sw.compute((n,), lambda i: B[n - 1 - i], name="C")
    s = sw.create_schedule(C)
    s[B].reorder(k, "i")
    s[B].parallel("i")
    assert "range(n)" in str(s)


def test_what_is_not_affine():
    n, m = sw.size("n", max=8), sw.size("m", max=8)
    with pytest.raises(sw.UnsupportedError, match="products of sizes are not supported"):
        sw.placeholder((n * m,), name="A")
    A = sw.placeholder((m, n), name="A")
    B = sw.compute((m, n), lambda i, j: A[i, j], name="B")
    s = sw.create_schedule(B)
    with pytest.raises(sw.UnsupportedError, match="extent of 'j' is known at run time"):
        s[B].fuse("i", "j")
    with pytest.raises(sw.UnsupportedError, match="into parts"):
        s[B].split("i", parts=2)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: sw.size("n", min=5, max=4), "has no values"),
        (lambda: sw.size("n", min=-1, max=4), "has no values"),
        (lambda: sw.size("n", max=2.5), "max of size 'n' is no integer"),
        (lambda: sw.size("a b", max=4), "a b"),
        (lambda: sw.placeholder((sw.size("n", max=4) - 2,), name="A"), "negative extent"),
    ],
)
def test_what_is_no_size(make, text):
    with pytest.raises(sw.DslError, match=text):
        make()


def test_two_sizes_of_one_name():
    A = sw.placeholder((sw.size("n", max=4),), name="A")
    B = sw.placeholder((sw.size("n", max=5),), name="B")
    k = sw.reduce_axis(1, name="k")
    C = sw.compute((1,), lambda i: sw.sum(A[k], axis=k) + B[0], name="C")
    with pytest.raises(sw.DslError, match="two sizes are named 'n'"):
        sw.create_schedule(C)


def test_updates_and_domains_are_proved_for_all_values():
    n = sw.size("n", min=2, max=30)
    A = sw.placeholder((n,), name="A")
    with pytest.raises(sw.DslError) as raised:
        sw.update(A, (n,), lambda i: (i + 1,), lambda i: A[i], name="P")
    assert "i + 1, is 2 of n at i=1, n=2" in str(raised.value)
    L = sw.compute((n, n), lambda i, j: A[i] + A[j], name="L", where=lambda i, j: j <= i)
    with pytest.raises(sw.DslError) as raised:
        sw.compute((n, n), lambda i, j: L[j, i], name="U")
    assert "reads L[1, 0]" not in str(raised.value)
    assert "reads L[0, 1] at i=1, j=0, n=2" in str(raised.value)
    D = sw.compute((4,), lambda i: L[sw.minimum(i, n - 1), 0], name="D")
    k = sw.build(sw.create_schedule(D), [A, D])
    assert np.array_equal(k.run(np.float32([5, 6, 7])), [10, 11, 12, 12])


def test_positions_count_with_the_sizes(target):
    m, n = sw.size("m", max=9), sw.size("n", max=9)
    A = sw.placeholder((m, n), name="A")
    i, j = sw.reduce_axis(m, name="i"), sw.reduce_axis(n, name="j")
    L = sw.compute((), lambda: sw.argmax(A[i, j], axis=[i, j]), name="L")
    k = sw.build(sw.create_schedule(L), [A, L], target=target)
    for shape in ((1, 1), (3, 5), (9, 9)):
        a = integers(*shape)
        assert k.run(a) == a.argmax()
    none = sw.reduce_axis(sw.size("q", min=0, max=4), name="k")
    with pytest.raises(sw.DslError, match="axis 'k' may have no values"):
        sw.compute((), lambda: sw.argmin(A[none, 0], axis=none), name="N")


def test_tuples_and_reducers(target):
    n = sw.size("n", max=20)
    A = sw.placeholder((n,), "int64", name="A")
    D, S = sw.compute((n,), lambda i: (A[i] * 2, A[n - 1 - i]), name="T")
    k = sw.build(sw.create_schedule([D, S]), [A, D, S], target=target)
    a = np.arange(7)
    d, s = k.run(a)
    assert np.array_equal(d, a * 2) and np.array_equal(s, a[::-1])


def gather():
    n, m = sw.size("n", max=8), sw.size("m", max=16)
    A = sw.placeholder((n, 3), name="A")
    rows = sw.placeholder((m,), "int64", name="rows")
    B = sw.compute((m, 3), lambda i, j: A[sw.bounded(rows[i], 0, n), j] * 2, name="B")
    s = sw.create_schedule(B)
    io, ii = s[B].split("i", factor=4)
    s[B].parallel(io)
    s.buffer_write(B, [ii, B.axis[1]])
    return s, [A, rows, B]


def test_an_index_is_promised_to_be_below_a_size(target):
    s, tensors = gather()
    k = sw.build(s, tensors, target=target, options=sw.Options(debug=True))
    for n, rows in ((5, [0, 1, 4, 2, 3, 3, 0]), (1, [0]), (8, list(range(8)) * 2)):
        a, rows = integers(n, 3), np.array(rows)
        np.testing.assert_array_equal(k.run(a, rows), a[rows] * 2)


def test_debug_names_the_value_of_the_size_that_a_promise_names(target):
    s, tensors = gather()
    k = sw.build(s, tensors, target=target, options=sw.Options(debug=True))
    with pytest.raises(sw.ArgumentMismatchError) as caught:
        k.run(integers(5, 3), np.array([1, 2, 5, 0]))
    assert "rows[i] is 5 at i=2, j=0, promised 0 <= index < n with n=5 (" in caught.value.why


def test_debug_of_a_reduction_over_a_size():
    n, m = sw.size("n", min=0, max=8), sw.size("m", max=4)
    A = sw.placeholder((10,), name="A")
    at = sw.placeholder((m, n), "int32", name="at")
    k = sw.reduce_axis(n, name="k")
    B = sw.compute((m,), lambda i: sw.sum(A[sw.bounded(at[i, k], 2, 9)], axis=k), name="B")
    options = sw.Options(debug=True)
    kernel = sw.build(sw.create_schedule(B), [A, at, B], options=options)
    a = integers(10)
    for rows, columns in ((1, 1), (4, 8), (3, 5)):
        at = np.random.default_rng(0).integers(2, 9, (rows, columns)).astype(np.int32)
        np.testing.assert_array_equal(kernel.run(a, at), a[at].sum(axis=1))
        at[-1, -1] = 1
        with pytest.raises(sw.ArgumentMismatchError, match=f"i={rows - 1}, k={columns - 1},"):
            kernel.run(a, at)
    np.testing.assert_array_equal(kernel.run(a, np.zeros((2, 0), np.int32)), [0, 0])
