"""Tensors without elements and of one: they build, run and print as any other, under primitives."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw


def copy(*shape):
    A = sw.placeholder(shape, name="A")
    C = sw.compute(shape, lambda *i: A[i] + 1, name="C")
    return [A], [C], lambda a: a + 1


def product(m, n, p):
    A, B = sw.placeholder((m, p), name="A"), sw.placeholder((p, n), name="B")
    k = sw.reduce_axis(p, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return [A, B], [C], np.matmul


def total(extent):
    A = sw.placeholder((extent,), name="A")
    k = sw.reduce_axis(extent, name="k")
    return [A], [sw.compute((), lambda: sw.sum(A[k], axis=k), name="C")], np.sum


def scan(steps):
    A = sw.placeholder((steps, 3), name="A")
    body = lambda H, t, i: A[t, i] + sw.select(t > 0, H[t - 1, i], 0)  # noqa: E731
    H = sw.recurrence((steps, 3), body, dtype="float32", name="H")
    return [A], [H], lambda a: np.cumsum(a, axis=0)


def both(rows, terms):
    A = sw.placeholder((rows, terms), name="A")
    k = sw.reduce_axis(terms, name="k")
    fold = sw.reducer(lambda a, b: (a[0] + b[0], sw.maximum(a[1], b[1])), (0, -1), name="fold")
    C, D = sw.compute((rows,), lambda i: fold((A[i, k], A[i, k]), axis=k), name="C")
    return [A], [C, D], lambda a: (a.sum(1), a.max(1, initial=-1))


def gather(rows):
    T, I = sw.placeholder((5,), name="T"), sw.placeholder((rows,), "int64", name="I")  # noqa: E741
    C = sw.compute((rows,), lambda i: T[sw.bounded(I[i], 0, 5)], name="C")
    return [T, I], [C], lambda t, i: t[i]


PROGRAMS = {
    "copy of nothing": lambda: copy(0),
    "copy of no rows": lambda: copy(0, 4),
    "copy of no columns": lambda: copy(4, 0),
    "copy of a number": lambda: copy(),
    "product of no rows": lambda: product(0, 3, 4),
    "product of no terms": lambda: product(3, 4, 0),
    "product of nothing": lambda: product(0, 0, 0),
    "sum of terms": lambda: total(5),
    "sum of nothing": lambda: total(0),
    "scan of no steps": lambda: scan(0),
    "fold of nothing": lambda: both(4, 0),
    "fold in no rows": lambda: both(0, 4),
    "gather of nothing": lambda: gather(0),
}
PRIMITIVES = {
    "none": lambda s, C, axes, terms: None,
    "split": lambda s, C, axes, terms: s[C].split(axes[0], factor=4),
    "parallel": lambda s, C, axes, terms: s[C].parallel(axes[0]),
    "vectorize": lambda s, C, axes, terms: s[C].vectorize(axes[-1]),
    "buffer_write": lambda s, C, axes, terms: s.buffer_write(C, at=axes[0]),
    "fuse": lambda s, C, axes, terms: s[C].fuse(axes[0], axes[1]),
    "terms": lambda s, C, axes, terms: s[C].split(terms[0], parts=3),
}


@pytest.mark.parametrize("primitive", PRIMITIVES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_they_run_and_print(name, primitive):
    inputs, outputs, reference = PROGRAMS[name]()
    s = sw.create_schedule(outputs)
    axes, terms = list(s[outputs[0]].axis), list(s[outputs[0]].reduce_axis)
    needed = {"none": [], "fuse": axes[1:], "terms": terms}.get(primitive, axes)
    if primitive != "none" and not needed:
        return
    PRIMITIVES[primitive](s, outputs[0], axes, terms)
    assert str(s) and s.to_python() and str(s.explain("host"))
    arrays = [np.ones(t.shape, t.dtype) for t in inputs]
    expected = reference(*arrays)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for target in ("host", "c", "sw26010") if primitive == "none" else ("host", "c"):
        got = sw.build(s, [*inputs, *outputs], target=target).run(*arrays)
        got = got if isinstance(got, tuple) else (got,)
        for one, other in zip(got, expected, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_schedule_without_iterations_says_so():
    (_, outputs, _) = copy(0)
    assert str(sw.create_schedule(outputs)) == "# nothing to run: no loop has an iteration\n"
