"""Products that `auto_buffer` computes in the tiles of the stage that reads them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import solway as sw

LANDINGS = ["at_wait", "at_issue", "random"]


def layer(m, n, depth, turned):
    """max(A B + bias, 0), the result turned around or not."""
    a = sw.placeholder((m, depth), name="A")
    b = sw.placeholder((depth, n), name="B")
    bias = sw.placeholder((n,), name="bias")
    k = sw.reduce_axis(depth, name="k")
    s = sw.compute((m, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="S")
    if turned:
        y = sw.compute((n, m), lambda j, i: sw.maximum(s[i, j] + bias[j], 0.0), name="Y")
    else:
        y = sw.compute((m, n), lambda i, j: sw.maximum(s[i, j] + bias[j], 0.0), name="Y")
    return [a, b, bias, y]


def placed(schedule):
    return [step for step in schedule.log if "compute_at" in str(step)]


@pytest.mark.parametrize(
    ("shape", "turned"),
    [
        ((128, 256, 64), False),
        ((256, 512, 64), True),
        ((104, 128, 32), False),  # 13 lines for each row of cores
        ((56, 512, 96), False),  # seven for each
    ],
)
def test_values_under_every_landing(shape, turned):
    tensors = layer(*shape, turned)
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010")
    assert placed(s)
    kernel = sw.build(s, tensors, target="sw26010", name="layer")
    rng = np.random.default_rng(0)
    inputs = [rng.integers(-4, 5, t.shape).astype("float32") for t in tensors[:-1]]
    expected = np.maximum(inputs[0] @ inputs[1] + inputs[2], 0)
    expected = expected.T if turned else expected
    for seed, landing in enumerate(LANDINGS):
        with sw.emulator(mode="hazard", landing=landing, seed=seed):
            np.testing.assert_array_equal(kernel.run(*inputs), expected)
    # The product never goes through main memory.
    least = 4 * (sum(np.prod(t.shape) for t in tensors[:-1]))
    assert kernel.last_run.bytes["put"] == 4 * np.prod(tensors[-1].shape)
    assert kernel.last_run.bytes["get"] >= least


@pytest.mark.parametrize("turned", [False, True])
def test_operands_run_on_over_tiles_of_the_reader(tmp_path, turned):
    """With little memory a core has several tiles."""
    text = (Path(__file__).parents[2] / "targets" / "sw26010.toml").read_text()
    small = tmp_path / "small.toml"
    small.write_text(text.replace("size_bytes = 65536", "size_bytes = 16384", 1))
    tensors = layer(256, 512, 256, turned)
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer(small)
    assert s.to_python().count("across=") == 2
    kernel = sw.build(s, tensors, target=small, name="layer")
    rng = np.random.default_rng(0)
    inputs = [rng.integers(-4, 5, t.shape).astype("float32") for t in tensors[:-1]]
    expected = np.maximum(inputs[0] @ inputs[1] + inputs[2], 0)
    for seed, landing in enumerate(LANDINGS):
        with sw.emulator(mode="hazard", landing=landing, seed=seed):
            np.testing.assert_array_equal(kernel.run(*inputs), expected.T if turned else expected)


@pytest.mark.parametrize("target", ["sw26010", "x86-64-v3", "host"])
def test_a_reader_may_name_a_product_twice(target):
    a, b, _, _ = layer(96, 128, 64, False)
    k = sw.reduce_axis(64, name="k")
    s = sw.compute((96, 128), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="S")
    y = sw.compute((96, 128), lambda i, j: s[i, j] * sw.clip(s[i, j] + 3, 0, 6), name="Y")
    schedule = sw.create_schedule(y)
    schedule.auto_schedule(target, search=False)
    assert placed(schedule)
    rng = np.random.default_rng(0)
    inputs = [rng.integers(-4, 5, t.shape).astype("float32") for t in (a, b)]
    product = inputs[0].astype("float64") @ inputs[1]
    result = sw.build(schedule, [a, b, y], target=target).run(*inputs)
    np.testing.assert_array_equal(result, product * np.clip(product + 3, 0, 6))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gelu_is_computed_in_the_tiles_of_its_product(dtype):
    m, n, depth = 50, 96, 64
    a = sw.placeholder((m, depth), dtype, name="A")
    b = sw.placeholder((depth, n), dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    s = sw.compute((m, n), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="S")
    y = sw.compute(
        (m, n), lambda i, j: s[i, j] * 0.5 * (1 + sw.erf(s[i, j] * 0.70710678118)), name="Y"
    )
    schedule = sw.create_schedule(y)
    schedule.auto_schedule("x86-64-v3", search=False)
    assert placed(schedule)
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal(t.shape).astype(dtype) / 4 for t in (a, b)]
    product = inputs[0].astype("float64") @ inputs[1].astype("float64")
    expected = product * 0.5 * (1 + np.vectorize(math.erf)(product * 0.70710678118))
    result = sw.build(schedule, [a, b, y], target="x86-64-v3").run(*inputs)
    np.testing.assert_allclose(result, expected, rtol=0, atol=64 * np.finfo(dtype).eps)


def test_both_sides_are_explained():
    tensors = layer(128, 256, 64, False)
    s = sw.create_schedule(tensors[-1], target="sw26010")
    s.auto_buffer("sw26010")
    text = str(s.explain("sw26010"))
    assert "where S is computed: in the tiles of Y, " in text
    assert "(by itself, stored and loaded again: " in text


def test_it_is_made_of_primitives_that_replay():
    tensors = layer(256, 512, 64, True)
    s = sw.create_schedule(tensors[-1], target="sw26010")
    s.auto_buffer("sw26010")
    scope = {"sw": sw, "outputs": [tensors[-1]]}
    exec(s.to_python(), scope)
    assert str(scope["s"]) == str(s)


@pytest.mark.parametrize("seen", [False, True])
def test_what_others_see_is_stored(seen):
    """A product that is an output, or that two stages read, stands by itself."""
    a = sw.placeholder((128, 64), name="A")
    b = sw.placeholder((64, 256), name="B")
    k = sw.reduce_axis(64, name="k")
    product = sw.compute((128, 256), lambda i, j: sw.sum(a[i, k] * b[k, j], axis=k), name="S")
    y = sw.compute((128, 256), lambda i, j: product[i, j] + 1.0, name="Y")
    z = sw.compute((128, 256), lambda i, j: product[i, j] * 2.0, name="Z")
    outputs = [product, y] if seen else [y, z]
    s = sw.create_schedule(outputs, target="sw26010")
    s.auto_buffer("sw26010")
    assert not placed(s)


def test_a_stage_that_the_user_has_scheduled_is_left():
    tensors = layer(128, 256, 64, False)
    s = sw.create_schedule(tensors[-1], target="sw26010")
    s[tensors[-1]].split("i", factor=16)
    s.auto_buffer("sw26010")
    assert not placed(s)


def test_planning_twice_leaves_a_fused_product():
    tensors = layer(128, 256, 64, False)
    s = sw.create_schedule(tensors[-1], target="sw26010")
    s.auto_buffer("sw26010")
    before = str(s)
    s.auto_buffer("sw26010")
    assert placed(s)
    assert str(s) == before
