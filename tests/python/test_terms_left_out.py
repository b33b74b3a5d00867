"""Reductions over a part of their terms: values, and that loops run over no others."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from solway._cpu import runs
from support.foreign import require_emulator
from support.guarded import GuardedKernel

RNG = np.random.default_rng(5)
INTEGERS = [np.iinfo(t) for t in ("int8", "uint8", "int64")]
LEAST = {"bool": True, "float32": np.inf, "float16": np.inf}
LEAST |= {str(n.dtype): n.max for n in INTEGERS}
LARGEST = {"bool": False, "float32": -np.inf, "float16": -np.inf}
LARGEST |= {str(n.dtype): n.min for n in INTEGERS}


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "uint8", "int64", "bool"])
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "all"])
def test_where_is_that_of_numpy(name: str, dtype: str) -> None:
    A = sw.placeholder((5, 8), name="A", dtype=dtype)
    k = sw.reduce_axis(8, name="k")
    B = sw.compute((5,), lambda i: getattr(sw, name)(A[i, k], axis=k, where=k < 2 * i), name="B")
    a = RNG.integers(0, 3, (5, 8)).astype(dtype)
    below = np.arange(8) < 2 * np.arange(5)[:, None]
    start = {"min": LEAST, "max": LARGEST}.get(name, {}).get(dtype)
    given = {} if start is None else {"initial": start}
    right = getattr(np, name)(a, axis=1, where=below, **given)
    found = sw.build(B, search=False).run(a)
    assert np.array_equal(found, right.astype(found.dtype))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_what_is_converted_before_it_is_added_is_left_out_too(dtype: str) -> None:
    A = sw.placeholder((5, 8), name="A", dtype=dtype)
    k = sw.reduce_axis(8, name="k")
    B = sw.compute((5,), lambda i: sw.sum(A[i, k], axis=k, where=k < 2 * i), name="B")
    assert "select(" not in sw.build(B, search=False).ir


def test_where_of_data_is_a_choice_of_terms() -> None:
    A = sw.placeholder((5, 8), name="A")
    k = sw.reduce_axis(8, name="k")
    B = sw.compute((5,), lambda i: sw.sum(A[i, k], axis=k, where=A[i, k] > 0), name="B")
    a = RNG.integers(-3, 4, (5, 8)).astype(np.float32)
    assert np.array_equal(sw.build(B, search=False).run(a), np.maximum(a, 0).sum(axis=1))


def test_what_is_left_out_may_be_nan_or_lie_outside() -> None:
    A = sw.placeholder((6,), name="A")
    k = sw.reduce_axis(3, name="k")
    at = lambda i: i + k - 1  # noqa: E731
    inside = lambda i: sw.all_of(0 <= at(i), at(i) < 6)  # noqa: E731
    W = sw.placeholder((3,), name="W")
    B = sw.compute((6,), lambda i: sw.sum(A[at(i)] * W[k], axis=k, where=inside(i)), name="B")
    a, w = np.arange(6, dtype=np.float32), np.array([np.inf, 1, 1], np.float32)
    found = sw.build(B, search=False).run(a, w)
    assert found[0] == 1  # its first term would be 0 * infinity
    with pytest.raises(sw.DslError, match="reads outside"):
        sw.compute((6,), lambda i: sw.sum(A[at(i)] * W[k], axis=k), name="C")


def test_where_of_no_condition_is_refused_at_its_line() -> None:
    A = sw.placeholder((6,), name="A")
    k = sw.reduce_axis(6, name="k")
    with pytest.raises(sw.DslError) as caught:
        sw.compute((1,), lambda i: sw.sum(A[k], axis=k, where="k < 3"), name="B")
    assert "test_terms_left_out.py" in str(caught.value)


def convolution(channels: int, filters: int, image: int, taps: int, stride: int) -> sw.Tensor:
    """Channels in blocks of 16, without a border; sums leave out what lies outside."""
    border, size = taps // 2, (image - 1) // stride + 1
    X = sw.placeholder((channels // 16, image, image, 16), name="X")
    W = sw.placeholder((filters // 16, channels // 16, taps, taps, 16, 16), name="W")
    co, ci = sw.reduce_axis(channels // 16, name="co"), sw.reduce_axis(16, name="ci")
    r, q = sw.reduce_axis(taps, name="r"), sw.reduce_axis(taps, name="q")

    def value(f: sw.Axis, y: sw.Axis, x: sw.Axis, v: sw.Axis) -> sw.Expr:
        row, column = y * stride + r - border, x * stride + q - border
        return sw.sum(
            X[co, row, column, ci] * W[f, co, r, q, ci, v],
            axis=(co, r, q, ci),
            where=sw.all_of(0 <= row, row < image, 0 <= column, column < image),
        )

    return sw.compute((filters // 16, size, size, 16), value, name="C")


def by_numpy(x: np.ndarray, w: np.ndarray, stride: int) -> np.ndarray:
    taps, border = w.shape[2], w.shape[2] // 2
    wide = np.pad(x, [(0, 0), (border, border), (border, border), (0, 0)])
    windows = np.lib.stride_tricks.sliding_window_view(wide, (taps, taps), axis=(1, 2))
    return np.einsum("cyxirq,fcrqiv->fyxv", windows[:, ::stride, ::stride], w, optimize=True)


SIZES = [(7, 3, 1), (13, 3, 1), (14, 3, 1), (28, 3, 1), (27, 5, 1), (30, 3, 2), (45, 11, 4)]


@pytest.mark.parametrize(("image", "taps", "stride"), SIZES)
@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_windows_at_the_border_run_fewer_terms_in_tiles(
    target: str, image: int, taps: int, stride: int
) -> None:
    """Tiles in registers have constant sizes in each part of an image: nothing is chosen."""
    C = convolution(16, 32, image, taps, stride)
    s = sw.create_schedule(C)
    s.auto_schedule(target, search=False)
    kernel = sw.build(s, [*C.inputs, C], target=target)
    assert "select(" not in kernel.ir
    assert "unrolled" not in kernel.ir  # all have been
    assert not [r for r in kernel.report() if "unroll" in r.step]
    if not runs(target):
        pytest.skip(f"this machine does not run {target}")
    x, w = (RNG.integers(-3, 4, t.shape).astype(np.float32) for t in C.inputs)
    assert np.array_equal(GuardedKernel(kernel).run(x, w), by_numpy(x, w, stride))


@pytest.mark.parametrize("rows", [1, 2, 4, 13])
@pytest.mark.parametrize("columns", [1, 3, 13])
def test_tiles_by_hand_in_both_directions(rows: int, columns: int) -> None:
    C = convolution(16, 16, 13, 3, 1)
    s = sw.create_schedule(C)
    _, y, x, v = C.axis
    y_o, y_i = s[C].split(y, factor=rows)
    x_o, x_i = s[C].split(x, factor=columns)
    s[C].reorder("f", y_o, x_o, "co", "r", "q", "ci", y_i, x_i, v)
    s[C].unroll(y_i)
    s[C].unroll(x_i)
    s[C].vectorize(v)
    s.buffer_write(C, at=x_o, scope="register")
    kernel = sw.build(s, [*C.inputs, C])
    x_, w = (RNG.integers(-3, 4, t.shape).astype(np.float32) for t in C.inputs)
    assert np.array_equal(GuardedKernel(kernel).run(x_, w), by_numpy(x_, w, 1))


@pytest.mark.parametrize("target", ["aarch64-neon", "aarch64-sve", "riscv64-v", "c"])
@pytest.mark.parametrize(("image", "stride"), [(7, 1), (12, 2)])
def test_other_machines_run_the_same_terms(target: str, image: int, stride: int) -> None:
    if target != "c":
        require_emulator(target)
    C = convolution(16, 32, image, 3, stride)
    s = sw.create_schedule(C)
    if target != "c":
        s.auto_schedule(target, search=False)
    kernel = sw.build(s, [*C.inputs, C], target=target)
    assert "select(" not in kernel.ir
    x, w = (RNG.integers(-3, 4, t.shape).astype(np.float32) for t in C.inputs)
    assert np.array_equal(kernel.run(x, w), by_numpy(x, w, stride))


def test_minimal_filtering_takes_a_sum_that_leaves_out_the_border() -> None:
    C = convolution(32, 64, 13, 3, 1)
    kernel = sw.build(sw.winograd(C), search=False)
    x, w = (RNG.integers(-2, 3, t.shape).astype(np.float32) for t in C.inputs)
    right = by_numpy(x, w, 1)
    found = GuardedKernel(kernel).run(x, w)
    assert np.abs(found - right).max() <= 2e-5 * np.abs(right).max()
