"""Products of bfloat16 in pairs, by the machine's instruction: only with fast_math, and bounded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import solway as sw
from solway._bfloat16 import bfloat16_bits
from support.foreign import require_emulator

FILES = Path(__file__).parents[2] / "targets"
# Rows, columns and terms; sums that end within vectors, tiles and pairs.
SHAPES = ((12, 64, 32), (13, 37, 22), (3, 5, 4), (7, 17, 3), (2, 33, 1))


def has_instruction():
    return "avx512_bf16" in Path("/proc/cpuinfo").read_text()


bf16 = pytest.mark.skipif(not has_instruction(), reason="this processor has no AVX-512 BF16")


def product(shape, a_type="bfloat16"):
    """C = A B, where 2 rows of B lie side by side: B[k // 2, j, k % 2]."""
    m, n, terms = shape
    A = sw.placeholder((m, terms), a_type, name="A")
    B = sw.placeholder((-(-terms // 2), n, 2), "bfloat16", name="B")
    k = sw.reduce_axis(terms, name="k")

    def value(i, j):
        a, b = sw.cast(A[i, k], "float32"), sw.cast(B[k // 2, j, k % 2], "float32")
        return sw.sum(a * b, axis=k)

    return A, B, sw.compute((m, n), value, name="C")


def tiled(shape, target="host", *, rows=4, columns=32, fast_math=True, has_panels=False):
    """A kernel with a tile of rows and columns in registers."""
    A, B, C = product(shape)
    s = sw.create_schedule(C, fast_math=fast_math)
    ko, ki = s[C].split(C.reduce_axis[0], factor=2)
    io, ii = s[C].split("i", factor=rows)
    jo, ji = s[C].split("j", factor=columns)
    s[C].reorder(jo, io, ko, ii, ji, ki)
    s[C].unroll(ii)
    s[C].unroll(ki)
    s[C].vectorize(ji)
    if has_panels:
        s.buffer_read(B, [ko, ji, ki], at=jo)
    s.buffer_write(C, [ii, ji], scope="register")
    return sw.build(s, [A, B, C], target=target)


def values_of(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def packed(b):
    """Two rows side by side; what fills the last pair is no number."""
    terms, n = b.shape
    rows = np.full((terms + terms % 2, n), np.nan, np.float32)
    rows[:terms] = b
    return bfloat16_bits(rows.reshape(-1, 2, n).transpose(0, 2, 1))


def whole(shape, seed=1):
    """Whole numbers whose sums are exact in float32."""
    m, n, terms = shape
    rng = np.random.default_rng(seed)
    return rng.integers(-9, 10, (m, terms)), rng.integers(-9, 10, (terms, n))


def within_bound(got, a, b):
    """Whether sums are as near as the report of the kernel says: a and b are float64."""
    terms = a.shape[1]
    of_products = np.abs(a) @ np.abs(b)
    of_small = terms * 2.0**-125 * (1 + np.abs(a).max() + np.abs(b).max())
    bound = (terms + 2) * 2.0**-24 * of_products + of_small
    return (np.abs(got.astype(np.float64) - a @ b) <= bound).all()


def code_of(kernel):
    return next(text for name, text in kernel.source.items() if name.endswith(".s"))


def remarks_of(kernel):
    return [r for r in kernel.report() if r.step.startswith("dot(")]


@pytest.mark.parametrize("has_panels", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_whole_numbers_are_exact(shape, has_panels):
    a, b = whole(shape)
    kernel = tiled(shape, has_panels=has_panels)
    args = bfloat16_bits(a.astype(np.float32)), packed(b.astype(np.float32))
    np.testing.assert_array_equal(kernel.run(*args), (a @ b).astype(np.float32))


@pytest.mark.parametrize("scale", [1.0, 2.0**-60, 2.0**-100, 2.0**-130, 2.0**60])
@pytest.mark.parametrize("shape", [(12, 64, 32), (5, 37, 400)])
def test_sums_are_within_the_bound(shape, scale):
    m, n, terms = shape
    rng = np.random.default_rng(2)
    a = bfloat16_bits(rng.standard_normal((m, terms)) * scale)
    b = rng.standard_normal((terms, n)).astype(np.float32)
    bits = packed(b)
    rounded = values_of(bits).transpose(0, 2, 1).reshape(-1, n)[:terms].astype(np.float64)
    for kernel in (tiled(shape), sw.build(product(shape)[2], fast_math=True, search=False)):
        got = np.asarray(kernel.run(a, bits))
        assert within_bound(got, values_of(a).astype(np.float64), rounded)


@bf16
@pytest.mark.isa("avx512_bf16")
@pytest.mark.parametrize("has_panels", [False, True])
def test_the_instruction_stands_in_the_code(has_panels):
    kernel = tiled(SHAPES[0], has_panels=has_panels)
    assert code_of(kernel).count("vdpbf16ps") >= 8
    assert "vfmadd" not in code_of(kernel)
    (remark,) = remarks_of(kernel)
    assert remark.verdict == "pairs of products of bfloat16 are one instruction"
    assert "(n + 2) 2^-24 of the sum of the absolute products" in remark.why
    assert "max|A| + max|B" in remark.why  # or a copy of it


@bf16
@pytest.mark.isa("avx512_bf16")
def test_numbers_below_the_normal_ones_are_zero():
    """What the report says of them; without fast_math they count."""
    shape = (2, 32, 4)
    a, b = np.full((2, 4), 2.0**-130, np.float32), np.full((4, 32), 2.0**10, np.float32)
    args = bfloat16_bits(a), packed(b)
    assert (tiled(shape, rows=2).run(*args) == 0).all()
    exact = np.float32(4 * 2.0**-120)
    assert (tiled(shape, rows=2, fast_math=False).run(*args) == exact).all()


def test_nothing_is_formed_without_fast_math():
    for shape in SHAPES[:2]:
        kernel = tiled(shape, fast_math=False)
        assert "vdpbf16ps" not in code_of(kernel)
        assert remarks_of(kernel) == []
    assert "vdpbf16ps" not in code_of(sw.build(product(SHAPES[0])[2], search=False))


@pytest.mark.parametrize("target", ["x86-64-v3", "c", sw.Target.load("host")])
def test_machines_without_the_instruction(target):
    """A target that is an object is its level: code for it may run on others of that level."""
    A, B, C = product(SHAPES[1])
    kernel = sw.build(sw.create_schedule(C, fast_math=True), [A, B, C], target=target)
    a, b = whole(SHAPES[1])
    args = bfloat16_bits(a.astype(np.float32)), packed(b.astype(np.float32))
    np.testing.assert_array_equal(kernel.run(*args), (a @ b).astype(np.float32))
    assert not any("vdpbf16ps" in text for text in kernel.source.values())


def arm_file(features, tmp_path):
    require_emulator("aarch64-neon")
    file = tmp_path / "arm.toml"
    text = (FILES / "aarch64-neon.toml").read_text()
    file.write_text(text.replace("[foreign]\n", f'[foreign]\nfeatures = "{features}"\n'))
    return str(file)


@pytest.mark.parametrize("features", ["+bf16", ""])
def test_arm_takes_what_its_file_lists(features, tmp_path):
    file = arm_file(features, tmp_path)
    for shape in SHAPES[:2]:
        kernel = tiled(shape, file, columns=16)
        assert ("\tbfdot\t" in code_of(kernel)) == bool(features)
        a, b = whole(shape)
        args = bfloat16_bits(a.astype(np.float32)), packed(b.astype(np.float32))
        np.testing.assert_array_equal(kernel.run(*args), (a @ b).astype(np.float32))
        rng = np.random.default_rng(3)
        x = bfloat16_bits(rng.standard_normal(a.shape))
        y = packed(rng.standard_normal(b.shape).astype(np.float32))
        rounded = values_of(y).transpose(0, 2, 1).reshape(-1, shape[1])[: shape[2]]
        got = np.asarray(kernel.run(x, y))
        assert within_bound(got, values_of(x).astype(np.float64), rounded.astype(np.float64))


def test_the_planner_takes_the_instruction_where_it_is_faster(tmp_path):
    file = arm_file("+bf16", tmp_path)
    A, B, C = product((24, 48, 64))
    for fast_math in (True, False):
        s = sw.create_schedule(C, fast_math=fast_math)
        plan = str(s.auto_schedule(file))
        assert ("2 products of bfloat16 at once" in plan) == fast_math
        kernel = sw.build(s, [A, B, C], target=file)
        assert ("\tbfdot\t" in code_of(kernel)) == fast_math
        a, b = whole((24, 48, 64))
        args = bfloat16_bits(a.astype(np.float32)), packed(b.astype(np.float32))
        np.testing.assert_array_equal(kernel.run(*args), (a @ b).astype(np.float32))


def test_a_network_takes_it_where_all_layers_allow_it(tmp_path):
    file = arm_file("+bf16", tmp_path)
    shape = (8, 32, 16)
    a, b = whole(shape)
    args = bfloat16_bits(a.astype(np.float32)), packed(b.astype(np.float32))
    for fast_math in (True, False):
        A, B, C = product(shape)
        s = sw.create_schedule(C, fast_math=fast_math)
        s.auto_schedule(file)
        network = sw.build_network([(s, [A, B, C])], target=file)
        assert any("\tbfdot\t" in text for text in network.source.values()) == fast_math
        np.testing.assert_array_equal(network.run(*args), (a @ b).astype(np.float32))
