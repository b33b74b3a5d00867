"""Random schedules of programs with sizes: one kernel has the right values for all of them.

What is assumed of sizes is met by all values but one, which the call must refuse.

SOLWAY_SEED=<seed> replays one case; SOLWAY_SIZES_CASES and SOLWAY_SIZES_FIRST ask for others.
"""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter

import numpy as np
import pytest
import solway as sw
from support.random_primitives import apply_random, random_primitive
from support.random_programs import stages_of

CASES = int(os.environ.get("SOLWAY_SIZES_CASES", "80"))
FIRST_SEED = int(os.environ.get("SOLWAY_SIZES_FIRST", "91000"))
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


def condition(rng, names):
    """A condition as a function of the sizes by name, be they expressions or numbers."""
    a, b = rng.choice(names), rng.choice(names)
    factor, number = rng.choice((2, 3, 4)), rng.randint(1, LARGEST)
    one = rng.choice(
        (
            lambda v: v[a] % factor == 0,
            lambda v: v[a] >= number,
            lambda v: v[a] != number,
            lambda v: v[a] + number > 2 * v[b],
            lambda v: v[a] // factor == v[b] // factor,
        )
    )
    if rng.random() < 0.7:
        return one
    other = condition(rng, names)
    connect = rng.choice((any, all))
    functions = {any: sw.any_of, all: sw.all_of}

    def both(v):
        values = [one(v), other(v)]
        return functions[connect](*values) if isinstance(values[0], sw.Expr) else connect(values)

    return both


def schedule_of(rng, outputs, counts):
    """A schedule, what it reads, and the conditions that it assumes."""
    stages, inputs = stages_of(outputs)
    s, buffers, assumed = sw.create_schedule(outputs), [], []
    names = list(s.sizes)
    for _ in range(rng.randint(1, 5)):
        kind = rng.random()
        try:
            if kind < 0.25:
                holds = condition(rng, names)
                s.assume(holds(s.sizes))
                assumed.append(holds)
                counts["assumed"] += 1
            elif kind < 0.35:
                s[rng.choice(stages)].specialize(condition(rng, names)(s.sizes))
                counts["specialized"] += 1
            else:
                apply_random(rng, random_primitive(rng), s, stages, buffers)
                counts["legal"] += 1
        except sw.InternalError:
            raise
        except sw.Error as error:
            counts[type(error).__name__] += 1
    return s, inputs, assumed


def values_of(s, assumed):
    """All values of the sizes together: those that the conditions leave, and the others."""
    names = list(s.sizes)
    ranges = [range(size.min, size.max + 1) for size in s.sizes.values()]
    kept, others = [], []
    for numbers in itertools.product(*ranges):
        values = dict(zip(names, numbers, strict=True))
        (kept if all(holds(values) for holds in assumed) else others).append(values)
    return kept, others


def test_one_kernel_is_right_for_all_values(tmp_path):
    replay = os.environ.get("SOLWAY_SEED")
    seeds = [int(replay)] if replay else range(FIRST_SEED, FIRST_SEED + CASES)
    counts, runs = Counter(), 0
    for seed in seeds:
        rng = random.Random(seed)
        outputs, expected, shapes = rng.choice(PROGRAMS)(rng)
        s, inputs, assumed = schedule_of(rng, outputs, counts)
        text = f"SOLWAY_SEED={seed}\n{s.to_python()}\n{s}"
        s.save(tmp_path / "s.schedule")
        again = sw.load_schedule(tmp_path / "s.schedule", outputs)
        assert str(again) == str(s) and again.to_python() == s.to_python(), text
        target = rng.choice(("host", "host", "c", "sw26010"))
        is_poisoned = target != "sw26010" and rng.choice((False, True))
        arguments = [*inputs, *outputs]
        try:
            k = sw.build(s, arguments, target=target, poison_transfers=is_poisoned)
        except (sw.UnsupportedError, sw.CapacityError) as error:
            counts[f"build: {type(error).__name__}"] += 1
            continue
        numbers = np.random.default_rng(seed)
        kept, others = values_of(s, assumed)
        for values in (kept[0], kept[-1], *(rng.choice(kept) for _ in range(3))):
            arrays = [numbers.integers(-4, 5, shape) for shape in shapes(values)]
            with sw.emulator("hazard", landing="random", seed=seed):
                got = k.run(*arrays)
            for want in expected(*arrays):
                assert np.array_equal(got, want), f"{values}\n{text}"
            runs += 1
            counts[f"runs on {target}"] += 1
        if others:
            arrays = [numbers.integers(-4, 5, shape) for shape in shapes(rng.choice(others))]
            with pytest.raises(sw.ArgumentMismatchError, match="runs only where"):
                k.run(*arrays)
            counts["refused calls"] += 1
    print(f"\n{len(seeds)} programs with sizes, {runs} runs: {dict(counts)}")
    assert counts["legal"] > len(seeds) / 2 or replay
