"""Kernels for SX-Aurora's vector engine: their assembly, and what a model of it computes.

There is neither such a machine nor an emulator here: support/ve_machine.py runs the assembly,
instruction by instruction.
"""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
import solway as sw
from support.foreign import blocked_product, loops_of
from support.ve_kernels import (
    ELEMENTS,
    FLOATS,
    LETTER,
    built,
    random,
    require_vectors_only,
    vectorized,
)

N = 300  # a vector and 44 lanes


def product(m, n, k, dtype):
    return blocked_product(dtype, m, n, k, 8, 256)


@pytest.mark.parametrize("dtype", FLOATS)
def test_whole_vectors_are_multiplied_by_numbers(dtype, tmp_path):
    kernel, assembly = built(*product(16, 512, 64, dtype))
    multiply = "pvfmad" if dtype == "float32" else "vfmad.d"
    loop = max(loops_of(assembly), key=lambda lines: sum(multiply in line for line in lines))
    products = [line for line in loop if multiply in line]
    assert len(products) == (4 if dtype == "float32" else 8)  # of 8 rows, two in a register
    assert all(re.search(r"%v\d+, %v\d+, %s\d+, %v\d+$", line) for line in products)
    assert any(line.startswith("lvl") for line in loop)
    assert not any(re.match(r"f(mul|add)\.", line) or "%s11" in line for line in loop)
    a, b = random((16, 64), dtype), random((64, 512), dtype, 1)
    np.testing.assert_allclose(kernel.run(a, b), a @ b, rtol=1e-4, atol=1e-4)
    names = {path.name for path in kernel.save(tmp_path)}
    assert {"k.o", "libk.a", "k.h", "Makefile"} < names and "libk.so" not in names
    assert (tmp_path / "k.o").read_bytes()[18:20] == b"\xfb\x00"  # EM_VE


def test_kernels_are_not_run_here():
    s, arguments = product(16, 512, 64, "float32")
    kernel = sw.build(s, arguments, target="ve", name="gemm")
    with pytest.raises(sw.UnsupportedError, match="'ve' cannot be run here"):
        kernel.run(random((16, 64), "float32"), random((64, 512), "float32"))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [45, 301])
def test_a_product_of_odd_sizes_has_shorter_vectors(dtype, n):
    kernel, assembly = built(*product(13, n, 65, dtype))
    require_vectors_only(kernel, assembly)
    is_packed = dtype == "float32" and n > 256  # sums that stay in registers
    count = 3 if is_packed else 5  # for 5 rows
    rests = [loop for loop in loops_of(assembly) if sum("vfmad" in line for line in loop) == count]
    assert rests and not any("%s11" in line for loop in rests for line in loop)
    a, b = random((13, 65), dtype), random((65, n), dtype, 1)
    np.testing.assert_allclose(kernel.run(a, b), a @ b, rtol=1e-4, atol=1e-4)


def test_what_a_rest_computes_is_as_long_as_the_rest():
    A, B = (sw.placeholder((N,), name=name) for name in "AB")
    C = sw.compute((N,), lambda i: A[i] * B[i] / (A[i] + 2), name="C")
    _, assembly = built(vectorized(C), [A, B, C])
    body = assembly.split(".Lfunc_end0")[0]
    lengths, present, seen = {}, None, []
    for line in body.splitlines():
        if match := re.match(r"\t(?:lea|or) (%s\d+), (\d+)(?:, \(0\)1)?$", line):
            lengths[match[1]] = match[2]
        elif match := re.match(r"\tlvl (%s\d+)", line):
            present = int(lengths[match[1]])
        elif re.match(r"\tv[a-z]", line):
            seen.append(present)
    assert seen.count(256) == seen.count(44) > 3 and set(seen) == {44, 256}


