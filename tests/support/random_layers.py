"""Random tensor programs as networks and solvers have them, larger than the scratchpads they meet.

Values are whole numbers, so that results are exact in every order of adding them.
"""

from __future__ import annotations

import solway as sw

from support import random_programs

SIZES = (1, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 31, 32, 33, 40, 64)
DTYPES = ("float32",) * 5 + ("int32", "int32", "float64", "float64", "int64", "int16", "uint8")
MOST = 20_000  # iterations of a stage


def sizes(rng, count, most=MOST):
    """Extents whose product is no more than `most`."""
    out = []
    for _ in range(count):
        fitting = [n for n in SIZES if n <= most]
        out.append(rng.choice(fitting))
        most //= out[-1]
    rng.shuffle(out)
    return out


def dtype(rng):
    return rng.choice(DTYPES)


def value_of(rng, *reads):
    """An expression of what is read."""
    out = reads[0]
    for read in reads[1:]:
        kind = rng.choice(("+", "-", "+", "max", "min", "select"))
        if kind == "select":
            out = sw.select(out > read, out, read - 1)
        elif kind in ("max", "min"):
            out = (sw.maximum if kind == "max" else sw.minimum)(out, read)
        else:
            out = out + read if kind == "+" else out - read
    return out * rng.choice((2, 3)) if rng.random() < 0.3 else out


def elementwise(rng):
    """A chain of stages over one shape; operands may lack dimensions, or have them exchanged."""
    rank, d = rng.randint(1, 3), dtype(rng)
    shape = sizes(rng, rank)
    tensors = []
    for n in range(rng.randint(1, 3)):
        kept = sorted(rng.sample(range(rank), rng.randint(0 if rank > 1 else 1, rank)))
        A = sw.placeholder([shape[k] for k in kept], d, name=f"A{n}")
        tensors.append((A, kept))
    T = None
    for n in range(rng.randint(1, 3)):
        before = T

        def body(*i, before=before):
            picked = rng.sample(tensors, rng.randint(1, len(tensors)))
            reads = [A[tuple(i[k] for k in kept)] for A, kept in picked]
            return value_of(rng, *([before[i]] if before is not None else []), *reads)

        T = sw.compute(shape, body, name=f"T{n}")
    return [T]


def reduction(rng):
    """Over some dimensions, and what is made of the result, in the shape of the operand again."""
    rank, d = rng.randint(1, 3), dtype(rng)
    shape = sizes(rng, rank)
    A = sw.placeholder(shape, d, name="A")
    kept = sorted(rng.sample(range(rank), rng.randint(0, rank - 1)))
    axes = {k: sw.reduce_axis(shape[k], name=f"r{k}") for k in range(rank) if k not in kept}
    op = getattr(sw, rng.choice(("sum", "sum", "min", "max")))

    def body(*i):
        index = [axes[k] if k in axes else i[kept.index(k)] for k in range(rank)]
        return op(A[tuple(index)], axis=list(axes.values()))

    R = sw.compute([shape[k] for k in kept], body, name="R")
    if rng.random() < 0.5:
        return [R]
    D = sw.compute(shape, lambda *i: A[i] - R[tuple(i[k] for k in kept)], name="D")
    return [D] if rng.random() < 0.7 else [D, R]


