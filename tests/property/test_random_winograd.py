"""Random convolutions by minimal filtering: the values of the direct form, within its rounding."""

from __future__ import annotations

import os

import numpy as np
import solway as sw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.guarded import GuardedKernel


@st.composite
def programs(draw):
    """Sizes, tiles, where axes stand in the image and in the result, and what reads the result."""
    taps = draw(st.sampled_from([2, 3, 3, 3, 5]))
    return {
        "taps": taps,
        "outputs": draw(st.integers(1, 9 - taps)) if taps < 5 else draw(st.integers(1, 4)),
        "batch": draw(st.integers(1, 2)),
        "channels": draw(st.integers(1, 40)),
        "filters": draw(st.sampled_from([1, 5, 16, 32, 48, 64])),
        "size": (draw(st.integers(1, 14)), draw(st.integers(1, 14))),
        "border": draw(st.integers(0, 1)),
        "image": draw(st.permutations(["n", "c", "y", "x"])),
        "result": draw(st.permutations(["n", "f", "y", "x"])),
        "reader": draw(st.sampled_from([None, "bias"])),
        "type": draw(st.sampled_from(["float32", "float32", "float64"])),
        "scheduled": draw(st.booleans()),
        "seed": draw(st.integers(0, 1000)),
    }


def convolution_of(p):
    """The image has a border of zeros in the expression, and is as large as the result needs."""
    (rows, columns), taps, border = p["size"], p["taps"], p["border"]
    extents = {"n": p["batch"], "c": p["channels"], "f": p["filters"]}
    high, wide = rows + taps - 1 - 2 * border, columns + taps - 1 - 2 * border
    image = extents | {"y": max(1, high), "x": max(1, wide)}
    X = sw.placeholder(tuple(image[a] for a in p["image"]), p["type"], name="X")
    W = sw.placeholder((taps, taps, p["channels"], p["filters"]), p["type"], name="W")
    r, q = sw.reduce_axis(taps, name="r"), sw.reduce_axis(taps, name="q")
    c = sw.reduce_axis(p["channels"], name="c")

    def value(*axes):
        at = dict(zip(p["result"], axes, strict=True))
        y, x = at["y"] + r - border, at["x"] + q - border
        element = {"n": at["n"], "c": c, "y": y, "x": x}
        inside = sw.all_of(y >= 0, y < image["y"], x >= 0, x < image["x"])
        pixel = sw.select(inside, X[tuple(element[a] for a in p["image"])], 0.0)
        return sw.sum(pixel * W[r, q, c, at["f"]], axis=(r, q, c))

    named = {"n": p["batch"], "f": p["filters"], "y": rows, "x": columns}
    shape = tuple(named[a] for a in p["result"])
    return X, W, sw.compute(shape, _with_names(value, p["result"]), name="C")


def _with_names(value, names):
    """A function whose parameters have the names of the axes."""
    scope = {"value": value}
    return eval(f"lambda {', '.join(names)}: value({', '.join(names)})", scope)


@settings(
    max_examples=int(os.environ.get("SOLWAY_WINOGRAD_CASES", "8")),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(programs())
def test_minimal_filtering_computes_the_direct_form(p) -> None:
    X, W, C = convolution_of(p)
    rng = np.random.default_rng(p["seed"])
    x, w = (rng.integers(-2, 3, t.shape).astype(p["type"]) for t in (X, W))
    right = sw.build(sw.create_schedule(C), [X, W, C]).run(x, w)
    chain = sw.winograd(C, p["outputs"])
    result = chain
    if p["reader"]:
        shape = chain.shape
        result = sw.compute(
            shape, lambda i, j, k, m: sw.maximum(chain[i, j, k, m] + 1, 0), name="D"
        )
        right = np.maximum(right + 1, 0)
    schedule = sw.create_schedule(result)
    if p["scheduled"]:
        schedule.auto_schedule("host", search=False)
    found = GuardedKernel(sw.build(schedule, [X, W, result])).run(x, w)
    largest = max(1.0, float(np.abs(right).max()), float(p["channels"] * p["taps"] ** 2))
    # Points of 1/2 lose digits: tiles of more than six points.
    loss = 1e-3 if p["outputs"] + p["taps"] - 1 > 6 else 5e-5
    tolerance = loss if p["type"] == "float32" else loss * 1e-8
    assert np.abs(found - right).max() <= tolerance * largest
