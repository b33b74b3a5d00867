"""Random programs under the greedy planner fit the scratchpad and give what NumPy gives.

SOLWAY_SEED=<seed> replays one case by itself.
"""

from __future__ import annotations

import os
import random

import numpy as np
import solway as sw

CASES = 16
FIRST_SEED = 20190418


def matmul(rng):
    small = rng.random() < 0.5
    m, n, depth = (rng.randint(0 if small else 1, 20 if small else 300) for _ in range(3))
    dtype = rng.choice(["float32", "float64", "int32", "int64", "int8"])
    a = sw.placeholder((m, depth), dtype=dtype, name="A")
    b = sw.placeholder((depth, n), dtype=dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    c = sw.compute((m, n), lambda x, y: sw.sum(a[x, k] * b[k, y], axis=k), name="C")
    return [a, b, c], lambda a, b: a @ b


def convolution(rng):
    kernel, stride = rng.randint(1, 5), rng.randint(1, 3)
    channels, filters, size = rng.randint(1, 4), rng.randint(1, 9), rng.randint(kernel, 24)
    pad = kernel // 2
    out = (size + 2 * pad - kernel) // stride + 1
    a = sw.placeholder((channels, size, size), name="A")
    w = sw.placeholder((filters, channels, kernel, kernel), name="W")
    rc, ry, rx = (
        sw.reduce_axis(n, name=name)
        for n, name in ((channels, "rc"), (kernel, "ry"), (kernel, "rx"))
    )

    def value(ff, yy, xx):
        y, x = yy * stride + ry - pad, xx * stride + rx - pad
        inside = sw.all_of(0 <= y, y < size, 0 <= x, x < size)
        return sw.sum(sw.select(inside, a[rc, y, x], 0.0) * w[ff, rc, ry, rx], axis=[rc, ry, rx])

    def expected(a, w):
        padded = np.pad(a, ((0, 0), (pad, pad), (pad, pad)))
        views = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(1, 2))
        return np.einsum("cyxrq,fcrq->fyx", views[:, ::stride, ::stride], w)

    return [a, w, sw.compute((filters, out, out), value, name="B")], expected


def elementwise(rng):
    shape = tuple(rng.randint(1, 60) for _ in range(rng.randint(1, 3)))
    if rng.random() < 0.5:
        shape = (rng.randint(1, 100_000),)
    a, b = sw.placeholder(shape, name="A"), sw.placeholder(shape, name="B")
    return [a, b, sw.compute(shape, lambda *i: a[i] * b[i], name="C")], lambda a, b: a * b


def neighbours(rng):
    n = rng.randint(1, 9000)
    a = sw.placeholder((n + 2,), name="A")
    p = sw.compute((n,), lambda i: a[i] + a[i + 2], name="P")
    c = sw.compute((n,), lambda i: p[i] * a[i], name="C")
    return [a, c], lambda a: (a[:-2] + a[2:]) * a[:-2]


def failure(seed):
    """What is wrong with one case; None when nothing is."""
    rng = random.Random(seed)
    tensors, expected = rng.choice([matmul, convolution, elementwise, neighbours])(rng)
    s = sw.create_schedule(tensors[-1])
    s.auto_buffer("sw26010", planner="greedy")
    report = f"SOLWAY_SEED={seed}\n" + "\n".join(map(str, s.log))
    if not s.ldm_report("sw26010").fits:
        return f"{report}\n{s.ldm_report('sw26010')}"
    values = np.random.default_rng(seed)
    inputs = [values.integers(-3, 4, t.shape).astype(t.dtype) for t in tensors[:-1]]
    for target in ("c", "sw26010"):
        got = sw.build(s, tensors, target=target).run(*inputs)
        if not np.array_equal(got, expected(*inputs).astype(got.dtype)):
            return f"{report}\n{target} differs"
    return None


def test_random_programs_under_the_planner():
    replay = os.environ.get("SOLWAY_SEED")
    seeds = [int(replay)] if replay else range(FIRST_SEED, FIRST_SEED + CASES)
    failures = [found for found in map(failure, seeds) if found]
    print(f"{len(seeds)} random programs under the greedy planner: {len(failures)} wrong")
    assert not failures, failures[0]
