"""Order primitives end to end: what a kernel computes after them, exactly, on whole numbers."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

TARGETS = ["c", "host", "sw26010"]


def whole(shape, seed=0):
    """Small whole numbers, which float32 sums keep exactly."""
    return np.random.default_rng(seed).integers(-4, 5, shape).astype("float32")


class Matmul:
    """C = A B with odd sizes, its operands and result."""

    def __init__(self, m=7, n=9, p=5):
        self.A = sw.placeholder((m, p), name="A")
        self.B = sw.placeholder((p, n), name="B")
        self.k = sw.reduce_axis(p, name="k")
        self.C = sw.compute(
            (m, n),
            lambda i, j: sw.sum(self.A[i, self.k] * self.B[self.k, j], axis=self.k),
            name="C",
        )
        self.s = sw.create_schedule(self.C)
        self.a, self.b = whole((m, p), 1), whole((p, n), 2)

    def check(self, target):
        """Builds it and compares with NumPy."""
        kernel = sw.build(self.s, [self.A, self.B, self.C], target=target)
        np.testing.assert_array_equal(kernel.run(self.a, self.b), self.a @ self.b)
        return kernel


@pytest.fixture(params=TARGETS)
def target(request):
    return request.param


def skewed(s, C):
    s[C].skew("j", by="i", factor=2)
    s[C].reorder("j", "i")


def skewed_by_the_reduction(s, C):
    s[C].skew("i", by="k", factor=1)
    s[C].split("i", 4)


def shifted_and_split(s, C):
    s[C].shift("j", -4)
    s[C].split("j", 4)
    s[C].shift("i", 11)
    s[C].vectorize("j.i")


def reversed_everywhere(s, C):
    for axis in ("i", "j", "k"):
        s[C].reverse(axis)
    s[C].split("j", 4)
    s[C].reorder("j.o", "k", "i", "j.i")


def reversed_vectors(s, C):
    s[C].reverse("j")
    s[C].vectorize("j")


def all_of_them(s, C):
    s[C].skew("j", by="i", factor=-1)
    s[C].shift("j", 6)
    s[C].reverse("j")
    s[C].fuse("i", "j")
    s[C].reverse("k")


def diagonals(s, C):
    d, _ = s[C].affine("{ [i, j] -> [i + j, j] }", names=["d", "j"])
    s[C].split(d, 4, tail="cut")


def reduction_in_a_map(s, C):
    s[C].affine("{ [j, k] -> [k, j + 2k] }")


def one_loop_by_a_map(s, C):
    s[C].affine("{ [i, j] -> [9i + j] }")


def three_loops_by_a_map(s, C):
    _, _, rest = s[C].affine("{ [i, j] -> [floor(j/4), i, j mod 4] }", names=["b", "i", "r"])
    s[C].vectorize(rest)


def fissioned(s, C):
    s[C].fission("i")
    j0, j1 = s[C].fission("j")
    s[C].vectorize(j0)
    s[C].reverse(j1)


def cut_tiles(s, C):
    io, ii = s[C].split("i", 4, tail="cut")
    jo, ji = s[C].split("j", 4, tail="cut")
    s[C].reorder(io, jo, ii, "k", ji)


def cut_and_vectorized(s, C):
    _, ji = s[C].split("j", 4, tail="cut")
    s[C].vectorize(ji)
    s[C].unroll("k")


def cut_of_a_reduction(s, C):
    ko, _ = s[C].split("k", 2, tail="cut")
    s[C].reorder(ko, "i")


def cut_then_split_again(s, C):
    jo, _ = s[C].split("j", 2, tail="cut")
    s[C].split(jo, 3, tail="cut")


def masked(s, C):
    _, ji = s[C].split("j", 4, tail="mask")
    s[C].vectorize(ji)


def test_indices_of_fused_loops_are_quotients_and_remainders():
    A = sw.placeholder((16, 12, 10), name="A")
    B = sw.compute((16, 12, 10), lambda i, j, k: A[i, j, k] * 2, name="B")
    s = sw.create_schedule(B)
    whole = s[B].fuse("i", "j", "k")
    assert "B[i.j.k // 120, i.j.k // 10 % 12, i.j.k % 10] =" in str(s)
    s[B].split(whole, 16)
    value = "(i.j.k.o*16 + i.j.k.i)"
    assert f"B[{value} // 120, {value} // 10 % 12, (i.j.k.o*6 + i.j.k.i) % 10] =" in str(s)


@pytest.mark.parametrize(
    "apply",
    [
        diagonals,
        reduction_in_a_map,
        one_loop_by_a_map,
        three_loops_by_a_map,
        fissioned,
        cut_tiles,
        cut_and_vectorized,
        cut_of_a_reduction,
        cut_then_split_again,
        masked,
        skewed,
        skewed_by_the_reduction,
        shifted_and_split,
        reversed_everywhere,
        reversed_vectors,
        all_of_them,
    ],
    ids=lambda f: f.__name__,
)
def test_values(apply, target):
    m = Matmul()
    apply(m.s, m.C)
    m.check(target)


def test_an_axis_keeps_its_name_and_its_handles():
    m = Matmul()
    i, j = m.s[m.C].axis
    m.s[m.C].skew(j, by=i)
    m.s[m.C].shift(j, 2)
    m.s[m.C].reverse(j)
    assert m.s[m.C].axis == (i, j)
    m.s[m.C].split(m.C.axis[1], 4)
    assert [str(step) for step in m.s.log] == [
        "s[C].skew(j, by=i, factor=1)",
        "s[C].shift(j, 2)",
        "s[C].reverse(j)",
        "j.o, j.i = s[C].split(j, factor=4)",
    ]


def test_a_core_runs_its_part_of_a_shifted_loop():
    m = Matmul(m=130)
    m.s[m.C].shift("i", 5)
    m.s[m.C].parallel("i")
    m.check("sw26010")


class Blur:
    """C[x] from two elements of P; both stages of one schedule."""

    def __init__(self, n=13):
        self.A = sw.placeholder((n + 2,), name="A")
        self.P = sw.compute((n + 1,), lambda i: self.A[i] + self.A[i + 1], name="P")
        self.C = sw.compute((n,), lambda x: self.P[x] * self.P[x + 1], name="C")
        self.s = sw.create_schedule(self.C)
        self.a = whole((n + 2,), 3)

    def check(self, target):
        """Builds it and compares with NumPy."""
        p = self.a[:-1] + self.a[1:]
        kernel = sw.build(self.s, [self.A, self.C], target=target)
        np.testing.assert_array_equal(kernel.run(self.a), p[:-1] * p[1:])


def test_a_producer_ahead_in_one_loop(target):
    b = Blur()
    b.s[b.P].shift("i", -1)
    b.s[b.P].fuse_with(b.C, "x")
    b.s[b.C].split("x", 4, tail="cut")
    b.check(target)


def test_a_consumer_behind_in_one_loop(target):
    b = Blur()
    b.s[b.C].shift("x", 1)
    b.s[b.C].fuse_with(b.P, "i")
    b.check(target)


def test_a_shared_loop_moves_both_stages(target):
    b = Blur()
    b.s[b.P].shift("i", -1)
    b.s[b.P].fuse_with(b.C, "x")
    b.s[b.C].shift("x", 7)
    first, then = b.s[b.P].fission("x")
    b.s[b.P].reverse(first)
    b.s[b.C].vectorize(then)
    b.check(target)


def test_fission_of_a_part_of_fused_loops(target):
    A = sw.placeholder((4, 4), name="A")
    k = sw.reduce_axis(4, name="k")
    P = sw.compute((4, 4), lambda i, j: sw.sum(A[k, j], axis=k) - A[i, j], name="P")
    s = sw.create_schedule(P)
    s[P].reorder("k", "i")
    jo, ji = s[P].split("j", 2)
    s[P].reorder(jo, "i", ji)
    outer, _inner = s[P].split(s[P].fuse(jo, "i"), 4)
    assert len(s[P].fission(outer)) == 3  # the inner loop stands under each of them
    a = whole((4, 4))
    (result,) = [sw.build(s, [A, P], target=target).run(a)]
    np.testing.assert_array_equal(result, a.sum(axis=0) - a)


def test_fuse_two_reductions(target):
    n, p = 5, 6
    A, B = sw.placeholder((n, p), name="A"), sw.placeholder((n, p), name="B")
    k, m = sw.reduce_axis(p, name="k"), sw.reduce_axis(p, name="m")
    X = sw.compute((n,), lambda i: sw.sum(A[i, k], axis=k), name="X")
    Y = sw.compute((n,), lambda j: sw.sum(B[j, m], axis=m) + X[j], name="Y")
    s = sw.create_schedule([X, Y])
    s[X].fuse_with(Y, "j")
    assert s[X].axis == s[Y].axis
    a, b = whole((n, p), 1), whole((n, p), 2)
    x, y = sw.build(s, [A, B, X, Y], target=target).run(a, b)
    np.testing.assert_array_equal(x, a.sum(axis=1))
    np.testing.assert_array_equal(y, a.sum(axis=1) + b.sum(axis=1))


def test_a_cut_has_no_guard_in_whole_blocks():
    m = Matmul()
    m.s[m.C].split("j", 4, tail="cut")
    assert "min(" not in str(m.s)
    assert "For j.o in range(2)" in str(m.s) and "If" not in str(m.s)


def on_grid(s, C, grid):
    s[C].parallel("i", "j", grid=grid)


def on_rows_and_columns(s, C, _):
    s[C].bind("j", "column")
    s[C].bind("i", "row")


def on_rows(s, C, _):
    s[C].bind("i", "row")


def on_columns_of_tiles(s, C, _):
    io, jo, _, _ = s[C].tile("i", "j", 4, 3)
    s[C].reorder(jo, io)
    s[C].bind(jo, "column")
    s[C].bind(io, "row")


def staged_on_a_grid(s, C, grid):
    on_grid(s, C, grid)
    s.buffer_read(s.tensors["A"], ["k"], at="j")
    s.buffer_write(C, at="j")


@pytest.mark.parametrize("grid", [(8, 8), (3, 5), (1, 8)])
@pytest.mark.parametrize(
    "apply",
    [on_grid, on_rows_and_columns, on_rows, on_columns_of_tiles, staged_on_a_grid],
    ids=lambda f: f.__name__,
)
def test_a_mesh_of_cores(apply, grid, target):
    m = Matmul(m=19, n=21)
    apply(m.s, m.C, grid)
    kernel = m.check(target)
    if target != "sw26010":
        assert "has no mesh of cores" in str(kernel.report())


def test_the_first_axis_of_a_grid_runs_on_rows():
    m = Matmul(m=16, n=32)
    m.s[m.C].parallel("i", "j", grid=(8, 8))
    code = "\n".join(m.check("sw26010").source.values())
    assert "% 8" in code and "/ 8" in code


@pytest.mark.parametrize(
    ("apply", "what"),
    [
        (lambda s, C: s[C].bind("i", "warp"), "no target has a 'warp'"),
        (lambda s, C: s[C].parallel("i", "j", grid=(16, 4)), "has too few"),
    ],
)
def test_a_mesh_that_the_target_lacks(apply, what):
    m = Matmul()
    apply(m.s, m.C)
    with pytest.raises(sw.UnsupportedError) as caught:
        sw.build(m.s, [m.A, m.B, m.C], target="sw26010")
    assert what in caught.value.what


def test_a_mask_without_vectors_is_a_remark():
    m = Matmul()
    _, ji = m.s[m.C].split("j", 4, tail="mask")
    assert "the loop is not vectorized" in str(m.check("host").report())
    m.s[m.C].vectorize(ji)
    assert "tail=mask" not in str(m.check("host").report())
    assert "has no vectors" in str(m.check("c").report())


def test_a_race_names_the_width_that_is_legal(target):
    A = sw.placeholder((24,), name="A")
    S = sw.recurrence(
        (24,), lambda S, i: A[i] + sw.select(i >= 4, S[i - 4], 0), dtype="float32", name="S"
    )
    s = sw.create_schedule(S)
    with pytest.raises(sw.IllegalScheduleError) as caught:
        s[S].vectorize("i")
    assert "factor=4" in caught.value.fix and "4 iterations apart" in caught.value.why
    _, inner = s[S].split("i", factor=4)
    s[S].vectorize(inner)
    a = whole((24,))
    expected = a.reshape(6, 4).cumsum(axis=0).reshape(24)
    np.testing.assert_array_equal(sw.build(s, [A, S], target=target).run(a), expected)