def softmax(rows, n, dtype):
    X = sw.placeholder((rows, n), dtype=dtype, name="X")
    k, j = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="j")
    M = sw.compute((rows,), lambda i: sw.max(X[i, k], axis=k), name="M")
    E = sw.compute((rows, n), lambda i, x: sw.exp(X[i, x] - M[i]), name="E")
    S = sw.compute((rows,), lambda i: sw.sum(E[i, j], axis=j), name="S")
    Y = sw.compute((rows, n), lambda i, x: E[i, x] / S[i], name="Y")
    return vectorized(M, E, S, Y), [X, Y]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [7, 300, 2000])
def test_a_softmax_is_vectors_only(dtype, n):
    kernel, assembly = built(*softmax(5, n, dtype))
    require_vectors_only(kernel, assembly)
    letter = LETTER[dtype]
    for name in (f"vfrmax.{letter}.fst", f"vfsum.{letter}", f"vfmad.{letter}", f"vfdiv.{letter}"):
        assert name in assembly
    x = random((5, n), dtype) * 3
    e = np.exp((x - x.max(axis=1, keepdims=True)).astype("float64"))
    expected = e / e.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(kernel.run(x), expected, rtol={"s": 3e-5, "d": 1e-13}[letter])


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_layer_norm_is_vectors_only(dtype):
    rows, n = 5, 1000
    X = sw.placeholder((rows, n), dtype=dtype, name="X")
    G, B = (sw.placeholder((n,), dtype=dtype, name=name) for name in "GB")
    k, j = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="j")
    M = sw.compute((rows,), lambda i: sw.sum(X[i, k], axis=k) / n, name="M")
    V = sw.compute((rows,), lambda i: sw.sum((X[i, j] - M[i]) ** 2, axis=j), name="V")
    Y = sw.compute(
        (rows, n),
        lambda i, x: (X[i, x] - M[i]) / sw.sqrt(V[i] / n + 1e-5) * G[x] + B[x],
        name="Y",
    )
    kernel, assembly = built(vectorized(M, V, Y), [X, G, B, Y])
    require_vectors_only(kernel, assembly)
    x, g, b = random((rows, n), dtype), random(n, dtype, 1), random(n, dtype, 2)
    wide = x.astype("float64")
    mean, variance = wide.mean(axis=1, keepdims=True), wide.var(axis=1, keepdims=True)
    expected = (wide - mean) / np.sqrt(variance + 1e-5) * g + b
    np.testing.assert_allclose(kernel.run(x, g, b), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_gelu_is_vectors_only(dtype):
    X = sw.placeholder((3, N), dtype=dtype, name="X")
    Y = sw.compute((3, N), lambda i, j: X[i, j] * 0.5 * (1 + sw.erf(X[i, j] * 2**-0.5)), name="Y")
    kernel, assembly = built(vectorized(Y), [X, Y])
    require_vectors_only(kernel, assembly)
    x = random((3, N), dtype)
    expected = x * 0.5 * (1 + np.vectorize(math.erf)(x * 2**-0.5))
    np.testing.assert_allclose(kernel.run(x), expected, rtol=1e-5, atol=1e-6)


def windows(x, size, stride=1):
    view = np.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(1, 2))
    return view[:, ::stride, ::stride]


