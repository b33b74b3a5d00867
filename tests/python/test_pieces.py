"""Domains and regions of many pieces, which isl does not take apart by itself."""

import numpy as np
import pytest
import solway as sw


def two_sides(k, i, j):
    return sw.any_of(i < k, k > 3)


def a_hole(k, i, j):
    return sw.any_of(i < k, i > k + 2)


def three_pieces(k, i, j):
    return sw.any_of(
        sw.all_of(k - 2 * i >= 3, 3 - k + 2 * i - 2 * j >= 0),
        sw.all_of(2 * k + 2 * i + 2 * j <= -4, k + j <= -3),
        sw.all_of(3 + 2 * k - 2 * i + j >= 0, 5 - 2 * k - 2 * i + 2 * j >= 0),
    )


WHERE = {
    two_sides: lambda k, i, j: i < k or k > 3,
    a_hole: lambda k, i, j: i < k or i > k + 2,
    three_pieces: lambda k, i, j: (
        (k - 2 * i >= 3 and 3 - k + 2 * i - 2 * j >= 0)
        or (2 * k + 2 * i + 2 * j <= -4 and k + j <= -3)
        or (3 + 2 * k - 2 * i + j >= 0 and 5 - 2 * k - 2 * i + 2 * j >= 0)
    ),
}
SHAPE = (6, 7, 2)


def updated(where):
    A = sw.placeholder(SHAPE, "int32", name="A")
    B = sw.update(A, SHAPE, lambda k, i, j: (k, i, j), lambda k, i, j: A[k, i, j] * 2, where, "B")
    return B, sw.create_schedule(B)


def fuse_two(s, B):
    k, i, _ = s[B].axis
    s[B].fuse(k, i)


def fuse_all(s, B):
    k, i, j = s[B].axis
    s[B].fuse(k, s[B].fuse(i, j))


def split_and_fuse(s, B):
    k, i, _ = s[B].axis
    outer, inner = s[B].split(i, 3)
    s[B].fuse(s[B].fuse(k, outer), inner)


@pytest.mark.parametrize("change", [fuse_two, fuse_all, split_and_fuse])
@pytest.mark.parametrize("where", WHERE)
def test_fused_loops_of_a_union_run_the_instances_that_are_there(where, change):
    B, s = updated(where)
    change(s, B)
    assert str(s).count("For ") == len(s[B].axis)
    a = np.arange(84, dtype="int32").reshape(SHAPE)
    want = a.copy()
    for index in np.ndindex(*SHAPE):
        want[index] *= 2 if WHERE[where](*index) else 1
    got = a.copy()
    sw.build(s, [B], target="c")(got)
    assert np.array_equal(got, want)


def test_a_buffer_under_a_skewed_block_loop_is_decided():
    A = sw.placeholder((4, 4), "int32", name="A")
    k = sw.reduce_axis(4, name="k")

    def value(i, j):
        return sw.sum(sw.select(k <= i, A[k, j], 0), axis=k) - A[i, j]

    P = sw.compute((4, 4), value, name="P")
    s = sw.create_schedule(P)
    blocks, inner = s[P].split(P.axis[1], factor=3)
    s[P].reorder(inner, P.axis[0])
    s[P].skew(inner, by=P.axis[0], factor=-2)
    s.buffer_read(A, [blocks, P.axis[0], k])
    a = np.arange(16, dtype="int32").reshape(4, 4) ** 2
    got = sw.build(s, [A, P], target="c").run(a)
    assert np.array_equal(got, np.cumsum(a, axis=0) - a)
