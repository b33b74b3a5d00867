"""Any legal schedule gives what the program means, exactly, on whole numbers.

Each case draws a program and a sequence of primitives, builds it for c or host and compares with
the oracle. SOLWAY_SEED=<seed> replays one case.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import numpy as np
import pytest
import solway as sw
from support.oracle import evaluate

CASES = 560
FIRST_SEED = 20190416
SIZES = (1, 2, 3, 4, 5, 7, 8)
DTYPES = ("float32", "float64", "int32", "int64", "int8")
TARGETS = ("c", "host")
FACTORS = (1, 2, 3, 4, 5, 8, 11)
KINDS = ("split", "split", "parts", "tile", "fuse", "reorder", "reorder", "mark", *["buffer"] * 5)


def size(rng):
    return rng.choice(SIZES)


def dtype(rng):
    return rng.choice(DTYPES)


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


PROGRAMS = (matmul, convolution, chain, reduction, centred, transpose, index_map, triangle)


def stages_of(outputs):
    """The computed tensors, each after what it reads, and the placeholders."""
    stages, inputs = [], []

    def visit(tensor):
        if tensor in stages or tensor in inputs:
            return
        for read in tensor.inputs:
            visit(read)
        (inputs if tensor._node.body is None else stages).append(tensor)

    for output in outputs:
        visit(output)
    return stages, inputs


def apply_one(rng, s, tensor):
    """Applies a random primitive; some are refused."""
    stage = s[tensor]
    loops = [*stage.axis, *stage.reduce_axis]
    if not loops:
        return
    pick = rng.choice(loops)
    kind = rng.choice(KINDS)
    if kind == "split":
        stage.split(pick, rng.choice(FACTORS))
    elif kind == "parts":
        stage.split(pick, parts=rng.choice(FACTORS))
    elif kind == "tile" and len(loops) > 1:
        stage.tile(*rng.sample(loops, 2), rng.choice(FACTORS), rng.choice(FACTORS))
    elif kind == "fuse" and len(loops) > 1:
        first = rng.randrange(len(loops) - 1)
        stage.fuse(*loops[first : first + rng.choice((2, 2, 3))])
    elif kind == "reorder":
        stage.reorder(*rng.sample(loops, rng.randint(1, len(loops))))
    elif kind == "mark":
        getattr(stage, rng.choice(("parallel", "vectorize", "unroll")))(pick)
    elif kind == "buffer":
        apply_buffer(rng, s, tensor, loops, pick)


def apply_buffer(rng, s, tensor, loops, pick):
    """Stages a tensor: what the loops inside `pick` touch, or a region of some inner loops."""
    inside = loops[rng.randrange(len(loops)) :]
    where = {"at": pick} if rng.random() < 0.5 else {"region": inside}
    if rng.random() < 0.4:
        s.buffer_write(tensor, **where)
    else:
        read = rng.choice(list(tensor.inputs))
        order = rng.sample(range(len(read.shape)), len(read.shape)) if rng.random() < 0.3 else None
        s.buffer_read(read, **where, readers=[tensor], layout=order)


def draw(seed):
    """A case: outputs, inputs, schedule, how many primitives were applied and refused."""
    rng = random.Random(seed)
    outputs = rng.choice(PROGRAMS)(rng)
    stages, inputs = stages_of(outputs)
    s = sw.create_schedule(outputs)
    counts = Counter()
    for _ in range(rng.randint(0, 6)):
        tensor = rng.choice(stages)
        before = str(s), s.log
        error = None
        try:
            apply_one(rng, s, tensor)
        except sw.Error as caught:
            error = caught
        counts["legal" if error is None else type(error).__name__] += 1
        if error is not None:
            assert error.why and not isinstance(error, sw.InternalError), report(seed, s, error)
            assert (str(s), s.log) == before, report(seed, s, error)
    counts["buffers"] = sum(step.primitive.startswith("buffer") for step in s.log)
    return outputs, inputs, s, counts


def report(seed, s, what):
    script = "\n".join(map(str, s.log))
    return f"SOLWAY_SEED={seed} target={target_of(seed)}\n{script}\n{s}\n{what}"


def target_of(seed):
    return TARGETS[seed % len(TARGETS)]


def run(seed, outputs, inputs, s):
    """What is wrong with a case; None when nothing is."""
    rng = np.random.default_rng(seed)
    arrays = [rng.integers(-3, 4, t.shape).astype(t.dtype) for t in inputs]
    results = [np.full(t.shape, 77, t.dtype) for t in outputs]
    kernel = sw.build(
        s, [*inputs, *outputs], target=target_of(seed), poison_transfers=seed // 2 % 2 == 0
    )
    kernel(*arrays, *results)
    given = dict(zip(inputs, arrays, strict=True))
    for tensor, got in zip(outputs, results, strict=True):
        expected = evaluate(tensor, given).astype(tensor.dtype)
        if not np.array_equal(got, expected):
            return f"'{tensor.name}' is\n{got}\nand should be\n{expected}"
    return None


def failure(seed):
    """The report of a case that fails, else None; and its counts."""
    outputs, inputs, s, counts = draw(seed)
    try:
        wrong = run(seed, outputs, inputs, s)
    except sw.Error as error:
        wrong = error
    return (report(seed, s, wrong) if wrong is not None else None), counts


def test_random_schedules(capsys):
    """At least 500 programs, each under a random schedule."""
    given = os.environ.get("SOLWAY_SEED")
    seeds = [int(given)] if given else range(FIRST_SEED, FIRST_SEED + CASES)
    total, failures = Counter(), []
    for seed in seeds:
        failed, counts = failure(seed)
        total.update(counts)
        failures += [failed] if failed else []
    with capsys.disabled():
        buffers = total.pop("buffers")
        refused = sum(total.values()) - total["legal"]
        print(f"\n{len(seeds)} schedules from seed {seeds[0]}: {total['legal']} primitives legal,")
        print(f"{buffers} of them buffers,")
        print(f"{refused} refused: {dict(sorted(total.items()))}")
    if failures:
        pytest.fail(f"{len(failures)} of {len(seeds)} fail; the first:\n{failures[0]}")
    assert given or (total["legal"] > CASES and refused > CASES // 20 and buffers > CASES // 4)
