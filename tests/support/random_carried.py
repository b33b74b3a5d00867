"""Random recurrences, updates in place and domains, all affine, of whole numbers."""

from __future__ import annotations

import solway as sw

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


def copy_of(tensor, addend, name):
    return sw.compute(tensor.shape, lambda *x: tensor[x] + addend, name=name)


def updates(rng):
    d = rng.choice(DTYPES)
    shape = tuple(rng.choice(SIZES) for _ in range(rng.choice((1, 2))))
    A = sw.placeholder(shape, d, name="A")
    T = A if rng.random() < 0.6 else sw.compute(shape, lambda *x: A[x] * 2, name="T")
    others = []
    for step in range(rng.randint(1, 3)):
        if rng.random() < 0.4:
            others.append(copy_of(T, 1, f"C{step}"))
        T = update(rng, T, d, f"T{step}")
    if rng.random() < 0.5:
        others.append(copy_of(T, -1, "last"))
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