def stencil(rng):
    """One or two steps, of points that lie apart; where it ends it is shorter, or says zero."""
    guarded = rng.random() < 0.3
    rank, d = rng.randint(1, 2 if guarded else 3), dtype(rng)  # proofs of guards take long
    width = rng.choice((1, 1, 2))
    shape = [n + 4 * width for n in sizes(rng, rank, MOST // 4)]
    T = sw.placeholder(shape, d, name="A")
    points = [
        tuple(rng.randint(-width, width) for _ in range(rank))
        for _ in range(rng.randint(2, 3 if guarded else 6))
    ]
    for n in range(rng.randint(1, 2)):
        before = T

        def body(*i, before=before):
            reads = []
            for point in points:
                index = [x + p + (0 if guarded else width) for x, p in zip(i, point, strict=True)]
                read = before[tuple(index)]
                if guarded:
                    inside = [
                        c for x, e in zip(index, before.shape, strict=True) for c in (x >= 0, x < e)
                    ]
                    read = sw.select(sw.all_of(*inside), read, 0)
                reads.append(read)
            return value_of(rng, *reads)

        T = sw.compute(shape, body, name=f"S{n}") if guarded else sw.compute(
            [e - 2 * width for e in before.shape], body, name=f"S{n}"
        )  # fmt: skip
    return [T]


def convolution(rng):
    """One image or signal: plain, grouped or depthwise; with stride, dilation and padding, which is
    a stage or a choice."""
    d, rank = dtype(rng), rng.choice((1, 1, 2))
    groups, per_in, per_out = rng.choice(((1, 3, 4), (1, 5, 2), (2, 2, 3), (4, 1, 1), (3, 1, 2)))
    kernel = [rng.choice((1, 2, 3, 3)) for _ in range(rank)]
    stride, dilation, pad = rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2)), rng.choice((0, 1, 2))
    image = [rng.choice((6, 7, 9, 12, 13, 16)) * (3 - rank) for _ in range(rank)]
    A = sw.placeholder((groups * per_in, *image), d, name="A")
    W = sw.placeholder((groups * per_out, per_in, *kernel), d, name="W")
    rc = sw.reduce_axis(per_in, name="rc")
    taps = [sw.reduce_axis(n, name=x) for n, x in zip(kernel, ("ry", "rx"), strict=False)]
    out = [
        (n + 2 * pad - dilation * (k - 1) - 1) // stride + 1
        for n, k in zip(image, kernel, strict=True)
    ]

    def inside(c, *at):
        there = [y for x, n in zip(at, image, strict=True) for y in (x >= pad, x < n + pad)]
        return sw.select(sw.all_of(*there), A[(c, *(x - pad for x in at))], 0)

    P = None
    if pad and rng.random() < 0.6:
        shape = (groups * per_in, *(n + 2 * pad for n in image))
        P = sw.compute(shape, _of(rank + 1, inside), name="P")

    def body(f, *at):
        c = (f // per_out) * per_in + rc if groups > 1 else rc
        index = [x * stride + r * dilation for x, r in zip(at, taps, strict=True)]
        read = P[(c, *index)] if P is not None else inside(c, *index) if pad else A[(c, *index)]
        return sw.sum(read * W[(f, rc, *taps)], axis=[rc, *taps])

    S = sw.compute((groups * per_out, *out), _of(rank + 1, body), name="S")
    if rng.random() < 0.5:
        return [S]
    return [sw.compute(S.shape, lambda *i: sw.maximum(S[i], 0), name="R")]


def _of(count, body):
    """`body` with so many parameters: axes take their names."""
    names = ", ".join(f"x{n}" for n in range(count))
    return eval(f"lambda {names}: body({names})", {"body": body})


def pool(rng):
    d, k, stride = dtype(rng), rng.choice((2, 3)), rng.choice((1, 2, 3))
    c, h, w = rng.choice((1, 3, 8)), rng.choice((5, 9, 16, 20)), rng.choice((5, 9, 16, 20))
    A = sw.placeholder((c, h, w), d, name="A")
    ry, rx = sw.reduce_axis(k, name="ry"), sw.reduce_axis(k, name="rx")
    op = rng.choice((sw.sum, sw.max))
    shape = (c, (h - k) // stride + 1, (w - k) // stride + 1)
    body = lambda c, y, x: op(A[c, y * stride + ry, x * stride + rx], axis=[ry, rx])  # noqa: E731
    return [sw.compute(shape, body, name="P")]


def product(rng):
    """Operands transposed or not, a batch, a bias and a bound."""
    d = dtype(rng)
    m, n, p = sizes(rng, 3)
    batch = rng.choice((0, 0, 1, 3))
    turned = rng.random() < 0.5, rng.random() < 0.5
    shapes = [(p, m) if turned[0] else (m, p), (n, p) if turned[1] else (p, n)]
    lead = (batch,) if batch else ()
    A, B = (sw.placeholder(lead + s, d, name=x) for s, x in zip(shapes, "AB", strict=True))
    k = sw.reduce_axis(p, name="k")

    def body(*i):
        *b, i, j = i
        a = (k, i) if turned[0] else (i, k)
        c = (j, k) if turned[1] else (k, j)
        return sw.sum(A[(*b, *a)] * B[(*b, *c)], axis=k)

    C = sw.compute((*lead, m, n), _of(len(lead) + 2, body), name="C")
    if rng.random() < 0.6:
        return [C]
    bias = sw.placeholder((n,), d, name="bias")
    return [sw.compute(C.shape, lambda *i: sw.maximum(C[i] + bias[i[-1]], 0), name="Y")]


def chained_products(rng):
    d = dtype(rng)
    m, n, p, q = sizes(rng, 4, 8000)
    A, B, D = (
        sw.placeholder(s, d, name=x) for s, x in (((m, p), "A"), ((p, n), "B"), ((n, q), "D"))
    )
    k, j = sw.reduce_axis(p, name="k"), sw.reduce_axis(n, name="j")
    C = sw.compute((m, n), lambda i, x: sw.sum(A[i, k] * B[k, x], axis=k), name="C")
    return [sw.compute((m, q), lambda i, x: sw.sum(C[i, j] * D[j, x], axis=j), name="E")]


def nested(rng):
    """A product, or two sums of one row, inside a larger expression: of a new tensor, of an update
    in place, or only where a condition holds."""
    d = dtype(rng)
    m, n, p = sizes(rng, 3)
    A, B = sw.placeholder((m, p), d, name="A"), sw.placeholder((p, n), d, name="B")
    C = sw.placeholder((m, n), d, name="C")
    k, h = sw.reduce_axis(p, name="k"), sw.reduce_axis(p, name="h")
    kind = rng.choice(("new", "update", "beside", "two", "part", "triangle"))

    def total(i, j):
        return sw.sum(A[i, k] * B[k, j], axis=k)

    if kind == "update":
        return [sw.update(C, (m, n), lambda i, j: (i, j), lambda i, j: C[i, j] * 2 + total(i, j))]
    if kind == "two":
        both = lambda i, j: sw.max(A[i, k], axis=k) - sw.min(A[i, h], axis=h) + C[i, j]  # noqa: E731
        return [sw.compute((m, n), both, name="D")]
    bodies = {
        "new": lambda i, j: value_of(rng, total(i, j), C[i, j]),
        "beside": lambda i, j: total(i, j) - A[i, p - 1] + B[0, j],
        "part": lambda i, j: sw.select(i > 0, total(i, j) + C[i, j], C[i, j] - 1),
        "triangle": lambda i, j: C[i, j] - total(i, j),
    }
    where = (lambda i, j: j <= i) if kind == "triangle" else None
    return [sw.compute((m, n), bodies[kind], name="D", where=where)]


def slanted(rng):
    """What lies below a line, in a band or in a corner: of a product, of an update in place, or of
    two matrices; or below a plane, of three dimensions."""
    d = dtype(rng)
    m, n, p = sizes(rng, 3)
    slope, at = rng.choice((1, 1, 1, 2, 3)), rng.randint(-2, max(m, n))
    width = rng.randint(1, max(m, n))
    sets = {
        "below": lambda i, j: j <= slope * i + at % 3,
        "above": lambda i, j: slope * j >= i - at,
        "corner": lambda i, j: i + j <= at + 1,
        "band": lambda i, j: sw.all_of(j >= i - at, j < i + width),
        "steep band": lambda i, j: sw.all_of(slope * j <= i + width, j >= i - at),
    }
    keep = sets[rng.choice(list(sets))]
    A, B = sw.placeholder((m, p), d, name="A"), sw.placeholder((p, n), d, name="B")
    C = sw.placeholder((m, n), d, name="C")
    k = sw.reduce_axis(p, name="k")
    kind = rng.choice(("product", "update", "in place", "solid", "strided"))
    if kind == "product":
        body = lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k)  # noqa: E731
        return [sw.compute((m, n), body, name="S", where=keep)]
    if kind == "solid":
        D = sw.placeholder((m, n, p), d, name="D")
        under = lambda i, j, x: sw.all_of(keep(i, j), x <= j + width)  # noqa: E731
        return [sw.compute((m, n, p), lambda i, j, x: D[i, j, x] * 2, name="S", where=under)]
    if kind == "strided":
        E = sw.placeholder((2 * m, 3 * n), d, name="E")
        place = lambda i, j: (2 * i, 3 * j)  # noqa: E731
        return [sw.update(E, (m, n), place, lambda i, j: C[i, j] + 1, where=keep, name="S")]
    bodies = {
        "update": lambda i, j: C[i, j] * 2 + sw.sum(A[i, k] * B[k, j], axis=k),
        "in place": lambda i, j: C[i, j] * 2 + A[i, 0],
    }
    return [sw.update(C, (m, n), lambda i, j: (i, j), bodies[kind], where=keep, name="S")]


def substitution(rng):
    """Each element needs a sum over those before it."""
    n, m = sizes(rng, 2, 1000)
    L, b = sw.placeholder((n, n), "int64", name="L"), sw.placeholder((n, m), "int64", name="b")
    k = sw.reduce_axis(n, name="k")
    bit = lambda e: sw.clip(e, -1, 1)  # noqa: E731

    def element(x, i, j):
        return bit(b[i, j] - sw.sum(sw.select(k < i, L[i, k] * x[k, j], 0), axis=k))

    return [sw.recurrence((n, m), element, "int64", name="x")]


def transpose(rng):
    rank, d = rng.randint(2, 4), dtype(rng)
    shape = sizes(rng, rank)
    order = rng.sample(range(rank), rank)
    A = sw.placeholder(shape, d, name="A")
    turned = [rng.random() < 0.2 for _ in range(rank)]

    def body(*i):
        index = [i[order.index(k)] for k in range(rank)]
        back = [shape[k] - 1 - x if turned[k] else x for k, x in enumerate(index)]
        return A[tuple(back)] + 1

    return [sw.compute([shape[k] for k in order], body, name="T")]


def strided(rng):
    """Parts of vectors and rows that are read with steps, blocks and remainders, or far apart."""
    d, step = dtype(rng), rng.choice((2, 3, 5))
    n = rng.choice((1, 7, 40, 200, 1000))
    A, B = sw.placeholder((n * step + 3,), d, name="A"), sw.placeholder((n, step), d, name="B")
    kind = rng.choice(("steps", "blocks", "rows", "ends", "apart"))
    if kind == "apart":
        return [sw.compute((n,), lambda i: A[i] * 2 - A[i + n * (step - 1)], name="S")]
    if kind == "steps":
        return [sw.compute((n,), lambda i: A[i * step] - A[i * step + 2], name="S")]
    if kind == "blocks":
        return [sw.compute((n * step,), lambda i: B[i // step, i % step] + A[i], name="S")]
    if kind == "rows":
        return [sw.compute((step, n), lambda i, j: B[j, i] + A[j * step + i], name="S")]
    return [sw.compute((n,), lambda i: A[n * step + 2 - i] * 2 + A[i // 2], name="S")]


def normalised(rng):
    """Rows without their largest element, then what is left of each in its sum: as a softmax."""
    d = dtype(rng)
    m, n = sizes(rng, 2)
    A = sw.placeholder((m, n), d, name="A")
    k, j = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="j")
    M = sw.compute((m,), lambda i: sw.max(A[i, k], axis=k), name="M")
    E = sw.compute((m, n), lambda i, x: A[i, x] - M[i], name="E")
    S = sw.compute((m,), lambda i: sw.sum(E[i, j], axis=j), name="S")
    return [sw.compute((m, n), lambda i, x: E[i, x] * 2 - S[i], name="Y")]


def row_chain(rng):
    """Reductions of rows and what elements make of them, in turns; rows of one or two loops."""
    d = dtype(rng)
    *rows, n = sizes(rng, rng.choice((2, 2, 3)))
    shape = (*rows, n)
    X, G = sw.placeholder(shape, d, name="X"), sw.placeholder((n,), d, name="G")
    known, values = [X], []
    for number in range(rng.randint(2, 5)):
        source = rng.choice(known[-2:])
        if rng.random() < 0.5 or not values:
            k = sw.reduce_axis(n, name=f"k{number}")
            by = rng.choice((sw.sum, sw.max, sw.min))
            values.append(
                sw.compute(
                    tuple(rows),
                    lambda *i, a=source, k=k, by=by: by(a[(*i, k)], axis=k),
                    name=f"R{number}",
                )
            )
        else:
            value = rng.choice(values[-2:])
            others = [G] if rng.random() < 0.3 else []
            known.append(
                sw.compute(
                    shape,
                    lambda *i, a=source, v=value, g=others: value_of(
                        rng, a[i], v[i[:-1]], *(t[i[-1]] for t in g)
                    ),
                    name=f"E{number}",
                )
            )
    last, value = known[-1], values[-1]
    out = sw.compute(shape, lambda *i: last[i] - value[i[:-1]], name="Y")
    return [out, last] if last is not X and rng.random() < 0.2 else [out]


def pairs(rng):
    """Two results of one stage."""
    d = dtype(rng)
    m, n = sizes(rng, 2)
    A = sw.placeholder((m, n), d, name="A")
    S, D = sw.compute((m, n), lambda i, j: (A[i, j] + 1, A[i, j] * 2), name="S")
    return (
        [S, D]
        if rng.random() < 0.5
        else [sw.compute((n, m), lambda i, j: S[j, i] - D[j, i], name="E")]
    )


def references(rng):
    """Several references of a stage to one tensor: far from each other, in other directions, and
    those of a product with itself; guarded where it is a triangle."""
    d, kind = dtype(rng), rng.choice(("line", "rows", "mirror", "turned", "product", "beside"))
    if kind == "line":
        (n,) = sizes(rng, 1, MOST)
        n *= rng.choice((1, 1, 16))
        far = sorted(rng.sample((0, 1, 2, 5, 8, n, n + 1, 2 * n), rng.randint(2, 4)))
        A = sw.placeholder((n + far[-1],), d, name="A")
        rng.shuffle(far)
        return [sw.compute((n,), lambda i: value_of(rng, *[A[i + p] for p in far]), name="Y")]
    if kind == "rows":
        m, n = sizes(rng, 2, MOST // 4)
        points = [
            (rng.choice((0, 4, 9, m)), rng.choice((0, 1, n))) for _ in range(rng.randint(2, 4))
        ]
        A = sw.placeholder((2 * m + 9, 2 * n), d, name="A")
        reads = lambda i, j: [A[i + y, j + x] for y, x in points]  # noqa: E731
        return [sw.compute((m, n), lambda i, j: value_of(rng, *reads(i, j)), name="Y")]
    n = rng.choice((1, 5, 8, 16, 33, 48))
    A = sw.placeholder((n, n), d, name="A")
    if kind == "mirror":
        last = rng.choice((lambda i, j: A[j, i], lambda i, j: A[n - 1 - j, i]))
        return [sw.compute((n, n), lambda i, j: value_of(rng, A[i, j], last(i, j)), name="Y")]
    if kind == "turned":
        B = sw.placeholder((n * n,), d, name="B")
        return [sw.compute((n * n,), lambda i: value_of(rng, B[i], B[n * n - 1 - i]), name="Y")]
    k = sw.reduce_axis(n, name="k")
    if kind == "beside":
        row = lambda i, j: A[i, j] - sw.sum(A[i, k], axis=k)  # noqa: E731
        return [sw.compute((n, n), row, name="Y")]
    term = rng.choice((lambda i, j: A[i, k] * A[j, k], lambda i, j: A[i, k] * A[k, j]))
    kept = {"where": lambda i, j: j <= i} if rng.random() < 0.2 else {}
    return [sw.compute((n, n), lambda i, j: sw.sum(term(i, j), axis=k), name="Y", **kept)]


def table(rng):
    """Rows of a table at places that are data; constants."""
    d, n, rows, columns = dtype(rng), rng.choice((1, 9, 60)), 11, rng.choice((1, 8, 33))
    T, P = sw.placeholder((rows, columns), d, name="T"), sw.placeholder((n,), "int32", name="P")
    K = sw.constant([(3 * x) % 5 for x in range(columns)], d, name="K")
    if rng.random() < 0.4:
        return [sw.compute((n, columns), lambda i, j: K[j] * 2 + T[i % rows, j], name="G")]
    at = lambda i: sw.bounded(sw.clip(P[i], 0, rows - 1), 0, rows)  # noqa: E731
    return [sw.compute((n, columns), lambda i, j: T[at(i), j] + K[j], name="G")]


LAYERS = (
    *(elementwise,) * 3, *(reduction,) * 3, *(stencil,) * 3, *(convolution,) * 4, *(product,) * 4,
    *(nested,) * 4, substitution, pool, pool, chained_products, transpose, transpose, strided,
    strided, normalised, *(row_chain,) * 3, pairs, table, *(references,) * 4, *(slanted,) * 3,
    random_programs.positions, random_programs.folds, random_programs.index_map,
    random_programs.triangle, random_programs.centred, random_programs.graph,
    random_programs.recurrences,
)  # fmt: skip


def random_layer(rng):
    """The outputs of a program, and what it was drawn as."""
    made = rng.choice(LAYERS)
    return made(rng), made.__name__
