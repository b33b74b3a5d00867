"""Kernels for other processors: what they compute, under an emulator, and their machine code."""

from __future__ import annotations

import re

import numpy as np
import pytest
import solway as sw
from support.foreign import FOREIGN, blocked_product, loops_of, require_emulator
from support.register_lengths import LENGTHS, file_without_length, registers

INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
FLOATS = ("float16", "float32", "float64")
N = 37  # no multiple of any number of lanes

# Every operator on whole numbers that the type holds, so that any order gives the same bits.
OPERATORS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "neg": lambda a, b: -a,
    "fma": lambda a, b: a * b + a,
}
COMPARISONS = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}
FUNCTIONS = {
    "minimum": (sw.minimum, np.minimum),
    "maximum": (sw.maximum, np.maximum),
    "absolute": (lambda a, b: sw.abs(a), lambda a, b: np.abs(a)),
    "select": (lambda a, b: sw.select(a < b, a, b), lambda a, b: np.where(a < b, a, b)),
}
BITS = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
ROUNDINGS = {
    "sqrt": (lambda a, b: sw.sqrt(a * a), lambda a, b: np.sqrt(a * a)),
    "floor": (lambda a, b: sw.floor(a / 2), lambda a, b: np.floor(a / 2)),
    "ceil": (lambda a, b: sw.ceil(a / 2), lambda a, b: np.ceil(a / 2)),
    "trunc": (lambda a, b: sw.trunc(a / 2), lambda a, b: np.trunc(a / 2)),
    "round": (lambda a, b: sw.round(a / 2), lambda a, b: np.round(a / 2)),
}


def numbers(dtype, shape, seed):
    low = 0 if dtype == "uint8" else -4
    values = np.random.default_rng(seed).integers(low, 5, shape)
    return values.astype(dtype)


def operators_of(dtype):
    """(solway's function, NumPy's) by name."""
    out = {name: (f, f) for name, f in (OPERATORS | COMPARISONS).items()}
    out |= FUNCTIONS | (ROUNDINGS if dtype in FLOATS else {n: (f, f) for n, f in BITS.items()})
    if dtype == "uint8":
        del out["neg"], out["absolute"]
    return out


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_operators_are_numpys(dtype, target):
    require_emulator(target)
    a, b = numbers(dtype, N, 1), numbers(dtype, N, 2)
    b[b == 0] = 3
    A, B = (sw.placeholder((N,), dtype=dtype, name=name) for name in "AB")
    operators = operators_of(dtype)
    outs = [
        sw.compute((N,), lambda i, f=f: f(A[i], B[i]), name=f"o_{name}")
        for name, (f, _) in operators.items()
    ]
    s = sw.create_schedule(outs)
    for out in outs:
        s[out].vectorize(out.axis[0])
    got = sw.build(s, [A, B, *outs], target=target).run(a, b)
    for (name, (_, numpys)), result in zip(operators.items(), got, strict=True):
        expected = numpys(a, b)
        assert result.dtype == expected.dtype, name
        np.testing.assert_array_equal(result, expected, err_msg=name)


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS, "bool"])
def test_conversions_are_numpys(source, target):
    require_emulator(target)
    a = numbers("uint8", N, 3).astype(source)
    A = sw.placeholder((N,), dtype=source, name="A")
    wanted = [*INTEGERS, *FLOATS, "bool"]
    outs = [sw.compute((N,), lambda i, t=t: A[i].astype(t), name=f"as_{t}") for t in wanted]
    s = sw.create_schedule(outs)
    for out in outs:
        s[out].vectorize(out.axis[0])
    for to, result in zip(wanted, sw.build(s, [A, *outs], target=target).run(a), strict=True):
        np.testing.assert_array_equal(result, a.astype(to), err_msg=to)


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float32", "float64"])
def test_reductions_are_numpys(dtype, target):
    require_emulator(target)
    a = numbers(dtype, (5, N), 4)
    A = sw.placeholder((5, N), dtype=dtype, name="A")
    outs, expected = [], []
    for name in ("sum", "min", "max", "argmin", "argmax"):
        k = sw.reduce_axis(N, name=f"k_{name}")
        reduce = getattr(sw, name)
        outs.append(sw.compute((5,), lambda i, r=reduce, k=k: r(A[i, k], axis=k), name=name))
        extra = {"dtype": dtype} if name == "sum" else {}
        expected.append(getattr(np, name)(a, axis=1, **extra))
    s = sw.create_schedule(outs)
    for out in outs[:3]:
        s[out].vectorize(s[out].reduce_axis[0])
    got = sw.build(s, [A, *outs], target=target).run(a)
    for out, result, right in zip(outs, got, expected, strict=True):
        np.testing.assert_array_equal(result, right, err_msg=out.name)