def by_windows(size, stride, n, dtype, combine, name, weights=()):
    """A stage of windows of two images, along whose rows vectors go."""
    wide = stride * (n - 1) + size
    X = sw.placeholder((2, wide, wide), dtype=dtype, name="X")
    W = sw.placeholder((2, size, size), dtype=dtype, name="W") if weights else None
    a, b = sw.reduce_axis(size, name="a"), sw.reduce_axis(size, name="b")

    def value(c, y, x):
        read = X[c, stride * y + a, stride * x + b]
        return combine(read * W[c, a, b] if weights else read, axis=(a, b))

    Y = sw.compute((2, n, n), value, name=name)
    s = sw.create_schedule(Y)
    s[Y].reorder(Y.axis[0], Y.axis[1], a, b, Y.axis[2])
    s[Y].vectorize(Y.axis[2])
    return s, [X, W, Y] if weights else [X, Y], wide


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("size", "stride", "n"), [(2, 2, 17), (3, 1, 259)])
def test_max_pooling_is_vectors_only(dtype, size, stride, n):
    s, arguments, wide = by_windows(size, stride, n, dtype, sw.max, "pool")
    kernel, assembly = built(s, arguments)
    require_vectors_only(kernel, assembly)
    load = "vldu" if dtype == "float32" else "vld"
    step = stride * (4 if dtype == "float32" else 8)
    assert re.search(rf"\t{load} %v\d+, {step}, ", assembly)
    assert "vmrg" in assembly and "vfmk" in assembly
    x = random((2, wide, wide), dtype)
    x[0, 3, 3] = np.nan
    np.testing.assert_array_equal(kernel.run(x), windows(x, size, stride).max((3, 4)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_depthwise_convolution_is_vectors_only(dtype):
    s, arguments, wide = by_windows(3, 1, 70, dtype, sw.sum, "conv", weights=(3, 3))
    kernel, assembly = built(s, arguments)
    require_vectors_only(kernel, assembly)
    assert f"vfmad.{LETTER[dtype]}" in assembly
    x, w = random((2, wide, wide), dtype), random((2, 3, 3), dtype, 1)
    expected = np.einsum("cyxij,cij->cyx", windows(x, 3), w)
    np.testing.assert_allclose(kernel.run(x, w), expected, rtol=1e-4, atol=1e-4)


def test_a_pointwise_convolution_is_vectors_only():
    channels, filters, pixels = 5, 11, 13 * 29
    X = sw.placeholder((channels, pixels), name="X")
    W = sw.placeholder((filters, channels), name="W")
    c = sw.reduce_axis(channels, name="c")
    Y = sw.compute((filters, pixels), lambda f, p: sw.sum(W[f, c] * X[c, p], axis=c), name="Y")
    s = sw.create_schedule(Y)
    s[Y].reorder(Y.axis[0], c, Y.axis[1])
    s[Y].vectorize(Y.axis[1])
    kernel, assembly = built(s, [X, W, Y])
    require_vectors_only(kernel, assembly)
    x, w = random((channels, pixels), "float32"), random((filters, channels), "float32", 1)
    np.testing.assert_allclose(kernel.run(x, w), w @ x, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_sizes_of_calls_are_lengths(dtype):
    n = sw.size("n", max=4096)
    A = sw.placeholder((n,), dtype=dtype, name="A")
    k, j = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="j")
    B = sw.compute((n,), lambda i: A[i] + A[n - 1 - i], name="B")
    S = sw.compute((1,), lambda i: sw.sum(A[k], axis=k), name="S")
    M = sw.compute((1,), lambda i: sw.max(A[j], axis=j), name="M")
    s = sw.create_schedule([B, S, M])
    for stage, axis in ((B, B.axis[0]), (S, k), (M, j)):
        s[stage].vectorize(axis)
    kernel, assembly = built(s, [A, B, S, M])
    require_vectors_only(kernel, assembly)
    for length in (1, 7, 255, 256, 257, 1024, 2500):
        a = random(length, dtype)
        b, total, most = kernel.run(a)
        np.testing.assert_array_equal(b, a + a[::-1])
        np.testing.assert_allclose(total, a.sum(), rtol=1e-3, atol=1e-3)
        assert most == a.max()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [44, N])
def test_extremes_of_lanes_give_nan(dtype, n):
    A = sw.placeholder((4, n), dtype=dtype, name="A")
    k, j = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="j")
    high = sw.compute((4,), lambda i: sw.max(A[i, k], axis=k), name="high")
    low = sw.compute((4,), lambda i: sw.min(A[i, j], axis=j), name="low")
    s = sw.create_schedule([high, low])
    s[high].vectorize(k)
    s[low].vectorize(j)
    kernel, _ = built(s, [A, high, low])
    a = random((4, n), dtype)
    a[1, n - 1], a[2, 0], a[3, 5] = np.nan, np.inf, -np.inf
    most, least = kernel.run(a)
    np.testing.assert_array_equal(most, a.max(axis=1))
    np.testing.assert_array_equal(least, a.min(axis=1))


