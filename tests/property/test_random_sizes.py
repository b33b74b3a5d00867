"""Random schedules of programs with sizes: one kernel has the right values for all of them.

SOLWAY_SEED=<seed> replays one case.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import numpy as np
import solway as sw
from support.random_primitives import apply_random, random_primitive
from support.random_programs import stages_of

CASES = 120
FIRST_SEED = 91_000
LARGEST = 9


def matmul(rng):
    m, n, d = (sw.size(name, min=rng.choice((0, 1)), max=LARGEST) for name in "mnd")
    A, B = sw.placeholder((m, d), "int64", name="A"), sw.placeholder((d, n), "int64", name="B")
    k = sw.reduce_axis((0, d), name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    return [C], lambda a, b: [a @ b], lambda v: [(v["m"], v["d"]), (v["d"], v["n"])]


def stencil(rng):
    n = sw.size("n", min=3, max=LARGEST)
    width = rng.choice((1, 4, 5))
    A = sw.placeholder((n, width), "int64", name="A")
    B = sw.compute((n, width), lambda i, j: A[i, j] * 2 + j, name="B")
    C = sw.compute((n - 2, width), lambda i, j: B[i, j] + B[i + 2, j] - B[i + 1, 0], name="C")

    def values(a):
        b = a * 2 + np.arange(width)
        return [b[:-2] + b[2:] - b[1:-1, :1]]

    return [C], values, lambda v: [(v["n"], width)]


def triangle(rng):
    n = sw.size("n", min=1, max=LARGEST)
    A = sw.placeholder((n, n), "int64", name="A")
    k = sw.reduce_axis((0, n), name="k")
    S = sw.compute((n,), lambda i: sw.sum(sw.select(k <= i, A[i, k], 0), axis=k), name="S")
    L = sw.compute((n, n), lambda i, j: A[i, j] - S[j], name="L", where=lambda i, j: j <= i)
    return (
        [L],
        lambda a: [np.tril(a - np.tril(a).sum(1)[None, :])],
        lambda v: [(v["n"], v["n"])],
    )


def prefix(rng):
    n, m = sw.size("n", min=2, max=LARGEST), rng.choice((2, 5))
    A = sw.placeholder((n, m), "int64", name="A")
    R = sw.recurrence(
        (n, m),
        lambda R, i, j: sw.select(i == 0, A[i, j], R[i - 1, (j + 1) % m] + A[i, j]),
        dtype="int64",
        name="R",
    )

    def values(a):
        r = a.copy()
        for i in range(1, len(r)):
            r[i] += np.roll(r[i - 1], -1)
        return [r]

    return [R], values, lambda v: [(v["n"], m)]


PROGRAMS = (matmul, stencil, triangle, prefix)


def schedule_of(rng, outputs, counts):
    stages, inputs = stages_of(outputs)
    s, buffers = sw.create_schedule(outputs), []
    for _ in range(rng.randint(1, 5)):
        primitive = random_primitive(rng)
        try:
            apply_random(rng, primitive, s, stages, buffers)
            counts["legal"] += 1
        except sw.InternalError:
            raise
        except sw.Error as error:
            counts[type(error).__name__] += 1
    return s, inputs


def test_one_kernel_is_right_for_all_values():
    replay = os.environ.get("SOLWAY_SEED")
    seeds = [int(replay)] if replay else range(FIRST_SEED, FIRST_SEED + CASES)
    counts, runs = Counter(), 0
    for seed in seeds:
        rng = random.Random(seed)
        outputs, expected, shapes = rng.choice(PROGRAMS)(rng)
        text = f"SOLWAY_SEED={seed}"
        s, inputs = schedule_of(rng, outputs, counts)
        try:
            k = sw.build(s, [*inputs, *outputs])
        except (sw.UnsupportedError, sw.CapacityError) as error:
            counts[f"build: {type(error).__name__}"] += 1
            continue
        numbers = np.random.default_rng(seed)
        bounds = {size.name: (size.min, size.max) for t in outputs for size in sizes_of(t)}
        for pick in ("low", "high", "random", "random", "random"):
            values = {
                name: {"low": low, "high": high, "random": rng.randint(low, high)}[pick]
                for name, (low, high) in bounds.items()
            }
            arrays = [numbers.integers(-4, 5, shape) for shape in shapes(values)]
            got = k.run(*arrays)
            for want in expected(*arrays):
                assert np.array_equal(got, want), f"{text}, {values}\n{s.to_python()}\n{s}"
            runs += 1
    print(f"\n{len(seeds)} programs with sizes, {runs} runs: {dict(counts)}")
    assert counts["legal"] > len(seeds) / 2


def sizes_of(tensor):
    """The sizes of a tensor and of all that it reads."""
    nodes = {size.name: size for size in tensor._node.sizes}
    for read in tensor.inputs:
        nodes |= {size.name: size for size in sizes_of(read)}
    return list(nodes.values())