def product(dtype, m=20, n=36, k=24):
    return blocked_product(dtype, m, n, k, 4, 16)


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_a_blocked_product_with_rests_is_numpys(dtype, target):
    require_emulator(target)
    s, args = product(dtype)
    a, b = numbers(dtype, (20, 24), 5), numbers(dtype, (24, 36), 6)
    got = sw.build(s, args, target=target).run(a, b)
    np.testing.assert_array_equal(got, a @ b)


@pytest.mark.parametrize("target", FOREIGN)
def test_a_padded_convolution_is_numpys(target):
    require_emulator(target)
    c, o, size = 3, 8, 10
    X = sw.placeholder((c, size, size), name="X")
    W = sw.placeholder((o, c, 3, 3), name="W")
    rc, ry, rx = (sw.reduce_axis(e, name=n) for e, n in ((c, "rc"), (3, "ry"), (3, "rx")))

    def padded(k, y, x):
        inside = sw.all_of(0 <= y - 1, y - 1 < size, 0 <= x - 1, x - 1 < size)
        return sw.select(inside, X[k, y - 1, x - 1], 0.0)

    Y = sw.compute(
        (o, size, size),
        lambda k, y, x: sw.sum(padded(rc, y + ry, x + rx) * W[k, rc, ry, rx], axis=(rc, ry, rx)),
        name="Y",
    )
    s = sw.create_schedule(Y)
    s[Y].vectorize(Y.axis[2])
    x, w = numbers("float32", (c, size, size), 7), numbers("float32", (o, c, 3, 3), 8)
    wide = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(wide, (3, 3), axis=(1, 2))
    expected = np.einsum("cyxij,ocij->oyx", windows, w)
    np.testing.assert_array_equal(sw.build(s, [X, W, Y], target=target).run(x, w), expected)


@pytest.mark.parametrize("target", FOREIGN)
def test_a_softmax_is_numpys_within_rounding(target):
    require_emulator(target)
    X = sw.placeholder((6, 37), name="X")
    k, j = sw.reduce_axis(37, name="k"), sw.reduce_axis(37, name="j")
    M = sw.compute((6,), lambda i: sw.max(X[i, k], axis=k), name="M")
    E = sw.compute((6, 37), lambda i, x: sw.exp(X[i, x] - M[i]), name="E")
    S = sw.compute((6,), lambda i: sw.sum(E[i, j], axis=j), name="S")
    Y = sw.compute((6, 37), lambda i, x: E[i, x] / S[i], name="Y")
    s = sw.create_schedule(Y)
    for stage, axis in ((M, k), (S, j), (Y, Y.axis[1])):
        s[stage].vectorize(axis)
    x = np.random.default_rng(9).normal(size=(6, 37)).astype("float32")
    e = np.exp(x - x.max(axis=1, keepdims=True))
    got = sw.build(s, [X, Y], target=target).run(x)
    np.testing.assert_allclose(got, e / e.sum(axis=1, keepdims=True), rtol=1e-5)


@pytest.mark.parametrize("target", FOREIGN)
def test_gathers_sizes_and_large_temporaries(target):
    require_emulator(target)
    n = sw.size("n", max=4096)
    A, idx = sw.placeholder((n,), name="A"), sw.placeholder((n,), dtype="int32", name="idx")
    T = sw.compute((n,), lambda i: A[sw.bounded(idx[i], 0, n)] * 2, name="T")
    B = sw.compute((n,), lambda i: T[i] + T[n - 1 - i], name="B")
    s = sw.create_schedule(B)
    s[T].vectorize(T.axis[0])
    s[B].vectorize(B.axis[0])
    kernel = sw.build(s, [A, idx, B], target=target)
    for length in (1, 3, 37, 4096):
        a = numbers("float32", length, 10)
        at = np.random.default_rng(11).integers(0, length, length).astype("int32")
        t = a[at] * 2
        np.testing.assert_array_equal(kernel.run(a, at), t + t[::-1])


