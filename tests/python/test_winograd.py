"""Convolutions by minimal filtering: values in all layouts, what fast_math takes, its schedule."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.guarded import GuardedKernel

RNG = np.random.default_rng(11)


def blocked(channels: int, filters: int, size: int, taps: int = 3) -> sw.Tensor:
    """Channels and filters in blocks of 16; the image has its border."""
    wide = size + taps - 1
    X = sw.placeholder((channels // 16, wide, wide, 16), name="X")
    W = sw.placeholder((filters // 16, channels // 16, taps, taps, 16, 16), name="W")
    co, ci = sw.reduce_axis(channels // 16, name="co"), sw.reduce_axis(16, name="ci")
    r, q = sw.reduce_axis(taps, name="r"), sw.reduce_axis(taps, name="q")
    return sw.compute(
        (filters // 16, size, size, 16),
        lambda f, y, x, v: sw.sum(
            X[co, y + r, x + q, ci] * W[f, co, r, q, ci, v], axis=(co, r, q, ci)
        ),
        name="C",
    )


def channels_last(batch: int, channels: int, filters: int, rows: int, columns: int) -> sw.Tensor:
    """N H W C; zeros around the image stand in the sum."""
    X = sw.placeholder((batch, rows, columns, channels), name="X")
    W = sw.placeholder((3, 3, channels, filters), name="W")
    r, q, c = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q"), sw.reduce_axis(channels)

    def padded(n, y, x, k):
        inside = sw.all_of(y >= 0, y < rows, x >= 0, x < columns)
        return sw.select(inside, X[n, y, x, k], 0.0)

    return sw.compute(
        (batch, rows, columns, filters),
        lambda n, y, x, f: sw.sum(
            padded(n, y + r - 1, x + q - 1, c) * W[r, q, c, f], axis=(r, q, c)
        ),
        name="C",
    )


def rows_of_pixels(channels: int, filters: int, size: int) -> sw.Tensor:
    """C H W, padding as a stage of its own."""
    X = sw.placeholder((channels, size, size), name="X")
    W = sw.placeholder((filters, channels, 3, 3), name="W")
    P = sw.compute(
        (channels, size + 2, size + 2),
        lambda c, y, x: sw.select(
            sw.all_of(y >= 1, y <= size, x >= 1, x <= size), X[c, y - 1, x - 1], 0.0
        ),
        name="P",
    )
    r, q, c = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q"), sw.reduce_axis(channels)
    return sw.compute(
        (filters, size, size),
        lambda f, y, x: sw.sum(P[c, y + r, x + q] * W[f, c, r, q], axis=(c, r, q)),
        name="C",
    )


def grouped(groups: int, channels: int, filters: int, size: int) -> sw.Tensor:
    X = sw.placeholder((groups, size + 2, size + 2, channels), name="X")
    W = sw.placeholder((groups, 3, 3, channels, filters), name="W")
    r, q, c = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q"), sw.reduce_axis(channels)
    return sw.compute(
        (groups, size, size, filters),
        lambda g, y, x, f: sw.sum(X[g, y + r, x + q, c] * W[g, r, q, c, f], axis=(r, q, c)),
        name="C",
    )


PROGRAMS = {
    "blocks, whole tiles": lambda: blocked(32, 64, 8),
    "blocks, partial tiles": lambda: blocked(32, 32, 13),
    "blocks, an odd number of filters": lambda: blocked(16, 48, 10),
    "channels last": lambda: channels_last(2, 16, 32, 9, 14),
    "channels last, two vectors": lambda: channels_last(1, 32, 64, 6, 7),
    "rows of pixels": lambda: rows_of_pixels(8, 16, 11),
    "groups": lambda: grouped(3, 16, 16, 7),
}


def built(*args, **options) -> GuardedKernel:
    """What `build` makes, to be run on guarded arrays."""
    return GuardedKernel(sw.build(*args, **options))


def numbers(tensor: sw.Tensor) -> np.ndarray:
    return RNG.integers(-2, 3, tensor.shape).astype(np.float32)


def exact(output: sw.Tensor, arrays: list[np.ndarray]) -> np.ndarray:
    """By the program as it is written, on whole numbers: without rounding."""
    schedule = sw.create_schedule(output)
    inputs = [t for t in schedule.tensors.values() if not t.axis]
    return built(schedule, [*inputs, output]).run(*arrays)


def is_close(found: np.ndarray, right: np.ndarray) -> bool:
    return bool(np.abs(found - right).max() <= 2e-5 * max(1.0, np.abs(right).max()))


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_chain_computes_the_convolution_as_it_is_written(name: str) -> None:
    output = PROGRAMS[name]()
    chain = sw.winograd(output)
    schedule = sw.create_schedule(chain)
    inputs = [t for t in schedule.tensors.values() if not t.axis]
    arrays = [numbers(t) for t in inputs]
    found = built(schedule, [*inputs, chain]).run(*arrays)
    assert is_close(found, exact(output, arrays))


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_the_schedule_of_a_chain_computes_the_same(name: str, target: str, tmp_path: Path) -> None:
    from solway._cpu import runs

    if not runs(target):
        pytest.skip(f"this machine does not run {target}")
    output = PROGRAMS[name]()
    schedule = sw.create_schedule(sw.winograd(output))
    schedule.auto_schedule(target, search=False)
    inputs = [t for t in schedule.tensors.values() if not t.axis]
    arrays = [numbers(t) for t in inputs]
    kernel = built(schedule, [*inputs, schedule.tensors["C"]], target=target)
    assert is_close(kernel.run(*arrays), exact(output, arrays))
    schedule.save(tmp_path / "c.schedule")
    again = sw.load_schedule(tmp_path / "c.schedule", sw.winograd(output))
    assert str(again) == str(schedule)


@pytest.mark.parametrize(("taps", "tile"), [(3, 2), (3, 6), (5, 4), (2, 3)])
def test_other_tiles_and_taps(taps: int, tile: int) -> None:
    output = blocked(16, 32, 9, taps)
    chain = sw.winograd(output, tile)
    schedule = sw.create_schedule(chain)
    inputs = [t for t in schedule.tensors.values() if not t.axis]
    arrays = [numbers(t) for t in inputs]
    found = built(schedule, [*inputs, chain]).run(*arrays)
    right = exact(output, arrays)
    assert np.abs(found - right).max() <= 2e-4 * np.abs(right).max()


def test_fast_math_takes_it_where_it_is_faster_and_says_so() -> None:
    output = blocked(64, 64, 28)
    X, W = output.inputs
    kernel = built(output, [X, W, output], search=False, fast_math=True)
    arrays = [numbers(X), numbers(W)]
    assert is_close(kernel.run(*arrays), exact(output, arrays))
    (remark,) = [r for r in kernel.report() if "fast_math" in r.step]
    assert remark.verdict in [f"minimal filtering F({m}x{m}, 3x3)" for m in (2, 3, 4)]
    assert "rounding errors" in remark.why
    plain = built(output, [X, W, output], search=False)
    assert np.array_equal(plain.run(*arrays), exact(output, arrays))
    assert not [r for r in plain.report() if "fast_math" in r.step]


def test_fast_math_leaves_what_would_not_gain() -> None:
    few = blocked(16, 16, 2)
    kernel = built(few, search=False, fast_math=True)
    (remark,) = [r for r in kernel.report() if "fast_math" in r.step]
    assert remark.verdict == "computed as it is written"
    arrays = [numbers(t) for t in few.inputs]
    assert np.array_equal(kernel.run(*arrays), exact(few, arrays))


def test_readers_of_a_convolution_read_its_chain() -> None:
    C = blocked(64, 64, 28)
    b = sw.placeholder((4, 16), name="b")
    D = sw.compute(C.shape, lambda f, y, x, v: sw.maximum(C[f, y, x, v] + b[f, v], 0.0), name="D")
    X, W = C.inputs
    kernel = built(D, [X, W, b, D], search=False, fast_math=True)
    arrays = [numbers(X), numbers(W), numbers(b)]
    (remark,) = [r for r in kernel.report() if "fast_math" in r.step]
    assert remark.verdict.startswith("minimal")
    right = np.maximum(exact(C, arrays[:2]) + arrays[2][:, None, None, :], 0)
    assert is_close(kernel.run(*arrays), right)
    s = sw.create_schedule(D, fast_math=True)
    chosen = s.auto_schedule("host", search=False)
    assert "in the expression of D" in str(chosen["D"].decisions)


def test_known_weights_are_transformed_when_building() -> None:
    C = blocked(64, 64, 12)
    X, W = C.inputs
    values = numbers(W)
    known = sw.constant(values, name="W")
    co, ci = sw.reduce_axis(4, name="co"), sw.reduce_axis(16, name="ci")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    K = sw.compute(
        C.shape,
        lambda f, y, x, v: sw.sum(
            X[co, y + r, x + q, ci] * known[f, co, r, q, ci, v], axis=(co, r, q, ci)
        ),
        name="C",
    )
    schedule = sw.create_schedule(K, fast_math=True)
    assert "C_G" not in schedule.tensors
    schedule.auto_schedule("host", search=False)
    image = numbers(X)
    found = built(schedule, [X, K]).run(image)
    assert is_close(found, exact(C, [image, values]))


def test_transformed_weights_may_be_an_input() -> None:
    output = blocked(64, 64, 28)
    X, W = output.inputs
    schedule = sw.create_schedule(output, inputs=["C_U"], fast_math=True)
    schedule.auto_schedule("host", search=False)
    assert "C_G" not in schedule.tensors
    U = schedule.tensors["C_U"]
    image, weights = numbers(X), numbers(W)
    transformed = built(U, [W, U], search=False).run(weights)
    found = built(schedule, [X, U, output]).run(image, transformed)
    assert is_close(found, exact(output, [image, weights]))


def test_a_schedule_with_fast_math_saves_and_loads(tmp_path) -> None:
    output = blocked(64, 64, 28)
    schedule = sw.create_schedule(output, fast_math=True)
    assert "C_U" in schedule.tensors
    schedule.auto_schedule("host", search=False)
    schedule.save(tmp_path / "c.schedule")
    assert str(sw.load_schedule(tmp_path / "c.schedule", output)) == str(schedule)
    assert schedule[output].axis  # the tensor of the user names what took its place


def test_fast_math_of_a_schedule_is_refused() -> None:
    schedule = sw.create_schedule(blocked(16, 16, 4))
    with pytest.raises(sw.ScheduleArgumentError, match="fast_math=True of a schedule"):
        sw.build(schedule, fast_math=True)


def test_compute_at_takes_boxes() -> None:
    A = sw.placeholder((24, 24), name="A")
    P = sw.compute((24, 24), lambda i, j: A[i, j] + 1, name="P")
    C = sw.compute((20,), lambda i: P[i, i] + P[i + 4, i], name="C")
    s = sw.create_schedule(C)
    outer, _ = s[C].split("i", 4)
    s[P].compute_at(C, outer, region="box")
    a = RNG.integers(-9, 9, (24, 24)).astype(np.float32)
    expected = np.array([a[i, i] + a[i + 4, i] + 2 for i in range(20)], np.float32)
    assert np.array_equal(built(s, [A, C]).run(a), expected)
    assert 'region="box"' in s.to_python()
    with pytest.raises(sw.ScheduleArgumentError, match="no tile of compute_at is 'hull'"):
        sw.create_schedule(C)[P].compute_at(C, "i", region="hull")
