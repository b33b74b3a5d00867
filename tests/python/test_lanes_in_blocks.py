"""Vectors that lie within a block of a layout, as `B[j // 16, k, j % 16]` has."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

BLOCK = 16


def product(n, m):
    """C[i, j] of a matrix in blocks of 16 columns."""
    A = sw.placeholder((m, 24), name="A")
    B = sw.placeholder((-(-n // BLOCK), 24, BLOCK), name="B")
    k = sw.reduce_axis(24, name="k")
    C = sw.compute(
        (m, n), lambda i, j: sw.sum(A[i, k] * B[j // BLOCK, k, j % BLOCK], axis=k), name="C"
    )
    return A, B, C


def rows_one_by_one(kernel):
    return [remark for remark in kernel.report() if "lane by lane" in str(remark)]


@pytest.mark.parametrize("target", ["host", "x86-64-v3", "c"])
@pytest.mark.parametrize(("n", "factor"), [(64, 8), (64, 24), (40, 8), (72, 24), (64, 4), (60, 12)])
def test_parts_of_blocks(n, factor, target):
    A, B, C = product(n, 5)
    s = sw.create_schedule(C)
    j_o, j_i = s[C].split(C.axis[1], factor=factor)
    s[C].reorder(j_o, C.axis[0], C.reduce_axis[0], j_i)
    s[C].vectorize(j_i)
    rng = np.random.default_rng(0)
    a = rng.integers(-3, 4, A.shape).astype(np.float32)
    b = rng.integers(-3, 4, B.shape).astype(np.float32)
    kernel = sw.build(s, [A, B, C], target=target)
    flat = b.transpose(1, 0, 2).reshape(24, -1)[:, :n]
    np.testing.assert_array_equal(kernel.run(a, b), a @ flat)


def test_a_vector_in_a_block_is_loaded_at_once():
    for factor in (8, 16, 24):
        A, B, C = product(96, 6)
        s = sw.create_schedule(C)
        j_o, j_i = s[C].split(C.axis[1], factor=factor)
        s[C].reorder(j_o, C.axis[0], C.reduce_axis[0], j_i)
        s[C].vectorize(j_i)
        assert not rows_one_by_one(sw.build(s, [A, B, C], target="x86-64-v3")), factor


def test_a_vector_across_blocks_is_not():
    A, B, C = product(96, 6)
    s = sw.create_schedule(C)
    j_o, j_i = s[C].split(C.axis[1], factor=12)
    s[C].reorder(j_o, C.axis[0], C.reduce_axis[0], j_i)
    s[C].vectorize(j_i)
    assert rows_one_by_one(sw.build(s, [A, B, C], target="x86-64-v3"))
