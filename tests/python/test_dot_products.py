"""Products of bytes that are added to int32: exact, and with the machine's instruction for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import solway as sw
from support.foreign import require_emulator
from support.guarded import GuardedKernel

FILES = Path(__file__).parents[2] / "targets"
BYTES = ("int8", "uint8")
# Rows, columns and terms; sums that end within vectors, tiles and groups of 4.
SHAPES = ((12, 64, 32), (13, 37, 22), (3, 5, 4), (7, 17, 3))


def has_vnni():
    return "avx512_vnni" in Path("/proc/cpuinfo").read_text()


vnni = pytest.mark.skipif(not has_vnni(), reason="this processor has no AVX-512 VNNI")


def product(shape, a_type, b_type):
    """C = A B, where 4 rows of B lie side by side: B[k // 4, j, k % 4]."""
    m, n, terms = shape
    A = sw.placeholder((m, terms), a_type, name="A")
    B = sw.placeholder((-(-terms // 4), n, 4), b_type, name="B")
    k = sw.reduce_axis(terms, name="k")

    def value(i, j):
        return sw.sum(sw.cast(A[i, k], "int32") * sw.cast(B[k // 4, j, k % 4], "int32"), axis=k)

    return A, B, k, sw.compute((m, n), value, name="C")


def tiled(shape, a_type, b_type, target, rows=6, columns=64, *, is_held=True, is_parallel=False):
    """A kernel with a tile of rows and columns in registers."""
    A, B, k, C = product(shape, a_type, b_type)
    s = sw.create_schedule(C)
    ko, ki = s[C].split(k, factor=4)
    io, ii = s[C].split("i", factor=rows)
    jo, ji = s[C].split("j", factor=columns)
    order = [io, jo] if is_parallel else [jo, io]
    s[C].reorder(*order, ko, ii, ji, ki)
    s[C].unroll(ii)
    s[C].unroll(ki)
    s[C].vectorize(ji)
    if is_parallel:
        s[C].parallel(io)
    if is_held:
        s.buffer_write(C, [ii, ji], scope="register")
    return sw.build(s, [A, B, C], target=target)


def operands(shape, a_type, b_type, fill, seed=1):
    """A, packed B, and the product that NumPy gives."""
    m, n, terms = shape
    rng = np.random.default_rng(seed)

    def numbers(size, dtype):
        limits = np.iinfo(dtype)
        if fill == "random":
            return rng.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
        return np.full(size, getattr(limits, fill), dtype)

    a = numbers((m, terms), a_type)
    packed = numbers((-(-terms // 4), n, 4), b_type)
    b = packed.transpose(0, 2, 1).reshape(-1, n)[:terms]
    return a, packed, a.astype("int32") @ b.astype("int32")


def machine_code(kernel):
    return next(text for name, text in kernel.source.items() if name.endswith(".s"))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("b_type", BYTES)
@pytest.mark.parametrize("a_type", BYTES)
def test_bytes_are_multiplied_exactly(a_type, b_type, shape):
    kernel = tiled(shape, a_type, b_type, "host")
    for fill in ("random", "min", "max"):
        a, b, c = operands(shape, a_type, b_type, fill)
        np.testing.assert_array_equal(kernel.run(a, b), c)


@pytest.mark.parametrize("target", ["c", "x86-64-v3"])
def test_machines_without_the_instruction_give_the_same(target):
    shape = SHAPES[1]
    kernel = tiled(shape, "int8", "int8", target, is_held=target != "c")
    for fill in ("random", "min"):
        a, b, c = operands(shape, "int8", "int8", fill)
        np.testing.assert_array_equal(kernel.run(a, b), c)
    if target != "c":
        why = [r.why for r in kernel.report() if r.step.startswith("dot(")]
        assert any("no instruction that adds 4 products of int8 and int8" in w for w in why)


def test_a_target_that_is_an_object_is_its_level():
    """Code for it may run on other processors of the level."""
    shape = SHAPES[1]
    kernel = tiled(shape, "uint8", "int8", sw.Target.load("host"))
    a, b, c = operands(shape, "uint8", "int8", "random")
    np.testing.assert_array_equal(kernel.run(a, b), c)
    assert "vpdpbusd" not in machine_code(kernel)
    assert any("no instruction" in r.why for r in kernel.report() if r.step.startswith("dot("))


def test_sums_wrap():
    """As NumPy's do: 2^17 products of 2^14 are 2^31."""
    shape = (2, 16, 1 << 17)
    kernel = tiled(shape, "int8", "int8", "host", rows=2, columns=16)
    a, b, c = operands(shape, "int8", "int8", "min")
    assert (c == -(2**31)).all()
    np.testing.assert_array_equal(kernel.run(a, b), c)


@vnni
@pytest.mark.isa("avx512_vnni")
@pytest.mark.parametrize(("a_type", "b_type"), [("uint8", "int8"), ("int8", "int8")])
def test_the_instruction_stands_in_the_code(a_type, b_type):
    kernel = tiled(SHAPES[0], a_type, b_type, "host")
    code = machine_code(kernel)
    assert code.count("vpdpbusd") >= 24
    assert "vpdpbusds" not in code  # which would saturate
    assert "vpmulld" not in code
    assert [r for r in kernel.report() if r.step.startswith("dot(")] == []


@pytest.mark.parametrize(("is_held", "is_parallel"), [(False, False), (True, True), (False, True)])
def test_in_memory_and_on_threads(is_held, is_parallel):
    shape = (26, 70, 40)
    kernel = tiled(
        shape, "int8", "int8", "host", columns=32, is_held=is_held, is_parallel=is_parallel
    )
    a, b, c = operands(shape, "int8", "int8", "random")
    for threads in (1, 2):
        out = np.empty_like(c)
        kernel(a, b, out, threads=threads)
        np.testing.assert_array_equal(out, c)


ARM = (("+dotprod", "sdot", "udot"), ("+dotprod,+i8mm", "sdot", "usdot"), ("", None, None))


@pytest.mark.parametrize(("features", "of_signed", "of_mixed"), ARM)
def test_arm_takes_what_its_file_lists(features, of_signed, of_mixed, tmp_path):
    require_emulator("aarch64-neon")
    text = (FILES / "aarch64-neon.toml").read_text()
    file = tmp_path / "arm.toml"
    file.write_text(text.replace("[foreign]\n", f'[foreign]\nfeatures = "{features}"\n'))
    shape = (5, 19, 22)
    for a_type, b_type, name in (
        ("int8", "int8", of_signed),
        ("uint8", "int8", of_mixed if of_mixed == "usdot" else of_signed),
        ("uint8", "uint8", "udot" if features else None),
    ):
        kernel = tiled(shape, a_type, b_type, str(file), rows=4, columns=16)
        for fill in ("random", "min", "max"):
            a, b, c = operands(shape, a_type, b_type, fill)
            np.testing.assert_array_equal(kernel.run(a, b), c)
        code = machine_code(kernel)
        assert f"\t{name}\t" in code if name else "dot\t" not in code


def planned(tensors, target="host"):
    s = sw.create_schedule(tensors[-1])
    plan = s.auto_schedule(target, search=False)
    return str(plan), GuardedKernel(sw.build(s, tensors, target=target))


@pytest.mark.parametrize("shape", [*SHAPES, (64, 96, 128), (1, 200, 64), (30, 1, 16)])
@pytest.mark.parametrize(("a_type", "b_type"), [("uint8", "int8"), ("int8", "int8")])
def test_planned_products_are_exact(a_type, b_type, shape):
    A, B, _, C = product(shape, a_type, b_type)
    _, kernel = planned([A, B, C])
    for fill in ("random", "min", "max"):
        a, b, c = operands(shape, a_type, b_type, fill)
        np.testing.assert_array_equal(kernel.run(a, b), c)


@vnni
@pytest.mark.isa("avx512_vnni")
def test_the_planner_takes_the_instruction():
    A, B, _, C = product((64, 96, 128), "uint8", "int8")
    plan, kernel = planned([A, B, C])
    assert "4 products of bytes at once" in plan
    assert machine_code(kernel).count("vpdpbusd") >= 20
    assert "4 products of bytes at once" not in planned([A, B, C], "x86-64-v4")[0]


def test_columns_in_blocks_are_planned():
    """B[j // 16, k // 4, j % 16, k % 4], as libraries pack it."""
    m, n, terms = 20, 48, 24
    A = sw.placeholder((m, terms), "uint8", name="A")
    B = sw.placeholder((n // 16, terms // 4, 16, 4), "int8", name="B")
    k = sw.reduce_axis(terms, name="k")

    def value(i, j):
        b = B[j // 16, k // 4, j % 16, k % 4]
        return sw.sum(sw.cast(A[i, k], "int32") * sw.cast(b, "int32"), axis=k)

    C = sw.compute((m, n), value, name="C")
    plan, kernel = planned([A, B, C])
    assert ("4 products of bytes at once" in plan) == has_vnni()
    a, b, c = operands((m, n, terms), "uint8", "int8", "random")
    blocks = np.ascontiguousarray(b.reshape(terms // 4, n // 16, 16, 4).transpose(1, 0, 2, 3))
    np.testing.assert_array_equal(kernel.run(a, blocks), c)


@pytest.mark.parametrize("window", [(3, 3), (1, 1)])
def test_convolutions_of_bytes(window):
    """Channels side by side in fours, as many as a filter has."""
    rows, columns, channels, filters = 9, 11, 8, 24
    high, wide = window
    X = sw.placeholder((rows + high - 1, columns + wide - 1, channels), "uint8", name="X")
    W = sw.placeholder((high, wide, channels // 4, filters, 4), "int8", name="W")
    u, v = sw.reduce_axis(high, name="u"), sw.reduce_axis(wide, name="v")
    c = sw.reduce_axis(channels, name="c")

    def value(y, x, f):
        w = W[u, v, c // 4, f, c % 4]
        return sw.sum(sw.cast(X[y + u, x + v, c], "int32") * sw.cast(w, "int32"), axis=[u, v, c])

    Y = sw.compute((rows, columns, filters), value, name="Y")
    plan, kernel = planned([X, W, Y])
    assert ("4 products of bytes at once" in plan) == has_vnni()
    rng = np.random.default_rng(3)
    x = rng.integers(0, 256, X.shape).astype("uint8")
    w = rng.integers(-128, 128, W.shape).astype("int8")
    flat = w.transpose(0, 1, 2, 4, 3).reshape(high, wide, channels, filters).astype("int32")
    y = np.zeros(Y.shape, "int32")
    for du in range(high):
        for dv in range(wide):
            y += x[du : du + rows, dv : dv + columns].astype("int32") @ flat[du, dv]
    np.testing.assert_array_equal(kernel.run(x, w), y)
