"""What a refusal reports is true: the pair, by enumeration, is violated and the smallest; and what
its fix leads to is legal and computes the same.

SOLWAY_SEED=<seed> replays one case.
"""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter

import numpy as np
import solway as sw

CASES = 80
FIRST_SEED = 31_000
NAMES = "tij"


def offsets_of(rng, rank):
    """Distances to elements that come earlier: the first that is not 0 is negative."""
    out = set()
    while len(out) < rng.randint(1, 3):
        offset = tuple(rng.randint(-2, 2) for _ in range(rank))
        first = next((value for value in offset if value), 0)
        if first < 0:
            out.add(offset)
    return sorted(out)


def recurrence(shape, offsets):
    """H[p] = A[p] + the sum of H[p + offset] where that is inside."""
    A = sw.placeholder(shape, "int64", name="A")

    def body(H, *axes):
        value = A[axes]
        for offset in offsets:
            at = tuple(axis + step for axis, step in zip(axes, offset, strict=True))
            pairs = zip(at, shape, strict=True)
            inside = sw.all_of(*(c for x, n in pairs for c in (x >= 0, x < n)))
            value = value + sw.select(inside, H[at], 0)
        return value

    functions = {
        2: lambda H, t, i: body(H, t, i),
        3: lambda H, t, i, j: body(H, t, i, j),
    }
    return A, sw.recurrence(shape, functions[len(shape)], dtype="int64", name="H")


def dependences(shape, offsets):
    """(source, sink) of every read: all direct, because each element is written once."""
    points = list(itertools.product(*map(range, shape)))
    return [
        (source, sink)
        for sink in points
        for offset in offsets
        for source in [tuple(x + step for x, step in zip(sink, offset, strict=True))]
        if all(0 <= x < n for x, n in zip(source, shape, strict=True))
    ]


def violated_by(primitive, axes, pairs):
    """The pairs that the primitive would run backwards, or at the same time."""
    if primitive == "reorder":
        return [(a, b) for a, b in pairs if [b[k] for k in axes] <= [a[k] for k in axes]]
    (k,) = axes
    return [(a, b) for a, b in pairs if a[:k] == b[:k] and a[k] != b[k]]


def run(seed):
    rng = random.Random(seed)
    rank = rng.choice((2, 2, 3))
    shape = tuple(rng.randint(2, 6) for _ in range(rank))
    offsets = offsets_of(rng, rank)
    A, H = recurrence(shape, offsets)
    s = sw.create_schedule(H)
    primitive = rng.choice(("reorder", "parallel", "vectorize"))
    axes = rng.sample(range(rank), rank if primitive == "reorder" else 1)
    names = [NAMES[k] for k in axes]
    violated = violated_by(primitive, axes, dependences(shape, offsets))
    text = f"SOLWAY_SEED={seed} {shape} {offsets} {primitive}{names}"
    error = refusal_of(lambda: getattr(s[H], primitive)(*names))
    if error is None:
        assert not violated, f"{text}: accepted, but {min(violated)} is violated\n{s}"
        return "legal"
    pair = tuple(tuple(value for _, value in side[1]) for side in (error.source, error.sink))
    assert violated, f"{text} is legal\n{error}"
    assert pair == min(violated), f"{text}: {min(violated)} is smaller\n{error}"
    assert error.tensor == "H" and error.element == pair[0], f"{text}\n{error}"
    if error.apply_fix is None:
        return "refused"
    fix = error.fix
    error.apply_fix()
    if "instead" not in fix:
        getattr(s[H], primitive)(*([f"{names[0]}.i"] if fix.endswith("inner loop") else names))
    values = np.random.default_rng(seed).integers(-3, 4, shape)
    plain = sw.build(sw.create_schedule(H), [A, H], target="c").run(values)
    np.testing.assert_array_equal(
        sw.build(s, [A, H], target="c").run(values), plain, f"{text}\n{s}"
    )
    return "fixed"


def refusal_of(call):
    try:
        call()
    except sw.IllegalScheduleError as error:
        return error
    return None


def test_reported_pairs_are_true_and_fixes_are_legal():
    replay = os.environ.get("SOLWAY_SEED")
    seeds = [int(replay)] if replay else range(FIRST_SEED, FIRST_SEED + CASES)
    counts = Counter(run(seed) for seed in seeds)
    print(f"\nrefusals: {dict(counts)}")
    assert replay or min(counts["legal"], counts["fixed"]) > CASES // 20
