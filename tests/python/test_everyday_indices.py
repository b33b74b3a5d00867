"""Operators whose indices divide, stay at borders or begin again, or that read one array twice:
values, and what `auto_schedule` finds for those that nobody scheduled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.guarded import GuardedKernel

from tests.support.unscheduled import assert_values, built, inputs_of


def reads_in_vectors(text: str) -> bool:
    return "vectorize" in text


@pytest.mark.parametrize(("rows", "columns"), [(56, 56), (5, 100), (40, 17)])
@pytest.mark.parametrize("mode", ["edge", "reflect"])
def test_borders_that_repeat_what_is_inside(rows: int, columns: int, mode: str) -> None:
    a = sw.placeholder((3, rows, columns), name="A")

    def inside(i: sw.Expr, extent: int) -> sw.Expr:
        if mode == "edge":
            return sw.maximum(0, sw.minimum(i - 1, extent - 1))
        return sw.select(i == 0, 1, sw.select(i == extent + 1, extent - 2, i - 1))

    b = sw.compute(
        (3, rows + 2, columns + 2),
        lambda c, i, j: a[c, inside(i, rows), inside(j, columns)],
        name="B",
    )
    width = ((0, 0), (1, 1), (1, 1))
    expected = {"edge": lambda x: np.pad(x, width, mode="edge")}
    expected["reflect"] = lambda x: np.pad(x, width, mode="reflect")
    assert reads_in_vectors(assert_values([a, b], expected[mode]))


@pytest.mark.parametrize("shift", [1, 30, 99])
def test_rows_that_begin_again(shift: int) -> None:
    a = sw.placeholder((7, 100), name="A")
    b = sw.compute((7, 100), lambda i, j: a[i, (j + shift) % 100], name="B")
    assert reads_in_vectors(assert_values([a, b], lambda x: np.roll(x, -shift, 1)))
    c = sw.compute((14, 300), lambda i, j: a[i % 7, j % 100], name="C")
    assert reads_in_vectors(assert_values([a, c], lambda x: np.tile(x, (2, 3))))


@pytest.mark.parametrize(("bags", "words", "width"), [(64, 20, 128), (5, 3, 40), (1, 1, 300)])
def test_rows_that_data_choose(bags: int, words: int, width: int) -> None:
    table = sw.placeholder((500, width), name="T")
    rows = sw.placeholder((bags, words), "int32", name="I")
    k = sw.reduce_axis(words, name="k")
    s = sw.compute(
        (bags, width),
        lambda i, j: sw.sum(table[sw.bounded(rows[i, k], 0, 500), j], axis=k),
        name="S",
    )
    text, kernel = built([table, rows, s])
    rng = np.random.default_rng(4)
    a = rng.integers(-9, 10, (500, width)).astype("float32")
    i = rng.integers(0, 500, (bags, words)).astype("int32")
    np.testing.assert_array_equal(kernel.run(a, i), a[i].sum(1))
    assert "vectorize(S.axis[1])" in text or "vectorize(j" in text


@pytest.mark.parametrize("times", [2, 3, 4])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "float16"])
def test_elements_repeated_side_by_side(times: int, dtype: str) -> None:
    a = sw.placeholder((5, 100), dtype, name="A")
    b = sw.compute((5, 100 * times), lambda i, j: a[i, j // times] + 1, name="B")
    text = assert_values([a, b], lambda x: np.repeat(x, times, 1) + np.asarray(1, x.dtype))
    assert "unroll" in text and "vectorize" in text


def test_complex_numbers_side_by_side() -> None:
    a, b = (sw.placeholder((1000, 2), name=name) for name in "AB")

    def product(i: sw.Axis, c: sw.Axis) -> sw.Expr:
        real = a[i, 0] * b[i, 0] - a[i, 1] * b[i, 1]
        return sw.select(c == 0, real, a[i, 0] * b[i, 1] + a[i, 1] * b[i, 0])

    y = sw.compute((1000, 2), product, name="Y")

    def expected(p: np.ndarray, q: np.ndarray) -> np.ndarray:
        both = (p[:, 0] + 1j * p[:, 1]) * (q[:, 0] + 1j * q[:, 1])
        return np.stack([both.real, both.imag], 1).astype(np.float32)

    assert "unroll" in assert_values([a, b, y], expected)


@pytest.mark.parametrize("channels", [2, 3, 4, 5])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_channels_side_by_side_are_added_up(channels: int, dtype: str) -> None:
    a = sw.placeholder((9, 131, channels), dtype, name="A")
    weights = [77, 150, 29, 3, 5][:channels]

    def weighted(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        out = sw.cast(a[i, j, 0], "int32") * weights[0]
        for c in range(1, channels):
            out = out + sw.cast(a[i, j, c], "int32") * weights[c]
        return out

    b = sw.compute((9, 131), weighted, name="B")
    rng = np.random.default_rng(3)
    image = rng.integers(0, 256, a.shape).astype(dtype)
    _, kernel = built([a, b])
    expected = (image.astype(np.int32) * np.asarray(weights, np.int32)).sum(2)
    np.testing.assert_array_equal(kernel.run(image), expected)


def test_an_image_twice_as_large() -> None:
    a = sw.placeholder((3, 20, 26), "int32", name="A")

    def between(c: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        y, x = (i + 1) // 2, (j + 1) // 2
        down, right = sw.select(i % 2 == 0, 3, 1), sw.select(j % 2 == 0, 3, 1)
        above = a[c, y, x] * (4 - right) + a[c, y, x + 1] * right
        below = a[c, y + 1, x] * (4 - right) + a[c, y + 1, x + 1] * right
        return above * (4 - down) + below * down

    b = sw.compute((3, 36, 48), between, name="B")

    def expected(x: np.ndarray) -> np.ndarray:
        for axis, count in ((1, 36), (2, 48)):
            k = np.arange(count)
            first = np.take(x, (k + 1) // 2, axis)
            second = np.take(x, (k + 1) // 2 + 1, axis)
            weight = np.where(k % 2 == 0, 3, 1).reshape([-1 if d == axis else 1 for d in range(3)])
            x = first * (4 - weight) + second * weight
        return x.astype(np.int64)

    text = assert_values([a, b], expected)
    assert "factor=2" in text


@pytest.mark.parametrize(("groups", "image"), [(2, 20), (4, 7), (16, 9)])
def test_a_convolution_in_groups_shares_images_within_each(groups: int, image: int) -> None:
    channels = 32
    each = channels // groups
    x = sw.placeholder((channels, image + 2, image + 2), name="X")
    w = sw.placeholder((channels, each, 3, 3), name="W")
    c, r, q = (sw.reduce_axis(n, name=k) for n, k in ((each, "c"), (3, "r"), (3, "q")))
    y = sw.compute(
        (channels, image, image),
        lambda m, i, j: sw.sum(
            x[m // each * each + c, i + r, j + q] * w[m, c, r, q], axis=(c, r, q)
        ),
        name="Y",
    )

    def expected(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        out = np.zeros((channels, image, image), np.float32)
        for m in range(channels):
            for k in range(each):
                for i in range(3):
                    for j in range(3):
                        part = a[m // each * each + k, i : i + image, j : j + image]
                        out[m] += part * b[m, k, i, j]
        return out

    assert f"factor={each}" in assert_values([x, w, y], expected)


@pytest.mark.parametrize(("stride", "kernel"), [(2, 3), (2, 4), (3, 3)])
def test_a_transposed_convolution_adds_only_what_is_there(stride: int, kernel: int) -> None:
    depth, filters, image = 8, 5, 18
    pad = kernel // stride + 1
    size = (image - 1) * stride + kernel
    x = sw.placeholder((depth, image + 2 * pad), name="X")
    w = sw.placeholder((depth, filters, kernel), name="W")
    c, q = sw.reduce_axis(depth, name="c"), sw.reduce_axis(kernel, name="q")
    y = sw.compute(
        (filters, size),
        lambda m, i: sw.sum(
            x[c, (i - q) // stride + pad] * w[c, m, q],
            axis=(c, q),
            where=(i - q) % stride == 0,
        ),
        name="Y",
    )
    text, made = built([x, w, y])
    a, b = inputs_of([x, w, y])
    a[:, :pad] = a[:, pad + image :] = 0
    expected = np.zeros((filters, size), np.float32)
    for k in range(image):
        for n in range(kernel):
            expected[:, k * stride + n] += a[:, pad + k] @ b[:, :, n]
    np.testing.assert_array_equal(made.run(a, b), expected)
    assert f"factor={stride}" in text


def test_fast_math_leaves_out_products_with_zeros() -> None:
    x = sw.placeholder((8, 13), name="X")
    w = sw.placeholder((8, 6, 4), name="W")
    c, q = sw.reduce_axis(8, name="c"), sw.reduce_axis(4, name="q")

    def term(m: sw.Axis, i: sw.Axis) -> sw.Expr:
        at = i + 1 - q
        is_there = sw.all_of(at >= 0, at < 26, at % 2 == 0)
        return sw.sum(sw.select(is_there, x[c, at // 2], 0.0) * w[c, m, q], axis=(c, q)) + 1

    y = sw.compute((6, 26), term, name="Y")
    kernel = GuardedKernel(sw.build(y, fast_math=True, search=False))
    assert any(remark.verdict == "products with 0 are left out" for remark in kernel.report())
    a, b = inputs_of([x, w, y])
    expected = np.ones((6, 30), np.float32)
    for k in range(13):
        for n in range(4):
            expected[:, 2 * k + n] += a[:, k] @ b[:, :, n]
    np.testing.assert_array_equal(kernel.run(a, b), expected[:, 1:27])
    np.testing.assert_array_equal(sw.build(y, search=False).run(a, b), expected[:, 1:27])


@pytest.mark.parametrize(("rows", "depth"), [(64, 128), (33, 70), (5, 300)])
def test_an_array_times_itself(rows: int, depth: int) -> None:
    a = sw.placeholder((rows, depth), name="A")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((rows, rows), lambda i, j: sw.sum(a[i, k] * a[j, k], axis=k), name="C")
    text = assert_values([a, c], lambda x: x @ x.T)
    assert ("buffer_read" in text) == ("references=[" in text)
    columns = sw.reduce_axis(rows, name="k")
    d = sw.compute(
        (depth, depth), lambda i, j: sw.sum(a[columns, i] * a[columns, j], axis=columns), name="D"
    )
    assert_values([a, d], lambda x: x.T @ x)


def test_a_layer_between_products_leaves_them_their_tiles() -> None:
    rows, wide, narrow = 64, 1376, 256
    x = sw.placeholder((rows, narrow), name="X")
    a, b = (sw.placeholder((wide, narrow), name=name) for name in "AB")
    c = sw.placeholder((narrow, wide), name="C")
    k, m = sw.reduce_axis(narrow, name="k"), sw.reduce_axis(narrow, name="m")
    n = sw.reduce_axis(wide, name="n")
    g = sw.compute((rows, wide), lambda i, j: sw.sum(x[i, k] * a[j, k], axis=k), name="G")
    u = sw.compute((rows, wide), lambda i, j: sw.sum(x[i, m] * b[j, m], axis=m), name="U")
    h = sw.compute((rows, wide), lambda i, j: sw.maximum(g[i, j], 0.0) * u[i, j], name="H")
    y = sw.compute((rows, narrow), lambda i, j: sw.sum(h[i, n] * c[j, n], axis=n), name="Y")
    text, kernel = built([x, a, b, c, y])
    arrays = [v.clip(-1, 1) for v in inputs_of([x, a, b, c, y])]
    p, q, r, s = arrays
    np.testing.assert_array_equal(kernel.run(*arrays), (np.maximum(p @ q.T, 0) * (p @ r.T)) @ s.T)
    assert "s[H].compute_at(Y" not in text.replace('"', "")


@pytest.mark.parametrize(("rows", "columns", "depth"), [(64, 96, 128), (33, 77, 333), (17, 40, 30)])
@pytest.mark.parametrize("types", [("uint8", "int8"), ("int8", "int8"), ("uint8", "uint8")])
@pytest.mark.parametrize("by_columns", [False, True])
def test_products_of_bytes_that_lie_apart(
    rows: int, columns: int, depth: int, types: tuple[str, str], by_columns: bool
) -> None:
    a = sw.placeholder((rows, depth), types[0], name="A")
    b = sw.placeholder((columns, depth) if by_columns else (depth, columns), types[1], name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute(
        (rows, columns),
        lambda i, j: sw.sum(
            sw.cast(a[i, k], "int32") * sw.cast(b[j, k] if by_columns else b[k, j], "int32"), axis=k
        ),
        name="C",
    )
    _, kernel = built([a, b, c])
    rng = np.random.default_rng(5)
    x, y = (
        rng.integers(np.iinfo(t.dtype).min, np.iinfo(t.dtype).max, t.shape, endpoint=True).astype(
            t.dtype
        )
        for t in (a, b)
    )
    wide = y.astype(np.int64).T if by_columns else y.astype(np.int64)
    np.testing.assert_array_equal(kernel.run(x, y), x.astype(np.int64) @ wide)
    if "avx512_vnni" in Path("/proc/cpuinfo").read_text() and rows >= 33:
        assert "dot(" in kernel.ir
