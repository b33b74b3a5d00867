"""Random recurrences, updates and domains under random legal schedules, against their definition.

Whole numbers, compared exactly with a plain interpreter. SOLWAY_SEED=<seed> replays one case.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import numpy as np
import pytest
import solway as sw
from support.oracle import evaluate
from test_random_schedules import apply_one, stages_of

CASES = 240
FIRST_SEED = 20190418
TARGETS = ("c", "host")
SIZES = (1, 2, 3, 4, 5, 6)
DTYPES = ("int64", "int32", "int8")


def any_domain(rng, extents):
    """A random affine condition on axes of these extents; None for the whole box."""
    kind = rng.choice(("whole", "whole", "below", "band", "union", "strided", "without"))
    terms = [(rng.choice((-1, 0, 1, 2)), rng.randrange(len(extents))) for _ in range(2)]
    limit = rng.randint(-1, max(extents) + 1)

    def value(axes):
        return terms[0][0] * axes[terms[0][1]] + terms[1][0] * axes[terms[1][1]] + 0 * axes[0]

    conditions = {
        "below": lambda *x: value(x) <= limit,
        "band": lambda *x: sw.all_of(value(x) <= limit, x[0] + 1 >= limit - 3),
        "union": lambda *x: sw.any_of(value(x) < limit, x[-1] == limit, x[0] > limit),
        "strided": lambda *x: (value(x) + 2 * limit) % 3 != 0,
        "without": lambda *x: value(x) != limit,
    }
    return conditions.get(kind)


def holds(domain, index):
    return sw.all_of(0 == 0 * index[0]) if domain is None else domain(*index)


def inside(index, shape):
    return sw.all_of(*(c for i, n in zip(index, shape, strict=True) for c in (i >= 0, i < n)))


def guarded(tensor, index, condition=None):
    """A read where the index lies inside and the condition holds, else 0."""
    within = inside(index, tensor.shape)
    if condition is not None:
        within = sw.all_of(within, condition)
    return sw.select(within, tensor[tuple(index)], 0)


def earlier_offset(rng, rank):
    """An offset that is negative in lexicographic order."""
    first = rng.randrange(rank)
    rest = [rng.choice((-2, -1, 0, 1, 2)) for _ in range(rank - first - 1)]
    return [0] * first + [-rng.choice((1, 1, 2))] + rest


def recurrence(rng, dtype, name):
    rank = rng.choice((1, 2, 2, 3))
    shape = tuple(rng.choice(SIZES) for _ in range(rank))
    domain = any_domain(rng, shape)
    offsets = [earlier_offset(rng, rank) for _ in range(rng.randint(1, 3))]
    signs = [rng.choice((1, -1, 2)) for _ in offsets]
    seed = sw.placeholder(shape, dtype, name=f"seed_{name}")
    k = sw.reduce_axis(shape[-1], name=f"k_{name}") if rng.random() < 0.4 else None
    op = getattr(sw, rng.choice(("sum", "max")))

    def body(H, *x):
        value = seed[x]
        for offset, sign in zip(offsets, signs, strict=True):
            at = [i + d for i, d in zip(x, offset, strict=True)]
            value = value + guarded(H, at, holds(domain, at)) * sign
        if k is not None:  # earlier elements of the same row
            at = [*x[:-1], k]
            before = sw.all_of(k < x[-1], holds(domain, at))
            value = value - op(sw.select(before, H[tuple(at)], 0), axis=k)
        return value

    return sw.recurrence(shape, body, dtype, where=domain, name=name), domain


def update(rng, tensor, dtype, name):
    rank = len(tensor.shape)
    box = tuple(rng.choice(SIZES) for _ in range(rng.choice((1, 2, 2, 3))))
    weights = [[rng.choice((-1, 0, 1, 1)) for _ in box] for _ in range(rank)]
    shifts = [rng.randint(0, 5) for _ in range(rank)]
    wraps = rng.random() < 0.4
    domain = any_domain(rng, box)

    def place(x, shift=0):
        rows = (
            sum(w * i for w, i in zip(row, x, strict=True)) + s + shift + 0 * x[0]
            for row, s in zip(weights, shifts, strict=True)
        )
        return [i % n if wraps else i for i, n in zip(rows, tensor.shape, strict=True)]

    def where(*x):
        return sw.all_of(holds(domain, x), inside(place(x), tensor.shape))

    reads = [rng.choice((-1, 0, 1)) for _ in range(rng.randint(1, 2))]

    def value(*x):
        total = x[0].astype(dtype) if rng.random() < 0.3 else 1
        for shift in reads:
            total = total + guarded(tensor, place(x, shift))
        return total

    return sw.update(tensor, box, lambda *x: tuple(place(x)), value, where, name)


def recurrences(rng):
    d = rng.choice(DTYPES)
    H, domain = recurrence(rng, d, "H")
    if rng.random() < 0.4:
        return [H]
    shift = rng.choice((-1, 0, 1))

    def body(*x):
        at = [x[0] + shift, *x[1:]]
        return guarded(H, at, holds(domain, at)) * 3 + 1

    return [sw.compute(H.shape, body, where=any_domain(rng, H.shape), name="C"), H]


def updates(rng):
    d = rng.choice(DTYPES)
    shape = tuple(rng.choice(SIZES) for _ in range(rng.choice((1, 2))))
    A = sw.placeholder(shape, d, name="A")
    T = A if rng.random() < 0.6 else sw.compute(shape, lambda *x: A[x] * 2, name="T")
    others = []
    for step in range(rng.randint(1, 3)):
        if rng.random() < 0.4:
            others.append(sw.compute(shape, lambda *x, T=T: T[x] + 1, name=f"C{step}"))
        T = update(rng, T, d, f"T{step}")
    if rng.random() < 0.5:
        others.append(sw.compute(shape, lambda *x, T=T: T[x] - 1, name="last"))
    return [T, *others] if rng.random() < 0.7 or not others else [*others]


def domains(rng):
    d = rng.choice(DTYPES)
    m, n = rng.choice(SIZES), rng.choice(SIZES)
    A = sw.placeholder((m, n), d, name="A")
    k = sw.reduce_axis(n, name="k")
    first, second = any_domain(rng, (m, n)), any_domain(rng, (m, n))
    B = sw.compute((m, n), lambda i, j: A[i, j] * 2 - 1, where=first, name="B")
    term = lambda i, j: guarded(B, [i, k], holds(first, (i, k))) * A[i, j]  # noqa: E731
    C = sw.compute((m, n), lambda i, j: sw.sum(term(i, j), axis=k), where=second, name="C")
    if rng.random() < 0.5:
        return [C]
    D = sw.compute(
        (m, n),
        lambda i, j: sw.select(holds(second, (i, j)), C[i, j], sw.sum(A[i, k], axis=k)),
        name="D",
    )
    return [D, C]


PROGRAMS = (recurrences, updates, domains)


def root(tensor):
    node = tensor._node
    while node.base is not None:
        node = node.base
    return sw.Tensor(node)


def draw(seed):
    """A case: outputs, inputs, schedule, and what became of the primitives."""
    rng = random.Random(seed)
    outputs = rng.choice(PROGRAMS)(rng)
    stages, inputs = stages_of(outputs)
    s = sw.create_schedule(outputs)
    counts = Counter()
    for _ in range(rng.randint(0, 5)):
        before = str(s), s.log
        error = None
        try:
            apply_one(rng, s, rng.choice(stages))
        except sw.Error as caught:
            error = caught
        counts["legal" if error is None else type(error).__name__] += 1
        if error is not None:
            assert error.why, report(seed, s, error)
            assert not isinstance(error, sw.InternalError), report(seed, s, error)
            assert (str(s), s.log) == before, report(seed, s, error)
    return outputs, inputs, s, counts


def report(seed, s, what):
    script = "\n".join(map(str, s.log))
    return f"SOLWAY_SEED={seed} target={target_of(seed)}\n{script}\n{s}\n{what}"


def target_of(seed):
    return TARGETS[seed % len(TARGETS)]


def wrong(seed, outputs, inputs, s, target):
    """What is wrong with a case; None when nothing is."""
    rng = np.random.default_rng(seed)
    own = [t for t in outputs if root(t) not in inputs]
    arrays = {t: rng.integers(-3, 4, t.shape).astype(t.dtype) for t in inputs}
    given = {t: a.copy() for t, a in arrays.items()}
    arrays |= {root(t): np.full(t.shape, 77, t.dtype) for t in own}
    kernel = sw.build(s, [*inputs, *own], target=target, poison_transfers=seed // 2 % 2 == 0)
    kernel(*(arrays[root(t)] for t in [*inputs, *own]))
    for tensor in outputs:
        expected = evaluate(tensor, given, outside=77).astype(tensor.dtype)
        got = arrays[root(tensor)]
        if not np.array_equal(got, expected):
            return f"'{tensor}' is\n{got}\nand should be\n{expected}"
    return None


def failure(seed, target=None):
    """The report of a case that fails, else None; and its counts."""
    outputs, inputs, s, counts = draw(seed)
    try:
        found = wrong(seed, outputs, inputs, s, target or target_of(seed))
    except sw.Error as error:
        found = error
        if target == "sw26010" and isinstance(error, sw.UnsupportedError | sw.CapacityError):
            counts["not emulated"] += 1
            found = None
    return (report(seed, s, found) if found is not None else None), counts


def test_random_recurrences(capsys):
    given = os.environ.get("SOLWAY_SEED")
    seeds = [int(given)] if given else range(FIRST_SEED, FIRST_SEED + CASES)
    total, failures = Counter(), []
    for seed in seeds:
        failed, counts = failure(seed)
        total.update(counts)
        failures += [failed] if failed else []
    with capsys.disabled():
        print(f"\n{len(seeds)} recurrences, updates and domains from seed {seeds[0]}:")
        print(f"{total['legal']} primitives legal, others {dict(sorted(total.items()))}")
    if failures:
        pytest.fail(f"{len(failures)} of {len(seeds)} fail; the first:\n{failures[0]}")
    assert given or total["legal"] > CASES // 2


def test_random_recurrences_emulated():
    failures = [failure(seed, "sw26010")[0] for seed in range(FIRST_SEED, FIRST_SEED + 12)]
    assert not any(failures), next(filter(None, failures))
