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


@pytest.mark.parametrize(
    "apply",
    [
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
