"""Random programs whose results are whole numbers, exact in every order of adding them.

`random_program` draws one of a table: a few shapes that people write, and graphs of stages whose
expressions are random too.
"""

from __future__ import annotations

import solway as sw
from support.random_carried import domains, recurrences, updates

SIZES = (1, 2, 3, 4, 5, 7, 8)
DTYPES = ("float32", "float64", "int32", "int64", "int16", "int8")
# Whole numbers of a float16 are exact up to 2048; those of an uint8 wrap, and are compared anew.
SMALL_DTYPES = (*DTYPES, "float16", "uint8")


def size(rng):
    return rng.choice(SIZES)


def dtype(rng, dtypes=SMALL_DTYPES):
    return rng.choice(dtypes)


def matmul(rng):
    m, n, p, d = size(rng), size(rng), size(rng), dtype(rng)
    A, B = sw.placeholder((m, p), d, name="A"), sw.placeholder((p, n), d, name="B")
    k = sw.reduce_axis(p, name="k")
    return [sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")]


def convolution(rng):
    h, w, r, stride, pad = size(rng), size(rng), rng.choice((1, 2, 3)), rng.choice((1, 2)), 1
    d = dtype(rng)
    X, W = sw.placeholder((2, h, w), d, name="X"), sw.placeholder((2, r, r), d, name="W")
    shape = tuple(max(0, (extent + 2 * pad - r) // stride + 1) for extent in (h, w))
    c, ry, rx = (sw.reduce_axis(e, name=n) for e, n in ((2, "c"), (r, "ry"), (r, "rx")))

    def body(y, x):
        row, column = y * stride + ry - pad, x * stride + rx - pad
        inside = sw.all_of(row >= 0, row < h, column >= 0, column < w)
        return sw.sum(sw.select(inside, X[c, row, column], 0) * W[c, ry, rx], axis=[c, ry, rx])

    return [sw.compute(shape, body, name="Y")]


def chain(rng):
    m, n, d = size(rng), size(rng), dtype(rng)
    A, B = sw.placeholder((m, n), d, name="A"), sw.placeholder((n, m), d, name="B")
    C = sw.compute((m, n), lambda i, j: A[i, j] - B[j, i], name="C")
    D = sw.compute((n, m), lambda x, y: C[m - 1 - y, x] * 2 + B[x, y], name="D")
    if rng.random() < 0.5:
        return [D]
    E = sw.compute((m, n), lambda i, j: sw.maximum(D[j, i], C[i, j]), name="E")
    return [E] if rng.random() < 0.5 else [E, C]


def reduction(rng):
    m, n, p, d = size(rng), size(rng), size(rng), dtype(rng)
    A = sw.placeholder((m, n, p), d, name="A")
    j, k = sw.reduce_axis(n, name="j"), sw.reduce_axis(p, name="k")
    op = getattr(sw, rng.choice(("sum", "min", "max")))
    scale = rng.choice((1, 3))
    return [sw.compute((m,), lambda i: op(A[i, j, k], axis=[j, k]) * scale, name="R")]


def positions(rng):
    m, n, p, d = size(rng), size(rng), size(rng), dtype(rng)
    A = sw.placeholder((m, n, p), d, name="A")
    j, k, b = (sw.reduce_axis(e, name=x) for e, x in ((n, "j"), (p, "k"), (n, "b")))
    op, fold = (
        getattr(sw, rng.choice(("argmin", "argmax"))),
        getattr(sw, rng.choice(("any", "all"))),
    )
    P = sw.compute((m,), lambda i: op(A[i, j, k], axis=[j, k]), name="P")
    if rng.random() < 0.5:
        return [P]
    return [P, sw.compute((m,), lambda i: fold(A[i, b, 0] > 0, axis=b), name="H")]


def pairs(rng):
    shape, d = (size(rng), size(rng)), dtype(rng)
    A = sw.placeholder(shape, d, name="A")
    S, D = sw.compute(shape, lambda i, j: (A[i, j] + 1, A[i, j] * 2), name="S")
    if rng.random() < 0.5:
        return [sw.compute(shape, lambda i, j: S[i, j] - D[i, j], name="E")]
    return [S, D] if rng.random() < 0.5 else [D]


def folds(rng):
    """Reductions of a user's own; of those that do not commute the order shows."""
    m, n, d = size(rng), size(rng), dtype(rng)
    A = sw.placeholder((m, n), d, name="A")
    k = sw.reduce_axis(n, name="k")
    both = sw.reducer(lambda a, b: (a[0] + b[0], sw.maximum(a[1], b[1])), (0, 0), name="both")
    last = sw.reducer(
        lambda a, b: sw.select(b != 0, b, a), 0, commutative=False, name="last"
    )  # fmt: skip
    kind = rng.choice(("both", "both", "one", "last"))
    if kind == "last":
        return [sw.compute((m,), lambda i: last(A[i, k], axis=k), name="L")]
    if kind == "both":
        S, X = sw.compute((m,), lambda i: both((A[i, k], A[i, k]), axis=k), name="S")
        return rng.choice(([S, X], [X], [sw.compute((m,), lambda i: S[i] + X[i], name="E")]))
    return [sw.compute((m,), lambda i: both((A[i, k], i + k), axis=k)[1] * 2, name="X")]


def centred(rng):
    m, n, d = size(rng), size(rng), dtype(rng)
    A = sw.placeholder((m, n), d, name="A")
    k = sw.reduce_axis(n, name="k")
    S = sw.compute((m,), lambda i: sw.sum(A[i, k], axis=k), name="S")
    return [sw.compute((m, n), lambda i, j: A[i, j] * n - S[i], name="D")]


def transpose(rng):
    shape, d = tuple(size(rng) for _ in range(3)), dtype(rng)
    order = rng.sample(range(3), 3)
    A = sw.placeholder(shape, d, name="A")
    back = [order.index(n) for n in range(3)]
    return [
        sw.compute(
            tuple(shape[n] for n in order),
            lambda i, j, k: A[tuple((i, j, k)[n] for n in back)] + 1,
            name="T",
        )
    ]


def index_map(rng):
    n, block, d = size(rng), rng.choice((2, 3, 4)), dtype(rng)
    A = sw.placeholder((n, block), d, name="A")
    F = sw.compute((n * block,), lambda i: A[i // block, i % block] * 2, name="F")
    turned = lambda i: F[(i * 3 + 1) % (n * block)] - F[i // 2]  # noqa: E731
    return [sw.compute((n * block,), turned, name="G")]


def triangle(rng):
    n, d = size(rng), dtype(rng)
    A = sw.placeholder((n, n), d, name="A")
    k = sw.reduce_axis(n, name="k")
    body = lambda i, j: sw.sum(sw.select(k <= i, A[k, j], 0), axis=k) - A[i, j]  # noqa: E731
    return [sw.compute((n, n), body, name="P")]


_LARGEST = 1 << 20  # of the values of floats: far below 2 ** 24, so that all sums are exact


class _Graph:
    """Draws a graph of stages: what each reads, where, and what it makes of that."""

    def __init__(self, rng):
        self._rng = rng
        self._dtype = dtype(rng, DTYPES)
        self._tensors = []  # with a bound of their elements' magnitude
        self._axis_count = 0

    def outputs(self):
        rng = self._rng
        for number in range(rng.randint(1, 3)):
            shape = tuple(size(rng) for _ in range(rng.randint(1, 3)))
            given = self._dtype if rng.random() < 0.8 else dtype(rng, DTYPES)
            self._tensors.append((sw.placeholder(shape, given, name=f"A{number}"), 3))
        if rng.random() < 0.3:
            self._tensors.append((self._constant(), 3))
        stages = [stage for n in range(rng.randint(1, 4)) for stage in self._stage(n)]
        last = stages[-1]
        others = [stage for stage in stages[:-1] if rng.random() < 0.2]
        return [last, *others]

    def _constant(self):
        rng = self._rng
        values = [[rng.randint(-3, 3) for _ in range(4)] for _ in range(size(rng))]
        return sw.constant(values, dtype(rng, DTYPES), name="K")

    def _stage(self, number):
        rng = self._rng
        shape = tuple(size(rng) for _ in range(rng.choice((1, 2, 2, 3))))
        names = [f"{letter}{number}" for letter in "ijk"[: len(shape)]]
        bounds = []
        count = 2 if rng.random() < 0.15 else 1

        def body(*axes):
            values = []
            for _ in range(count):
                value, bound = self._value(axes, depth=rng.randint(1, 3), may_reduce=True)
                values.append(value)
                bounds.append(bound)
            return values[0] if count == 1 else tuple(values)

        # The names of axes come from the parameters of the function.
        source = f"lambda {', '.join(names)}: body({', '.join(names)})"
        made = sw.compute(shape, eval(source, {"body": body}), name=f"T{number}")
        tensors = made if isinstance(made, tuple) else (made,)
        self._tensors += zip(tensors, bounds, strict=True)
        return tensors

    def _value(self, axes, depth, may_reduce):
        """An expression, and the largest magnitude that it can have."""
        rng = self._rng
        if depth == 0:
            return self._read(axes) if rng.random() < 0.85 else self._number(axes)
        if may_reduce and rng.random() < 0.5:
            return self._reduce(axes, depth)
        a, bound_a = self._value(axes, depth - 1, may_reduce)
        kind = rng.choice(("+", "-", "*", "min", "max", "select", "abs", "-x", "scale", "cast"))
        if kind in ("abs", "-x"):
            return (sw.abs(a) if kind == "abs" else -a), bound_a
        if kind == "cast":
            return self._cast(a, bound_a)
        if kind == "scale":
            return self._scaled(a, bound_a)
        b, bound_b = self._value(axes, depth - 1, may_reduce=False)
        if kind == "select":
            return sw.select(self._condition(axes), a, b), max(bound_a, bound_b)
        if kind in ("min", "max"):
            return getattr(sw, f"{kind}imum")(a, b), max(bound_a, bound_b)
        if kind == "*" and bound_a * bound_b <= _LARGEST:
            return a * b, bound_a * bound_b
        if bound_a + bound_b > _LARGEST:
            return a, bound_a
        return (a - b if kind == "-" else a + b), bound_a + bound_b

    def _scaled(self, a, bound):
        factor = self._rng.choice((2, 3, -1))
        if bound * 3 > _LARGEST:
            return a, bound
        if a.dtype.kind == "i" and self._rng.random() < 0.5:
            return (a // 3 if factor == 3 else a % 5), max(bound, 5)
        return a * factor, bound * 3

    def _cast(self, a, bound):
        to = dtype(self._rng, DTYPES)
        # Of a float that does not fit, NumPy's result depends on the machine.
        return (a, bound) if a.dtype.kind == "f" and bound > 127 else (sw.cast(a, to), bound)

    def _number(self, axes):
        rng = self._rng
        if axes and rng.random() < 0.5:
            axis = rng.choice(axes)
            return sw.cast(axis, self._dtype), max(axis.end, 1)
        return sw.cast(rng.randint(-3, 3), self._dtype), 3

    def _condition(self, axes):
        rng = self._rng
        if not axes or rng.random() < 0.3:
            value, _ = self._read(axes)
            return value > rng.randint(-1, 1)
        a = rng.choice(axes)
        b = rng.choice([*axes, 1, 2, 3])
        one = rng.choice((a < b, a == b, a >= b, (a + b) % 2 == 0))
        return one if rng.random() < 0.7 else sw.any_of(one, rng.choice(axes) == 0)

    def _reduce(self, axes, depth):
        rng = self._rng
        own = []
        for _ in range(rng.choice((1, 1, 2))):
            begin = rng.choice((0, 0, 0, 1))
            own.append(sw.reduce_axis((begin, begin + size(rng)), name=f"r{self._axis_count}"))
            self._axis_count += 1
        value, bound = self._value((*axes, *own), depth - 1, may_reduce=False)
        terms = 1
        for axis in own:
            terms *= axis.extent
        op = rng.choice(("sum",) * 4 + ("min", "max") * 2 + ("argmin", "argmax", "any", "all"))
        if op in ("argmin", "argmax"):
            return getattr(sw, op)(value, axis=own), terms
        if op in ("any", "all"):
            return sw.cast(getattr(sw, op)(value > 0, axis=own), "int8"), 1
        if op == "sum" and bound * terms > _LARGEST:
            op = "max"
        return getattr(sw, op)(value, axis=own), bound * terms

    def _read(self, axes):
        rng = self._rng
        tensor, bound = rng.choice(self._tensors)
        guards, indices = [], []
        for extent in tensor.shape:
            index, guard = self._index(axes, extent)
            indices.append(index)
            guards += guard
        value = tensor[tuple(indices)]
        return (sw.select(sw.all_of(*guards), value, 0) if guards else value), bound

    def _index(self, axes, extent):
        """An index of a dimension, and the conditions under which it is in bounds."""
        rng = self._rng
        if rng.random() < 0.02:
            tensor, _ = rng.choice(self._tensors)
            place = tuple(rng.randrange(n) for n in tensor.shape)
            found = sw.cast(tensor[place], "int64") + (rng.choice(axes) if axes else 0)
            return sw.bounded(sw.clip(found, 0, extent - 1), 0, extent), []
        fitting = [axis for axis in axes if axis.end <= extent]
        kind = rng.choice(("axis",) * 6 + ("back", "block", "turn", "near", "number", "pair"))
        if kind in ("axis", "back", "pair") and fitting:
            a = rng.choice(fitting)
            if kind == "back":
                return extent - 1 - a, []
            others = [b for b in axes if kind == "pair" and a.end + b.end - 1 <= extent]
            if others:
                return a + rng.choice(others), []
            return a + rng.randint(0, extent - a.end) if rng.random() < 0.4 else a, []
        if not axes or kind == "number":
            return rng.randrange(extent), []
        a = rng.choice(axes)
        if kind == "block":
            step = -(-a.end // extent)
            return a // max(step, 1), []
        if kind == "near":
            index = a * rng.choice((1, 1, 2)) + rng.choice((-1, 1))
            return index, [index >= 0, index < extent]
        return (a * rng.choice((1, 3)) + rng.randint(0, 2)) % extent, []


def graph(rng):
    return _Graph(rng).outputs()


PROGRAMS = (
    matmul, convolution, chain, reduction, positions, pairs, folds, centred, transpose, index_map,
    triangle,
    *(graph,) * 8, *(recurrences, updates, domains) * 2,
)  # fmt: skip


def random_program(rng):
    """The outputs of a program."""
    return rng.choice(PROGRAMS)(rng)


def stages_of(outputs):
    """The computed tensors, each after what it reads, and the placeholders."""
    stages, inputs = [], []

    def visit(tensor):
        if tensor in stages or tensor in inputs:
            return
        for read in tensor.inputs:
            visit(read)
        if not tensor._node.is_constant:
            (inputs if tensor._node.body is None else stages).append(tensor)

    for output in outputs:
        visit(output)
    return stages, inputs
