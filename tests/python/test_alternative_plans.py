"""Every plan that `auto_schedule` lists is right, not only the one that the model prefers."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway import _core
from solway.expr import here
from support.cpu_plans import alternatives, apply_plans, cpu
from support.guarded import GuardedKernel

# A machine with little cache copies, blocks and asks for lines where another one does not.
LITTLE, SOME, USUAL = 1024, 8192, 1048576


def product(m, n, depth, dtype="float32"):
    A = sw.placeholder((m, depth), dtype, name="A")
    B = sw.placeholder((depth, n), dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return [A, B], C, np.matmul


def layer(m, n, depth):
    """The lanes of B lie apart, and what follows stands in its tiles."""
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((n, depth), name="B")
    b = sw.placeholder((n,), name="b")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[j, k], axis=k), name="C")
    D = sw.compute((m, n), lambda i, j: sw.maximum(C[i, j] + b[j], 0), name="D")
    return [A, B, b], D, lambda x, y, z: np.maximum(x @ y.T + z, 0)


def convolution(filters, channels, size, window, stride):
    """Filters in blocks of 16, as libraries store them; the last tile of a loop is smaller."""
    out = (size - window) // stride + 1
    X = sw.placeholder((channels, size, size, 4), name="X")
    W = sw.placeholder((filters, channels, window, window, 4, 16), name="W")
    extents = {"co": channels, "r": window, "q": window, "ci": 4}
    co, r, q, ci = (sw.reduce_axis(extent, name=x) for x, extent in extents.items())
    C = sw.compute(
        (filters, out, out, 16),
        lambda f, y, x, v: sw.sum(
            X[co, y * stride + r, x * stride + q, ci] * W[f, co, r, q, ci, v], axis=[co, r, q, ci]
        ),
        name="C",
    )

    def right(x, w):
        total = np.zeros((filters, out, out, 16), "float32")
        end = (out - 1) * stride + 1
        for row in range(window):
            for column in range(window):
                part = x[:, row : row + end : stride, column : column + end : stride]
                total += np.einsum("cyxi,fciv->fyxv", part, w[:, :, row, column])
        return total

    return [X, W], C, right


def depthwise(channels, size):
    X = sw.placeholder((channels, size, size), name="X")
    W = sw.placeholder((channels, 3, 3), name="W")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    C = sw.compute(
        (channels, size - 2, size - 2),
        lambda c, y, x: sw.sum(X[c, y + r, x + q] * W[c, r, q], axis=[r, q]),
        name="C",
    )

    def right(x, w):
        windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(1, 2))
        return np.einsum("cyxrq,crq->cyx", windows, w)

    return [X, W], C, right


def batched(dtype):
    A, B = (sw.placeholder((3, n, 37), dtype, name=x) for n, x in ((7, "A"), (21, "B")))
    k = sw.reduce_axis(37, name="k")
    C = sw.compute((3, 7, 21), lambda b, i, j: sw.sum(A[b, i, k] * B[b, j, k], axis=k), name="C")
    return [A, B], C, lambda x, y: x @ y.transpose(0, 2, 1)


def bytes_product(m, n, depth):
    A = sw.placeholder((m, depth), "uint8", name="A")
    B = sw.placeholder((n, depth), "int8", name="B")
    k = sw.reduce_axis(depth, name="k")
    wide = lambda e: sw.cast(e, "int32")  # noqa: E731
    C = sw.compute((m, n), lambda i, j: sw.sum(wide(A[i, k]) * wide(B[j, k]), axis=k), name="C")
    return [A, B], C, lambda x, y: x.astype("int32") @ y.astype("int32").T


def rows(m, n):
    """What a softmax has: rows are reduced, and their elements computed with that."""
    A = sw.placeholder((m, n), name="A")
    k, h = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="h")
    M = sw.compute((m,), lambda i: sw.max(A[i, k], axis=k), name="M")
    E = sw.compute((m, n), lambda i, j: A[i, j] - M[i], name="E")
    S = sw.compute((m,), lambda i: sw.sum(E[i, h], axis=h), name="S")
    Y = sw.compute((m, n), lambda i, j: E[i, j] * 2 - S[i], name="Y")

    def right(a):
        e = a - a.max(axis=1, keepdims=True)
        return e * 2 - e.sum(axis=1, keepdims=True)

    return [A], Y, right


PROGRAMS = {
    "product": (lambda: product(29, 77, 33), USUAL),
    "product of rows far apart": (lambda: product(13, 40, 300, "float64"), LITTLE),
    "one row": (lambda: product(1, 101, 19), LITTLE),
    "layer": (lambda: layer(19, 45, 70), USUAL),
    "layer of many rows": (lambda: layer(61, 40, 72), USUAL),
    "product of many rows": (lambda: product(70, 40, 36), LITTLE),
    "1 x 1": (lambda: convolution(9, 3, 17, 1, 1), LITTLE),
    "1 x 1 of near filters": (lambda: convolution(9, 3, 17, 1, 1), SOME),
    "1 x 1 / 2": (lambda: convolution(5, 3, 13, 1, 2), LITTLE),
    "3 x 3 / 2": (lambda: convolution(3, 2, 12, 3, 2), USUAL),
    "3 x 3": (lambda: convolution(2, 3, 9, 3, 1), LITTLE),
    "depthwise": (lambda: depthwise(5, 23), LITTLE),
    "batched": (lambda: batched("float32"), USUAL),
    "batched integers": (lambda: batched("int32"), USUAL),
    "bytes": (lambda: bytes_product(11, 35, 45), USUAL),
    "rows": (lambda: rows(9, 75), LITTLE),
}


def kernel_of(output, inputs, machine, picks):
    s = sw.create_schedule(output)
    apply_plans(s, machine, picks)
    return s, GuardedKernel(sw.build(s, [*inputs, output], target="host"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_plans_of_a_stage(name):
    made, cache_bytes = PROGRAMS[name]
    inputs, output, right = made()
    machine = cpu("x86-64-v3", cache_bytes)
    rng = np.random.default_rng(1)
    arrays = [rng.integers(0, 5, t.shape).astype(t.dtype) for t in inputs]
    expected = right(*arrays)
    listed = alternatives(sw.create_schedule(output), machine)
    assert listed
    for stage, count in listed.items():
        for pick in range(count):
            s, kernel = kernel_of(output, inputs, machine, {stage: pick})
            np.testing.assert_array_equal(
                kernel.run(*arrays), expected, f"{pick}:\n{s.to_python()}"
            )


@pytest.mark.parametrize(
    "name", ["layer of many rows", "product of many rows", "1 x 1 of near filters"]
)
def test_tiles_run_in_groups_and_terms_together(name):
    made, cache_bytes = PROGRAMS[name]
    _, output, _ = made()
    machine = cpu("x86-64-v3", cache_bytes)
    *_, listed = _core.auto_schedule(
        sw.create_schedule(output)._state, machine._machine, {}, here()
    )
    texts = [text for _, plans in listed for text, *_ in plans]
    assert any("groups of" in text for text in texts)
    assert any("together" in text for text in texts)


def test_plans_with_little_cache_ask_for_lines_of_the_next_tile():
    _, output, _ = convolution(5, 3, 13, 1, 2)
    machine = cpu("x86-64-v3", LITTLE)
    texts = []
    for pick in range(alternatives(sw.create_schedule(output), machine)["C"]):
        s = sw.create_schedule(output)
        apply_plans(s, machine, {"C": pick})
        texts.append(s.to_python())
    assert any("inside=" in text for text in texts)
