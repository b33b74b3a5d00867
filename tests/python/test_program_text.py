"""A program as text defines equal tensors."""

import random

import numpy as np
import pytest
import solway as sw
from support.random_programs import random_program
from support.same_program import difference


def again(outputs):
    """The outputs that a program's text defines; they equal the ones given."""
    text = sw.to_python(outputs)
    names = {}
    exec(text, names)
    assert difference(outputs, names["outputs"]) is None, text
    assert sw.to_python(names["outputs"]) == text
    return text


A = sw.placeholder((6, 8), name="A")
N = sw.placeholder((6, 8), "int8", name="N")
D = sw.placeholder((6, 8), "float64", name="D")
k = sw.reduce_axis((1, 5), name="k")
m = sw.reduce_axis(8, name="m")


VALUES = {
    "signs": lambda i, j: sw.abs(-A[i, j]) - (-(A[i, j] - 1)) - (2 - A[i, j]),
    "products": lambda i, j: A[i, j] * (A[i, j] / 3) * A[i, j] / (A[i, j] * 2) - 0.1,
    "powers": lambda i, j: (A[i, j] ** 2) ** 3 + A[i, j] ** (A[i, j] ** 2) - (-A[i, j]) ** 2,
    "types": lambda i, j: N[i, j] * 2 + A[i, j] + D[i, j] * 1.5 + i,
    "integers": lambda i, j: (N[i, j] // 3 + np.int32(7)) % 5 + np.int64(2),
    "comparisons": lambda i, j: sw.select((A[i, j] < 2) == (i < j), 1, 2),
    "conditions": lambda i, j: sw.select(
        sw.all_of(i > 0, sw.any_of(j == 3, ~(j < 2), A[i, j] != 0), sw.all_of(i < 5, j < 7)),
        A[i, j],
        0,
    ),
    "exclusive": lambda i, j: sw.select((i > 2) ^ (j > 2), np.float32(1), np.float32(2)),
    "truth": lambda i, j: sw.select(np.bool_(True), sw.select(A[i, j], 1, 0), i),
    "two numbers": lambda i, j: sw.cast(3, "int64") + 4 + sw.minimum(1, 2) + sw.cast(1.5, "int32"),
    "negated number": lambda i, j: -sw.cast(-3, "int64") + i,
    "large": lambda i, j: A[i, j] + 1e30 - sw.select(i == 0, float("inf"), -float("inf")),
    "functions": lambda i, j: sw.exp(A[i, j]) + sw.rsqrt(sw.abs(D[i, j])) + sw.clip(i, 1, j),
    "casts": lambda i, j: sw.cast(A[i, j], "int32") + N[i, j].astype("int64") + (i < j),
    "reductions": lambda i, j: (
        sw.sum(A[i, k] * A[k, j], axis=k) - sw.max(N[i, m], axis=[m], dtype="int32")
    ),
    "counts": lambda i, j: sw.sum(A[i, k] > 0, axis=k) + sw.prod(sw.cast(2, "float32"), axis=m),
    "one number": lambda i, j: 7,
    "float number": lambda i, j: np.float32(0.1),
}


@pytest.mark.parametrize("name", VALUES)
def test_expressions_come_back(name):
    again([sw.compute((6, 8), VALUES[name], name="C")])


def test_the_text_reads_like_a_script():
    B = sw.compute((6,), lambda i: sw.sum(A[i, k] * 2 - 1, axis=k), name="B")
    C = sw.compute((6, 6), lambda i, j: B[i] - B[j] * sw.cast(i, "float32"), name="C")
    assert (
        sw.to_python([C, B])
        == """\
# solway program, version 1
import solway as sw
A = sw.placeholder((6, 8), "float32", name="A")
k = sw.reduce_axis((1, 5), name="k")
B = sw.compute((6,), lambda i: sw.sum(A[i, k] * 2.0 - 1.0, axis=[k]), name="B")
C = sw.compute((6, 6), lambda i, j: B[i] - B[j] * sw.cast(i, "float32"), name="C")
outputs = [C, B]
"""
    )
    again([C, B])


def test_what_is_used_twice_stays_one_expression():
    def value(i):
        x = A[i, 0] * 2
        for _ in range(60):  # as text without names: 2 ** 60 times as long
            x = x * x + 1
        return x

    text = again([sw.compute((6,), value, name="C")])
    assert "def value_of_C(i):" in text
    assert len(text) < 20_000


def test_deep_expressions_come_back():
    def value(i):
        x = A[i, 0]
        for n in range(300):
            x = sw.maximum(x + n, A[i, 1])
        return x

    exec(sw.to_python(sw.compute((6,), value, name="C")), {})


def test_names_that_hide_others():
    sw_ = sw.placeholder((4,), name="sw")
    k_ = sw.reduce_axis(3, name="i")
    B = sw.compute((4,), lambda sw: sw_[sw] + 1, name="A")
    C = sw.compute((4,), lambda A: B[A] * 2, name="outputs")
    D = sw.compute((4,), lambda i: C[i], name="D")
    E = sw.compute((4,), lambda j: D[j] + sw.sum(C[k_], axis=k_), name="s")
    again([E])


def test_scalars_and_empty_tensors():
    Z = sw.placeholder((), name="Z")
    S = sw.compute((), lambda: Z[()] * 2, name="S")
    again([S])
    E = sw.placeholder((0, 3), name="E")
    r = sw.reduce_axis((2, 2), name="r")
    again([sw.compute((0,), lambda i: sw.sum(E[i, r], axis=r) + Z[()], name="F")])


def test_a_schedule_follows_its_program():
    C = sw.compute((6, 6), lambda i, j: sw.sum(A[i, k] * A[j, k], axis=k), name="C")
    names = {}
    exec(sw.to_python(C), names)
    assert str(sw.create_schedule(names["outputs"])) == str(sw.create_schedule(C))


def test_what_is_no_tensor():
    with pytest.raises(sw.DslError, match="to_python takes tensors"):
        sw.to_python([3])


def test_recurrences_updates_and_domains():
    H = sw.recurrence(
        (6, 8),
        lambda H, t, i: A[t, i] + sw.select(sw.all_of(t > 0, i > 0), H[t - 1, i - 1] * 2, 0),
        name="H",
        where=lambda t, i: i <= t + 3,
    )
    G = sw.compute((6,), lambda t: H[t, 0] + 1, name="G")
    U = sw.update(H, (3, 4), lambda x, y: (x, 0), lambda x, y: H[x, 0] + H[x, y], name="U")
    V = sw.update(U, (3,), lambda x: (x * 2, 1), lambda x: U[0, x] - 1, lambda x: x != 1, name="V")
    L = sw.compute((6,), lambda t: V[t, 0], name="L")
    text = again([L, G])
    assert "where=lambda t, i: i <= t + 3" in text
    assert text.index("G = ") < text.index("U = ")


def test_positions_and_conditions():
    C = sw.compute((6,), lambda i: sw.argmin(A[i, m], axis=m) * 2, name="C")
    E = sw.compute((6,), lambda i: sw.argmax(A[i, k], axis=k), name="E")
    F = sw.compute((6,), lambda i: sw.any(A[i, m] > 0, axis=m), name="F")
    G = sw.compute((6,), lambda i: sw.all(N[i, m], axis=m), name="G")
    text = again([C, E, F, G])
    assert 'E = sw.compute((6,), lambda i: sw.argmax(A[i, k], axis=[k]), name="E")' in text


def test_reducers_and_tuples():
    both = sw.reducer(
        lambda a, b: (a[0] + b[0] * 2, sw.maximum(a[1], b[1])), (0, -float("inf")), name="both"
    )
    S, Q = sw.compute((6,), lambda i: both((N[i, m], A[i, m]), axis=m), name="S")
    last = sw.reducer(lambda a, b: b, -1, commutative=False, name="last")
    twice = sw.reducer(lambda a, b: (a + b) * (a + b), 0, name="twice")

    n = sw.reduce_axis(4, name="n")

    def mixed(i, j):
        x, y = both((N[i, m], A[j, m]), axis=m)
        return x + last(N[j, k], axis=k), y, twice(N[i, n], axis=n) + x

    T, *_ = sw.compute((6, 6), mixed, name="T", where=lambda i, j: i <= j)
    text = again([Q, S, T])
    assert "S_0, S_1 = sw.compute((6,), " in text


def test_constants_and_promised_indices():
    values = np.array([[1, np.inf, -0.0], [np.nan, 1 / 3, 1e-45]], "float32")
    W = sw.constant(values, name="W")
    B = sw.constant([0x3F80, 0x7FC0], "bfloat16", name="B")
    E = sw.constant(np.zeros((0, 3), "int8"), name="E")
    K = sw.constant([True, False], name="K")
    I = sw.constant(np.array([-(2**63), 2**63 - 1]), name="I")  # noqa: E741
    r = sw.reduce_axis(0, name="r")

    def value(i):
        found = A[sw.bounded(I[i], 1, 6), 0] + sw.cast(B[i], "float32") * W[i, 2]
        return sw.select(K[i], found, sw.sum(E[r, 1], axis=r))

    text = again([sw.compute((2,), value, name="C")])
    assert "import numpy as np" in text


def test_random_programs_come_back():
    for seed in range(200):
        again(random_program(random.Random(seed)))
