"""sw.library: oneDNN behind the call interface of kernels."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import solway as sw
from solway import _onednn_objects


@pytest.fixture(autouse=True)
def installed():
    try:
        ctypes.CDLL("libdnnl.so.2")
    except OSError:
        pytest.skip("oneDNN is not installed")


def product(m, n, k, dtype="float32"):
    A = sw.placeholder((m, k), dtype=dtype, name="A")
    B = sw.placeholder((k, n), dtype=dtype, name="B")
    r = sw.reduce_axis(k, name="r")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, r] * B[r, j], axis=r), name="C")
    return A, B, C


def convolution(
    image, filters, taps=(3, 3), stride=1, padding=0, dilation=1, zeros="stage", left_out=0
):
    """A, W and C of an image with its batch, or without.

    Args:
        zeros: where those around it stand, in a "stage" or the "sum", or in none, as the sum has
            "fewer" terms.
        left_out: rows and columns of the result that there could be more.
    """
    *batch, channels, height, width = image
    A = sw.placeholder(image, name="A")
    W = sw.placeholder((filters, channels, *taps), name="W")
    k = sw.reduce_axis(channels, name="k")
    r, q = (sw.reduce_axis(n, name=name) for n, name in zip(taps, "rq", strict=True))

    def is_inside(y, x):
        return sw.all_of(padding <= y, y < height + padding, 0 <= x - padding, x - padding < width)

    def pixel(*index):
        *outer, y, x = index
        read = A[(*outer, y - padding, x - padding)]
        return sw.select(is_inside(y, x), read, 0.0) if padding and zeros != "fewer" else read

    padded = (*batch, channels, height + 2 * padding, width + 2 * padding)
    P = A
    if zeros == "stage" and padding:
        names = {4: lambda n, k, y, x: pixel(n, k, y, x), 3: lambda k, y, x: pixel(k, y, x)}
        P = sw.compute(padded, names[len(padded)], name="P")

    def element(*index):
        *n, f, y, x = index
        at = (*n, k, y * stride + r * dilation, x * stride + q * dilation)
        where = is_inside(*at[-2:]) if zeros == "fewer" else None
        term = (P[at] if P is not A else pixel(*at)) * W[f, k, r, q]
        return sw.sum(term, axis=(k, r, q), where=where)

    out = [
        (n + 2 * padding - (t - 1) * dilation - 1) // stride + 1 - left_out
        for n, t in zip((height, width), taps, strict=True)
    ]
    forms = {1: lambda n, f, y, x: element(n, f, y, x), 0: lambda f, y, x: element(f, y, x)}
    return A, W, sw.compute((*batch, filters, *out), forms[len(batch)], name="C")


def numbers(tensor, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(-4, 5, tensor.shape).astype("float32")


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 7), (64, 33, 100), (1, 1024, 1024)])
def test_products_equal_numpy(shape):
    kernel = sw.library.onednn_sgemm(*product(*shape))
    a, b, _ = (numbers(t, i) for i, t in enumerate(kernel._args))
    assert np.array_equal(kernel.run(a, b), a @ b)
    assert kernel.last_run.seconds > 0
    (remark,) = kernel.report()
    assert kernel.name == remark.step == "onednn_sgemm"
    assert "1 thread(s)" in remark.verdict
    assert remark.why.startswith("oneDNN 2.")


@pytest.mark.parametrize(
    "options",
    [
        {"image": (1, 4, 4), "filters": 1},
        {"image": (3, 20, 17), "filters": 8, "stride": 2},
        {"image": (5, 12, 12), "filters": 6, "padding": 1},
        {"image": (5, 12, 12), "filters": 6, "padding": 1, "zeros": "sum"},
        {"image": (5, 12, 12), "filters": 6, "padding": 1, "zeros": "fewer"},
        {"image": (2, 16, 9, 11), "filters": 32, "padding": 2, "taps": (5, 3), "stride": 2},
        {"image": (1, 8, 15, 15), "filters": 4, "dilation": 2, "padding": 2},
        {"image": (3, 32, 32), "filters": 64, "taps": (11, 11), "stride": 4, "padding": 2},
        {"image": (32, 14, 14), "filters": 32, "taps": (1, 1)},
        {"image": (2, 3, 40, 31), "filters": 4, "stride": 3, "left_out": 3},
    ],
)
def test_convolutions_equal_the_expression(options):
    args = convolution(**options)
    kernel = sw.library.onednn_convolution(*args)
    own = sw.build(sw.create_schedule(args[-1]), list(args), name="own")
    a, w, _ = (numbers(t, i) for i, t in enumerate(args))
    expected = own.run(a, w)
    assert np.array_equal(kernel.run(a, w), expected)
    assert np.array_equal(kernel.run(a, w), expected), "a second call"
    c = np.full(expected.shape, np.nan, "float32")
    kernel(a + 1, w, c)
    assert np.array_equal(c, own.run(a + 1, w))


def test_a_convolution_describes_itself():
    kernel = sw.library.onednn_convolution(*convolution((64, 28, 28), 64, padding=1), threads=2)
    (remark,) = kernel.report()
    assert kernel.name == remark.step == "onednn_convolution"
    assert kernel.target == "host"
    assert [a.role for a in kernel.arguments] == ["in", "in", "out"]
    assert "2 thread(s)" in remark.verdict
    assert remark.why.startswith("oneDNN 2.")


def test_compared_with_a_kernel():
    args = convolution((8, 16, 16), 16, padding=1)
    own = sw.build(sw.create_schedule(args[-1]), list(args), name="own")
    found = sw.compare(
        {"solway": own, "oneDNN": sw.library.onednn_convolution(*args)},
        inputs=[numbers(t, i) for i, t in enumerate(args[:2])],
        repeats=2,
    )
    assert found.operations == 2 * 16 * 16 * 16 * 8 * 9
    assert found.ratio("solway", "oneDNN") > 0


def test_threads_of_others_are_left_alone():
    openmp = ctypes.CDLL("libgomp.so.1")
    before = openmp.omp_get_max_threads()
    kernel = sw.library.onednn_sgemm(*product(8, 8, 8), threads=before + 1)
    kernel.run(np.ones((8, 8), "f"), np.ones((8, 8), "f"))
    assert openmp.omp_get_max_threads() == before


def changed(change):
    """A convolution of 2 channels of 6 x 6 by 3 filters, with one thing otherwise."""
    A = sw.placeholder((2, 6, 6), name="A")
    W = sw.placeholder((3, 2, 3, 3), name="W")
    k = sw.reduce_axis(1 if change == "channel" else 2, name="k")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(2 if change == "tap" else 3, name="q")
    axes = (k, r, q)
    if change == "padded with ones":
        inside = lambda y, x: sw.all_of(y >= 1, y < 7, x >= 1, x < 7)  # noqa: E731
        A_ = sw.compute(
            (2, 8, 8), lambda k, y, x: sw.select(inside(y, x), A[k, y - 1, x - 1], 1.0), name="P"
        )
    elif change == "rows left out":
        inside = lambda y, x: sw.all_of(y >= 2, y < 7, x >= 1, x < 7)  # noqa: E731
        A_ = sw.compute(
            (2, 8, 8), lambda k, y, x: sw.select(inside(y, x), A[k, y - 1, x - 1], 0.0), name="P"
        )
    else:
        A_ = A
    bodies = {
        "transposed": lambda f, y, x: A[k, y + q, x + r] * W[f, k, r, q],
        "mirrored": lambda f, y, x: A[k, y + 2 - r, x + q] * W[f, k, r, q],
        "moved": lambda f, y, x: A[k, y + r + 1, x + q] * W[f, k, r, q],
        "per channel": lambda f, y, x: A[k, y + r, x + q] * W[0, k, r, q],
        "scaled": lambda f, y, x: A[k, y + r, x + q] * W[f, k, r, q] * 2,
    }
    body = bodies.get(change, lambda f, y, x: A_[k, y + r, x + q] * W[f, k, r, q])
    rows = 3 if change == "moved" else 4
    where = (lambda y, x: y + r > 0) if change == "terms left out" else lambda y, x: None
    value = lambda f, y, x: sw.sum(body(f, y, x), axis=axes, where=where(y, x))  # noqa: E731
    return A, W, sw.compute((3, rows, 4), value, name="C")


@pytest.mark.parametrize(
    "change",
    [
        *("transposed", "mirrored", "moved", "per channel", "scaled", "channel", "tap"),
        *("padded with ones", "rows left out", "terms left out"),
    ],
)
def test_what_is_no_convolution(change):
    with pytest.raises(sw.ArgumentMismatchError, match="'C' is not the convolution of") as raised:
        sw.library.onednn_convolution(*changed(change))
    assert raised.value.where.file == __file__


def test_what_is_the_convolution_otherwise():
    sw.library.onednn_convolution(*changed(""))


def test_library_that_is_not_installed(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(_onednn_objects.ctypes, "CDLL", missing)
    _onednn_objects.load.cache_clear()
    try:
        with pytest.raises(sw.UnsupportedError) as raised:
            sw.library.onednn_sgemm(*product(2, 2, 2))
    finally:
        _onednn_objects.load.cache_clear()
    assert raised.value.what == "oneDNN is not installed"
    assert raised.value.fix == "apt install libdnnl2"
