"""int16, bytes and conditions in vectors: what they compute, and that no inner loop is scalar."""

from __future__ import annotations

import re

import numpy as np
import pytest
import solway as sw
from solway._cpu import runs
from support.foreign import FOREIGN, loops_of, require_emulator

V4 = pytest.mark.skipif(not runs("x86-64-v4"), reason="needs AVX-512")
TARGETS = ["x86-64-v3", pytest.param("x86-64-v4", marks=V4), *FOREIGN]
TYPES = ("int8", "uint8", "int16", "bool")
N = 1003  # more than four vectors of every type, and a rest

# Loads, stores and moves of one byte or two, in each machine's words.
NARROW = {
    "x86": r"\b(mov[bw]|mov[sz][bw][lqw]|v?p(ins|ext)r[bw]|i?div[bwlq]?)\b",
    "aarch64": r"\b(ldrs?[bh]|str[bh]|[us]mov|ldp?u?rs?[bh]|[us]div\t[wx]\d+)\b",
    "riscv64": r"\b(l[bh]u?|s[bh]|div[uw]?|rem[uw]?)\t",
}
SIGNED = {"int8", "int16"}
BYTES = ("int8", "uint8")


def operators_of(dtype):
    """(solway's function, NumPy's) by name, of operands that are not 0."""
    if dtype == "bool":
        return {
            "and": (lambda a, b: a & b,) * 2,
            "or": (lambda a, b: a | b,) * 2,
            "xor": (lambda a, b: a ^ b,) * 2,
            "eq": (lambda a, b: a == b,) * 2,
            "not": (sw.logical_not, np.logical_not),
            "select": (lambda a, b: sw.select(a, b, True), lambda a, b: np.where(a, b, True)),
            **{to: (lambda a, b, t=to: a.astype(t),) * 2 for to in ("int8", "int16", "float32")},
        }
    out = {
        "add": (lambda a, b: a + b,) * 2,
        "sub": (lambda a, b: a - b,) * 2,
        "mul": (lambda a, b: a * b,) * 2,
        "floordiv": (lambda a, b: a // b,) * 2,
        "mod": (lambda a, b: a % b,) * 2,
        "lt": (lambda a, b: a < b,) * 2,
        "ne": (lambda a, b: a != b,) * 2,
        "bits": (lambda a, b: (a & b) | (a ^ 3),) * 2,
        "shift": (lambda a, b: (a << 2) >> 1,) * 2,
        "minimum": (sw.minimum, np.minimum),
        "select": (lambda a, b: sw.select(a < b, a, b), lambda a, b: np.where(a < b, a, b)),
        **{
            to: (lambda a, b, t=to: a.astype(t),) * 2
            for to in ("bool", "int8", "uint8", "int16", "int32", "int64", "float32", "float64")
            if to != dtype
        },
    }
    if dtype in SIGNED:
        out |= {
            "neg": (lambda a, b: -a,) * 2,
            "abs": (lambda a, b: sw.abs(a), lambda a, b: np.abs(a)),
        }
    return out


def operands(dtype):
    rng = np.random.default_rng(5)
    if dtype == "bool":
        return (rng.integers(0, 2, N).astype(bool) for _ in "ab")
    about = np.iinfo(dtype)
    a, b = (rng.integers(about.min, about.max, N, dtype, endpoint=True) for _ in "ab")
    a[:2], b[:2] = [about.min, about.max], [about.max, about.min or 1]
    b[b == 0] = 3
    return a, b


def arity(function):
    return 1 if function in (sw.logical_not, np.logical_not) else 2


def kernels_of(dtype, target, names, extent):
    A, B = (sw.placeholder((extent,), dtype, name=x) for x in "AB")
    operators = operators_of(dtype)
    outs = [
        sw.compute(
            (extent,), lambda i, f=operators[x][0]: f(*(A[i], B[i])[: arity(f)]), name=f"o_{x}"
        )
        for x in names
    ]
    s = sw.create_schedule(outs)
    for out in outs:
        s[out].vectorize(out.axis[0])
    used = {tensor for out in outs for tensor in out.inputs}
    return sw.build(s, [*(t for t in (A, B) if t in used), *outs], target=target, name="k")


def require(target):
    if target in FOREIGN:
        require_emulator(target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", TYPES)
def test_results_are_numpys_and_all_is_in_vectors(dtype, target):
    require(target)
    operators = operators_of(dtype)
    kernel = kernels_of(dtype, target, operators, N)
    assert kernel.report() == ()
    a, b = operands(dtype)
    with np.errstate(all="ignore"):
        for (name, (_, numpys)), got in zip(operators.items(), kernel.run(a, b), strict=True):
            right = numpys(*(a, b)[: arity(numpys)])
            assert got.dtype == right.dtype, name
            np.testing.assert_array_equal(got, right, err_msg=name)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", TYPES)
def test_no_inner_loop_moves_single_elements(dtype, target):
    names = operators_of(dtype)
    machine = target.split("-")[0]
    for name in names:
        if target == "aarch64-neon" and dtype in BYTES and name == "float64":
            continue  # LLVM 19 moves the bytes one by one
        kernel = kernels_of(dtype, target, [name], 1 << 16)
        assembly = kernel.source["k.s"]
        loops = loops_of(assembly)
        assert loops or (name in BYTES and "memcpy" in assembly), name  # the same bits
        for loop in loops:
            assert not any(re.search(NARROW[machine], line) for line in loop), (name, loop)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", TYPES)
def test_reductions_are_numpys_in_vectors(dtype, target):
    require(target)
    a, _ = operands(dtype)
    A = sw.placeholder((N,), dtype, name="A")
    names = ("any", "all", "max") if dtype == "bool" else ("sum", "min", "max")
    outs, right = [], []
    for name in names:
        k = sw.reduce_axis(N, name=f"k_{name}")
        outs.append(
            sw.compute((1,), lambda i, f=name, k=k: getattr(sw, f)(A[k], axis=k), name=name)
        )
        right.append(a.sum(dtype=dtype) if name == "sum" else getattr(a, name)())
    s = sw.create_schedule(outs)
    for out in outs:
        s[out].vectorize(s[out].reduce_axis[0])
    kernel = sw.build(s, [A, *outs], target=target)
    assert kernel.report() == ()
    for name, got, exact in zip(names, kernel.run(a), right, strict=True):
        assert got[0] == exact, name


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", ["int8", "int16"])
def test_every_quotient_is_numpys(dtype, target):
    """Of bytes all pairs, of int16 all dividends of some divisors: divided in floats on x86."""
    require(target)
    about = np.iinfo(dtype)
    every = np.arange(about.min, about.max + 1, dtype="int32")
    divisors = (
        every
        if dtype == "int8"
        else np.array([-32768, -32767, -257, -2, -1, 0, 1, 3, 181, 32766, 32767])
    )
    a = np.tile(every, len(divisors)).astype(dtype)
    b = np.repeat(divisors, len(every)).astype(dtype)
    A, B = (sw.placeholder(a.shape, dtype, name=x) for x in "AB")
    D = sw.compute(a.shape, lambda i: A[i] // B[i], name="D")
    M = sw.compute(a.shape, lambda i: A[i] % B[i], name="M")
    s = sw.create_schedule([D, M])
    s[D].vectorize(D.axis[0])
    s[M].vectorize(M.axis[0])
    with np.errstate(all="ignore"):
        right = a // b, a % b
    for got, exact in zip(sw.build(s, [A, B, D, M], target=target).run(a, b), right, strict=True):
        np.testing.assert_array_equal(got, exact)