def test_strides_are_of_loads_and_stores():
    A = sw.placeholder((N, 4), name="A")
    B = sw.compute((4, N), lambda c, i: A[i, 3 - c] * 2, name="B")
    C = sw.compute((N, 4), lambda i, c: A[i, c] + 1, name="C")
    s = sw.create_schedule([B, C])
    s[B].vectorize(B.axis[1])
    s[C].reorder(C.axis[1], C.axis[0])
    s[C].vectorize(C.axis[0])
    kernel, assembly = built(s, [A, B, C])
    require_vectors_only(kernel, assembly)
    assert re.search(r"vldu %v\d+, 16, ", assembly) and re.search(r"vstu %v\d+, 16, ", assembly)
    assert not re.search(r"\tv(gt|sc)u? ", assembly)
    a = random((N, 4), "float32")
    b, c = kernel.run(a)
    np.testing.assert_array_equal(b, a.T[::-1] * 2)
    np.testing.assert_array_equal(c, a + 1)


def test_vectors_outlive_calls():
    A, B = (sw.placeholder((N,), dtype="float64", name=name) for name in "AB")
    parts = (lambda a, b: a + b, sw.hypot, lambda a, b: a / b)  # of the same elements
    stages = [
        sw.compute((N,), lambda i, f=f: f(A[i], B[i]), name=f"C{n}") for n, f in enumerate(parts)
    ]
    s = sw.create_schedule(stages)
    for stage in stages:
        s[stage].vectorize(stage.axis[0])
    kernel, assembly = built(s, [A, B, *stages])
    first, call, last = (re.search(x, assembly) for x in (r"vfadd\.d", "hypot", r"vfdiv\.d"))
    assert first.start() < call.start() < last.start()
    a, b = random(N, "float64"), random(N, "float64", 1)
    for got, expected in zip(kernel.run(a, b), (a + b, np.hypot(a, b), a / b), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_sums_and_masks_outlive_calls_in_their_loop():
    """A sum that a loop carries, and a comparison before it, are needed after the calls."""
    A, P = (sw.placeholder((4, 512), dtype="float64", name=x) for x in "AP")
    L = sw.placeholder((512,), dtype="float64", name="L")
    k = sw.reduce_axis(4, name="k")
    Q = sw.compute((4, 512), lambda i, j: sw.hypot(P[i, j], A[i, j]), name="Q")
    C = sw.compute(
        (512,),
        lambda j: sw.sum(sw.select(L[j] < 0, A[k, j] * Q[k, j], A[k, j]), axis=k),
        name="C",
    )
    s = sw.create_schedule(C)
    jo, ji = s[C].split("j", 256)
    s[C].reorder(jo, k, ji)
    s[Q].compute_at(C, k)
    s.buffer_write(C, [ji], scope="register")
    s[C].vectorize(ji)
    kernel, assembly = built(s, [A, P, L, C])
    assert "vfadd.d" in assembly or "vfmad.d" in assembly
    a, p, limit = (
        random((4, 512), "float64"),
        random((4, 512), "float64", 1),
        random(512, "float64"),
    )
    expected = np.where(limit < 0, a * np.hypot(p, a), a).sum(axis=0)
    np.testing.assert_allclose(kernel.run(a, p, limit), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("dtype", "value", "why"),
    [
        ("float64", lambda a: sw.sin(a), "no vector form of 'sin' of float64"),
        ("float64", lambda a: sw.hypot(a, 3), "no vector form of 'hypot' of float64"),
        ("int8", lambda a: a**a, "no vector form of 'pow' of int8"),
    ],
)
def test_what_has_no_vectors_is_said(dtype, value, why):
    A = sw.placeholder((512,), dtype=dtype, name="A")
    B = sw.compute((512,), lambda i: value(A[i]), name="B")
    (remark,) = sw.build(vectorized(B), [A, B], target="ve").report()
    assert remark.step == "vectorize(i)" and why in remark.why
