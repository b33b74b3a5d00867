"""Operators in plain layouts that nobody scheduled: values, and what `auto_schedule` finds."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

from tests.support.unscheduled import assert_values, built, inputs_of, lanes


@pytest.mark.parametrize(("rows", "columns"), [(64, 64), (70, 100), (33, 48), (5, 100), (100, 5)])
def test_a_turned_matrix_runs_in_squares(rows: int, columns: int) -> None:
    a = sw.placeholder((columns, rows), name="A")
    b = sw.compute((rows, columns), lambda i, j: a[j, i], name="B")
    assert f"factor={lanes()}" in assert_values([a, b], np.transpose)


@pytest.mark.parametrize("dtype", ["float64", "float16", "int8", "int64", "bool"])
def test_squares_of_any_type(dtype: str) -> None:
    a = sw.placeholder((80, 72), dtype, name="A")
    c = sw.placeholder((72, 80), dtype, name="C")
    if dtype == "bool":
        b = sw.compute((72, 80), lambda i, j: a[j, i], name="B")
        assert_values([a, b], np.transpose)
    else:
        b = sw.compute((72, 80), lambda i, j: a[j, i] + c[i, j], name="B")
        assert_values([a, c, b], lambda x, y: x.T + y)


@pytest.mark.parametrize("image", [(7, 7), (14, 14), (5, 30), (56, 56)])
def test_short_rows_that_go_on_are_one_loop(image: tuple[int, int]) -> None:
    """Means of planes, and what follows them by channel."""
    a = sw.placeholder((6, *image), name="A")
    c = sw.placeholder((6,), name="C")
    r, q = (sw.reduce_axis(n, name=name) for n, name in zip(image, "rq", strict=True))
    b = sw.compute((6,), lambda i: sw.sum(a[i, r, q], axis=(r, q)), name="B")
    text = assert_values([a, b], lambda x: x.sum((1, 2)))
    assert "fuse(" in text or image == (56, 56)
    d = sw.compute((6, *image), lambda i, y, x: sw.maximum(a[i, y, x] + c[i], 0), name="D")
    text = assert_values([a, c, d], lambda x, y: np.maximum(x + y[:, None, None], 0))
    assert "fuse(" in text or image != (7, 7) or lanes() < 16
    t = sw.reduce_axis(6, name="t")
    w = sw.placeholder((9, 6, *image), name="W")
    e = sw.compute((9,), lambda f: sw.sum(w[f, t, r, q] * a[t, r, q], axis=(t, r, q)), name="E")
    assert_values([w, a, e], lambda x, y: x.reshape(9, -1) @ y.reshape(-1))


@pytest.mark.parametrize("window", [(8, 8), (7, 7), (5, 6), (3, 20), (2, 33)])
@pytest.mark.parametrize("dtype", ["float32", "int32", "float64", "int8"])
def test_lanes_of_windows_are_combined_once(window: tuple[int, int], dtype: str) -> None:
    """Sums and extremes of windows side by side, whose rows are vectors in part."""
    rows, columns = window
    a = sw.placeholder((5, 3 * rows, 4 * columns), dtype, name="A")
    r, q = (sw.reduce_axis(n, name=name) for n, name in zip(window, "rq", strict=True))
    for name in ("sum", "max", "min"):

        def reduced(i: sw.Axis, y: sw.Axis, x: sw.Axis, name: str = name) -> sw.Expr:
            return getattr(sw, name)(a[i, rows * y + r, columns * x + q], axis=(r, q))

        def expected(x: np.ndarray, name: str = name) -> np.ndarray:
            windows = x.reshape(5, 3, rows, 4, columns)
            return getattr(np, name)(windows, axis=(2, 4)).astype(dtype)

        assert_values([a, sw.compute((5, 3, 4), reduced, name="B")], expected)


@pytest.mark.parametrize("nan", [0, 13, 63])
def test_nan_of_a_window_is_found_in_any_lane(nan: int) -> None:
    a = sw.placeholder((4, 16, 16), name="A")
    r, q = sw.reduce_axis(8, name="r"), sw.reduce_axis(8, name="q")
    b = sw.compute(
        (4, 2, 2), lambda i, y, x: sw.max(a[i, 8 * y + r, 8 * x + q], axis=(r, q)), name="B"
    )
    _, kernel = built([a, b])
    x = np.random.default_rng(nan).integers(-99, 99, (4, 16, 16)).astype("float32")
    x[0] = -np.inf
    x[2, nan // 8, 8 + nan % 8] = np.nan
    got = kernel.run(x)
    np.testing.assert_array_equal(got, x.reshape(4, 2, 8, 2, 8).max((2, 4)))
    assert np.isnan(got).sum() == 1 and "lanes_0_q" in kernel.ir


@pytest.mark.parametrize("terms", [5, 7, 8, 12, 16])
@pytest.mark.parametrize("rows", [(64, 128), (3, 37), (1, 16), (2, 5)])
def test_sums_of_few_neighbours_are_turned(terms: int, rows: tuple[int, int]) -> None:
    a = sw.placeholder((*rows, terms), name="A")
    w = sw.placeholder((terms,), name="W")
    q, p = sw.reduce_axis(terms, name="q"), sw.reduce_axis(terms, name="p")
    b = sw.compute(rows, lambda i, j: sw.sum(a[i, j, q] * w[q], axis=q), name="B")
    assert_values([a, w, b], lambda x, y: x @ y)
    d = sw.compute(rows, lambda i, j: sw.sum(a[i, j, q] * a[i, j, q], axis=q) * 0.5, name="D")
    assert_values([a, d], lambda x: (x * x).sum(2) / 2)
    c = sw.compute(rows, lambda i, j: sw.max(a[i, j, p], axis=p), name="C")
    text = assert_values([a, c], lambda x: x.max(2))
    if rows == (64, 128) and lanes() == 16:
        assert "unroll(C.reduce_axis[0])" in text and "vectorize" in text


@pytest.mark.parametrize("channels", [2, 3, 4, 5])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "int16", "float64"])
def test_planes_of_channels_side_by_side(channels: int, dtype: str) -> None:
    a = sw.placeholder((9, 131, channels), dtype, name="A")
    b = sw.compute((channels, 9, 131), lambda c, i, j: a[i, j, c], name="B")
    assert_values([a, b], lambda x: x.transpose(2, 0, 1))
    d = sw.compute(
        (channels, 9, 131), lambda c, i, j: sw.cast(a[i, j, c], "float32") * 0.5, name="D"
    )
    text = assert_values([a, d], lambda x: x.transpose(2, 0, 1).astype(np.float32) / 2)
    assert "unroll" in text or channels > 4


@pytest.mark.parametrize(("taps", "image"), [(5, 64), (7, 50), (9, 40), (4, 33), (7, 17)])
def test_windows_that_choose_zeros_beyond_the_border(taps: int, image: int) -> None:
    """A factor 0 stays one: 0 * inf is NaN."""
    before = taps // 2
    x = sw.placeholder((3, image, image), name="X")
    w = sw.placeholder((10, 3, taps, taps), name="W")
    c, r, q = (sw.reduce_axis(n, name=k) for n, k in ((3, "c"), (taps, "r"), (taps, "q")))

    def term(f: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        y, z = i + r - before, j + q - before
        is_inside = sw.all_of(0 <= y, y < image, 0 <= z, z < image)
        return sw.sum(sw.select(is_inside, x[c, y, z], 0.0) * w[f, c, r, q], axis=(c, r, q))

    _, kernel = built([x, w, sw.compute((10, image, image), term, name="Y")])
    a, b = inputs_of([x, w, x])
    padded = np.pad(a, ((0, 0), *[(before, taps - 1 - before)] * 2))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (taps, taps), (1, 2))
    np.testing.assert_array_equal(kernel.run(a, b), np.einsum("cijrq,fcrq->fij", windows, b))
    assert not any("lane by lane" in remark.verdict for remark in kernel.report())
    b[4, 1, 0, 0] = np.inf
    with np.errstate(invalid="ignore"):
        expected = np.einsum("cijrq,fcrq->fij", windows, b)
    got = kernel.run(a, b)
    np.testing.assert_array_equal(np.isnan(got[4]), np.isnan(expected[4]))
    assert np.isnan(got[4, 0, 0]) and not np.isnan(got[:4]).any()


def test_squares_of_two_operands_and_of_three_dimensions() -> None:
    a, c = (sw.placeholder((40, 6, 50), name=name) for name in "AC")
    b = sw.compute((50, 6, 40), lambda i, h, j: a[j, h, i] - 2.0 * c[j, h, i], name="B")
    assert_values([a, c, b], lambda x, y: (x - 2 * y).transpose(2, 1, 0))


def test_elements_in_the_other_order_and_every_second() -> None:
    a = sw.placeholder((1001,), name="A")
    b = sw.compute((1001,), lambda i: a[1000 - i], name="B")
    assert "vectorize" in assert_values([a, b], lambda x: x[::-1])
    c = sw.compute((500,), lambda i: a[2 * i + 1] - a[2 * i], name="C")
    assert "vectorize" in assert_values([a, c], lambda x: x[1:1000:2] - x[:1000:2])


def test_what_has_a_border_or_parts_is_cut_where_these_meet() -> None:
    a = sw.placeholder((6, 20, 24), name="A")

    def framed(c: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        inside = sw.all_of(1 <= i, i < 21, 2 <= j, j < 26)
        return sw.select(inside, a[c, i - 1, j - 2], -1.0)

    b = sw.compute((6, 22, 29), framed, name="B")
    text, kernel = built([a, b])
    arrays = inputs_of([a, b])
    expected = np.pad(arrays[0], [(0, 0), (1, 1), (2, 3)], constant_values=-1)
    np.testing.assert_array_equal(kernel.run(*arrays), expected)
    assert "vectorize(B.axis[2])" in text
    assert not [r for r in kernel.report() if r.verdict == "ran lane by lane"]


def test_a_window_of_guarded_reads() -> None:
    """Nine conditions, which are not all told apart."""
    a = sw.placeholder((20, 40), name="A")

    def near(i: sw.Expr, j: sw.Expr) -> sw.Expr:
        return sw.select(sw.all_of(0 <= i, i < 20, 0 <= j, j < 40), a[i, j], 0.0)

    def window(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        terms = [near(i + r, j + q) for r in (-1, 0, 1) for q in (-1, 0, 1)]
        return sum(terms[1:], terms[0])

    b = sw.compute((20, 40), window, name="B")

    def reference(x: np.ndarray) -> np.ndarray:
        wide = np.pad(x, 1)
        return sum(wide[r : r + 20, q : q + 40] for r in range(3) for q in range(3))

    assert_values([a, b], reference)


def test_tensors_side_by_side() -> None:
    a, b, c = (sw.placeholder((9, n), name=x) for n, x in ((30, "A"), (33, "B"), (2, "C")))

    def beside(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        return sw.select(j < 30, a[i, j], sw.select(j < 63, b[i, j - 30], c[i, j - 63]))

    d = sw.compute((9, 65), beside, name="D")
    _, kernel = built([a, b, c, d])
    arrays = inputs_of([a, b, c, d])
    np.testing.assert_array_equal(kernel.run(*arrays), np.concatenate(arrays, axis=1))
    assert not [r for r in kernel.report() if r.verdict == "ran lane by lane"]


def test_the_mean_of_columns_is_not_computed_column_by_column() -> None:
    x = sw.placeholder((64, 96), name="X")
    k, t = sw.reduce_axis(64, name="k"), sw.reduce_axis(64, name="t")
    m = sw.compute((96,), lambda j: sw.sum(x[k, j], axis=k) / 64.0, name="M")
    v = sw.compute((96,), lambda j: sw.sum((x[t, j] - m[j]) * (x[t, j] - m[j]), axis=t), name="V")
    text, kernel = built([x, v])
    assert "compute_at" not in text
    (array,) = inputs_of([x, v])
    expected = 64 * array.astype("float64").var(axis=0)
    np.testing.assert_allclose(kernel.run(array), expected, rtol=1e-5)


@pytest.mark.parametrize("rows", [4, 37, 64])
def test_a_layer_whose_weights_lie_by_outputs(rows: int) -> None:
    """Lanes run down the rows; what reads the product does not keep a tile of these."""
    x, w = sw.placeholder((rows, 96), name="X"), sw.placeholder((80, 96), name="W")
    bias, k = sw.placeholder((80,), name="bias"), sw.reduce_axis(96, name="k")
    c = sw.compute((rows, 80), lambda i, j: sw.sum(x[i, k] * w[j, k], axis=k), name="C")
    y = sw.compute((rows, 80), lambda i, j: sw.maximum(c[i, j] + bias[j], 0.0), name="Y")
    text = assert_values([x, w, bias, y], lambda x, w, b: np.maximum(x @ w.T + b, 0))
    if "C.compute_at" in text or "s[C].compute_at" in text:
        assert "s[C].vectorize(C.axis[0])" not in text


def convolved(x: np.ndarray, w: np.ndarray, stride: int) -> np.ndarray:
    """NCHW and OIHW, a border of one."""
    n, _, rows, columns = x.shape
    wide = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    out = np.zeros((n, w.shape[0], -(-rows // stride), -(-columns // stride)), x.dtype)
    for r in range(3):
        for q in range(3):
            part = wide[:, :, r : r + rows : stride, q : q + columns : stride]
            out += np.einsum("ncyx,mc->nmyx", part, w[:, :, r, q])
    return out


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize(("channels", "image", "stride"), [(8, 18, 1), (20, 16, 2), (3, 9, 1)])
def test_convolutions_of_images_as_they_come(
    layout: str, channels: int, image: int, stride: int
) -> None:
    size, filters = -(-image // stride), 24
    c = sw.reduce_axis(channels, name="c")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    is_last = layout == "NHWC"
    x = sw.placeholder(
        (2, image, image, channels) if is_last else (2, channels, image, image), name="X"
    )
    w = sw.placeholder(
        (3, 3, channels, filters) if is_last else (filters, channels, 3, 3), name="W"
    )

    def pixel(n: sw.Axis, m: sw.Axis, row: sw.Axis, column: sw.Axis) -> sw.Expr:
        a, b = row * stride + r - 1, column * stride + q - 1
        inside = sw.all_of(0 <= a, a < image, 0 <= b, b < image)
        term = x[n, a, b, c] * w[r, q, c, m] if is_last else x[n, c, a, b] * w[m, c, r, q]
        return sw.sum(term, axis=(c, r, q), where=inside)

    if is_last:
        y = sw.compute((2, size, size, filters), lambda n, i, j, m: pixel(n, m, i, j), name="Y")
        assert_values(
            [x, w, y],
            lambda x, w: convolved(
                x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), stride
            ).transpose(0, 2, 3, 1),
        )
    else:
        y = sw.compute((2, filters, size, size), pixel, name="Y")
        assert_values([x, w, y], lambda x, w: convolved(x, w, stride))


def test_terms_come_in_the_order_of_memory() -> None:
    """Channels lie innermost, though the program names them first."""
    x, w = sw.placeholder((34, 34, 32), name="X"), sw.placeholder((3, 3, 32, 32), name="W")
    c = sw.reduce_axis(32, name="c")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    y = sw.compute(
        (32, 32, 32),
        lambda i, j, m: sw.sum(x[i + r, j + q, c] * w[r, q, c, m], axis=(c, r, q)),
        name="Y",
    )
    text, _ = built([x, w, y])
    (line,) = [line for line in text.splitlines() if "s[Y].reorder" in line]
    order = [line.index(f"Y.reduce_axis[{n}]") for n in (1, 2, 0)]
    assert order == sorted(order)


@pytest.mark.parametrize(("kernel", "image", "stride"), [(3, 20, 1), (3, 35, 2), (5, 14, 1)])
def test_each_channel_by_itself_in_planes(kernel: int, image: int, stride: int) -> None:
    """Vectors of pixels start behind the border, where terms are left out."""
    channels, border, size = 6, kernel // 2, -(-image // stride)
    r, q = sw.reduce_axis(kernel, name="r"), sw.reduce_axis(kernel, name="q")
    x = sw.placeholder((channels, image, image), name="X")
    w = sw.placeholder((channels, kernel, kernel), name="W")

    def pixel(c: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        a, b = i * stride + r - border, j * stride + q - border
        inside = sw.all_of(0 <= a, a < image, 0 <= b, b < image)
        return sw.sum(x[c, a, b] * w[c, r, q], axis=(r, q), where=inside)

    y = sw.compute((channels, size, size), pixel, name="Y")

    def reference(x: np.ndarray, w: np.ndarray) -> np.ndarray:
        wide = np.pad(x, [(0, 0), (border, border), (border, border)])
        windows = np.lib.stride_tricks.sliding_window_view(wide, (kernel, kernel), axis=(1, 2))
        return np.einsum("cyxrq,crq->cyx", windows[:, ::stride, ::stride], w)

    text = assert_values([x, w, y], reference)
    assert "vectorize(Y.axis[2])" in text or "vectorize(j_i)" in text


def test_terms_that_are_left_out_do_not_count_in_vectors() -> None:
    """Weights that only meet the border are infinite."""
    image = 20
    x, w = sw.placeholder((image, image), name="X"), sw.placeholder((5, 5), name="W")
    r, q = sw.reduce_axis(5, name="r"), sw.reduce_axis(5, name="q")

    def pixel(i: sw.Axis, j: sw.Axis) -> sw.Expr:
        a, b = i + r - 2, j + q - 2
        inside = sw.all_of(0 <= a, a < image, 0 <= b, b < image)
        return sw.sum(x[a, b] * w[r, q], axis=(r, q), where=inside)

    y = sw.compute((image, image), pixel, name="Y")
    _, kernel = built([x, w, y])
    ones = np.ones((image, image), "float32")
    for row, column, edge in [(0, 2, np.s_[:2, :]), (2, 0, np.s_[:, :2]), (2, 4, np.s_[:, -2:])]:
        weights = np.zeros((5, 5), "float32")
        weights[row, column] = np.inf
        result = kernel.run(ones, weights)
        assert (result[edge] == 0).all()
        assert np.isinf(result).sum() == image * (image - 2)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("heads", "rows"), [(2, 40), (4, 512)])
def test_scores_may_be_scaled_where_they_are_summed(heads: int, rows: int, causal: bool) -> None:
    """In one stage, of which slices of heads are computed where they are needed."""
    width, square = 16, (heads, rows, rows)
    q, k, v = (sw.placeholder((heads, rows, width), name=name) for name in "QKV")
    r, u = sw.reduce_axis(width, name="r"), sw.reduce_axis(rows, name="u")
    m = sw.reduce_axis(rows, name="m")

    def score(h: sw.Axis, i: sw.Axis, j: sw.Axis) -> sw.Expr:
        scaled = sw.sum(q[h, i, r] * k[h, j, r], axis=r) * 2.0
        return sw.select(j <= i, scaled, -1000.0) if causal else scaled

    s = sw.compute(square, score, name="S")
    most = sw.compute((heads, rows), lambda h, i: sw.max(s[h, i, m], axis=m), name="M")
    e = sw.compute(square, lambda h, i, j: s[h, i, j] - most[h, i], name="E")
    y = sw.compute(q.shape, lambda h, i, c: sw.sum(e[h, i, u] * v[h, u, c], axis=u), name="Y")

    def reference(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        scores = 2 * q @ k.transpose(0, 2, 1)
        if causal:
            scores = np.where(np.tri(rows, dtype=bool), scores, -1000)
        return (scores - scores.max(2, keepdims=True)) @ v

    assert_values([q, k, v, y], reference)


@pytest.mark.parametrize(
    ("heads", "rows", "width"), [(2, 48, 24), (3, 40, 40), (2, 72, 16), (16, 264, 16)]
)
@pytest.mark.parametrize("causal", [False, True])
def test_attention_of_any_length(heads: int, rows: int, width: int, causal: bool) -> None:
    """Rows of scores that fill no vectors, and such that see nothing behind them."""
    q, k, v = (sw.placeholder((heads, rows, width), name=name) for name in "QKV")
    r, u = sw.reduce_axis(width, name="r"), sw.reduce_axis(rows, name="u")
    m, t = sw.reduce_axis(rows, name="m"), sw.reduce_axis(rows, name="t")
    square = (heads, rows, rows)
    scores = sw.compute(square, lambda h, i, j: sw.sum(q[h, i, r] * k[h, j, r], axis=r), name="S")
    seen = sw.compute(
        square,
        lambda h, i, j: (
            sw.select(j <= i, scores[h, i, j] * 0.25, -1e30) if causal else scores[h, i, j] * 0.25
        ),
        name="Z",
    )
    most = sw.compute((heads, rows), lambda h, i: sw.max(seen[h, i, m], axis=m), name="M")
    e = sw.compute(square, lambda h, i, j: sw.exp(seen[h, i, j] - most[h, i]), name="E")
    total = sw.compute((heads, rows), lambda h, i: sw.sum(e[h, i, t], axis=t), name="T")
    u_ = sw.compute(q.shape, lambda h, i, c: sw.sum(e[h, i, u] * v[h, u, c], axis=u), name="U")
    y = sw.compute(q.shape, lambda h, i, c: u_[h, i, c] / total[h, i], name="Y")
    text, kernel = built([q, k, v, y])
    if heads > 3:  # no cache holds the scores of all; their tiles are whole
        assert ('region="box"' in text) == causal
    arrays = [a / 8 for a in inputs_of([q, k, v, y])]
    x, z, w = (a.astype("float64") for a in arrays)
    expected = x @ z.transpose(0, 2, 1) / 4
    if causal:
        expected = np.where(np.tri(rows, dtype=bool), expected, -np.inf)
    expected = np.exp(expected - expected.max(axis=2, keepdims=True))
    expected = expected @ w / expected.sum(axis=2, keepdims=True)
    np.testing.assert_allclose(kernel.run(*arrays), expected, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(("rows", "columns", "depth"), [(4, 100, 70), (3, 37, 64), (5, 6, 1000)])
def test_few_rows_of_products_of_rows(rows: int, columns: int, depth: int) -> None:
    """Terms are in lanes, those of several sums at once."""
    a, b = sw.placeholder((rows, depth), name="A"), sw.placeholder((columns, depth), name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((rows, columns), lambda i, j: sw.sum(a[i, k] * b[j, k], axis=k), name="C")
    assert_values([a, b, c], lambda x, y: x @ y.T)


@pytest.mark.parametrize("count", [1 << 21, 1_000_003])
def test_threads_share_out_one_long_row(count: int) -> None:
    x = sw.placeholder((count,), name="X")
    y = sw.compute((count,), lambda i: sw.tanh(x[i]), name="Y")
    text, kernel = built([x, y])
    assert "s[Y].vectorize(i_i)" in text
    assert "s[Y].parallel(i_o)" in text
    array = np.linspace(-4, 4, count, dtype="float32")
    np.testing.assert_allclose(kernel.run(array, threads=2), np.tanh(array), rtol=1e-6)
    short = sw.compute((4096,), lambda i: sw.tanh(x[i]), name="Z")
    assert "parallel" not in built([x, short])[0]