@pytest.mark.parametrize("target", LENGTHS)
def test_results_do_not_depend_on_the_length_of_registers(target, tmp_path):
    require_emulator(target)
    a, b = numbers("int32", (20, 24), 12), numbers("int32", (24, 36), 13)
    s, args = product("int32")
    kernel = sw.build(s, args, target=file_without_length(target, tmp_path))
    for bits in LENGTHS[target]:
        with registers(target, bits):
            np.testing.assert_array_equal(kernel.run(a, b), a @ b, err_msg=f"{bits} bits")


def inner_loop(assembly, multiply):
    """The instructions of the innermost loop with most products."""
    return max(loops_of(assembly), key=lambda lines: sum(multiply in line for line in lines))


@pytest.mark.parametrize(
    ("target", "multiply", "scalar", "stack"),
    [
        ("aarch64-neon", "fmla\tv", r"\bfmadd\b", r"\[sp"),
        ("aarch64-sve", "fmla\tv", r"\bfmadd\b", r"\[sp"),
        ("riscv64-v", "vfmacc.v", r"\bfmadd\.", r"\(sp\)|\bvs\d+r\.v|\bvl\d+re"),
    ],
)
def test_the_inner_loop_of_a_product_is_vector_products_without_spills(
    target, multiply, scalar, stack
):
    s, args = product("float32", 64, 64, 64)
    kernel = sw.build(s, args, target=target, name="gemm")
    loop = inner_loop(kernel.source["gemm.s"], multiply)
    assert sum(multiply in line for line in loop) == 16  # 4 rows of 4 vectors
    for line in loop:
        assert not re.search(scalar, line) and not re.search(stack, line), "\n".join(loop)


@pytest.mark.parametrize(
    ("source", "to"),
    [(x, "float64") for x in ("bool", "int8", "uint8")]
    + [("float64", x) for x in ("int8", "uint8", "int16", "int32")],
)
def test_doubles_and_narrow_integers_are_converted_in_vectors_of_neon(source, to):
    A = sw.placeholder((4096,), dtype=source, name="A")
    B = sw.compute((4096,), lambda i: A[i].astype(to), name="B")
    s = sw.create_schedule(B)
    s[B].vectorize(B.axis[0])
    assembly = sw.build(s, [A, B], target="aarch64-neon", name="cast").source["cast.s"]
    loop = max(loops_of(assembly), key=len)
    assert any(re.match(r"[us]cvtf\tv|fcvtzs\tv", line) for line in loop)
    assert not any(re.match(r"[us]mov\t|ins\t|fmov\ts|mov\tv\d+\.\w\[", line) for line in loop)


def test_a_missing_emulator_is_an_error_that_names_it(monkeypatch):
    A = sw.placeholder((4,), name="A")
    B = sw.compute((4,), lambda i: A[i] * 2, name="B")
    kernel = sw.build(sw.create_schedule(B), [A, B], target="riscv64-v")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(sw.UnsupportedError, match="'riscv64-v' cannot be run here") as caught:
        kernel.run(np.ones(4, "float32"))
    assert "'riscv64-linux-gnu-gcc' was not found" in caught.value.why


def test_an_emulated_run_that_takes_too_long_is_ended():
    require_emulator("aarch64-neon")
    A = sw.placeholder((4,), name="A")
    B = sw.compute((4,), lambda i: A[i] * 2, name="B")
    kernel = sw.build(sw.create_schedule(B), [A, B], target="aarch64-neon")
    with sw.emulator(seconds=1e-6), pytest.raises(sw.UnsupportedError, match="was ended") as caught:
        kernel.run(np.ones(4, "float32"))
    assert "sw.emulator(seconds=...)" in caught.value.fix
