"""Code of one's own in place of loops: what matches, where it differs, and values."""

import numpy as np
import pytest
import solway as sw

GEMM = """\
for (int i = 0; i < 4; ++i)
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < 8; ++k)
      Z[i * Z_stride0 + j * Z_stride1] +=
          X[i * X_stride0 + k * X_stride1] * Y[k * Y_stride0 + j * Y_stride1];
"""


def gemm(code=("c", "sw26010"), operands="XY", m=4):
    X = sw.placeholder((m, 8), name="X")
    Y = sw.placeholder((8, 4), name="Y")
    k = sw.reduce_axis(8, name="k")

    def value(i, j):
        return sw.sum(X[i, k] * Y[k, j] if operands == "XY" else Y[k, j] * X[i, k], axis=k)

    Z = sw.compute((m, 4), value, name="Z")
    return sw.intrinsic(Z, dict.fromkeys(code, GEMM), name="gemm4x4")


def matmul(m=8, n=8, depth=16, transposed=False):
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((n, depth) if transposed else (depth, n), name="B")
    k = sw.reduce_axis(depth, name="k")

    def value(i, j):
        return sw.sum(A[i, k] * (B[j, k] if transposed else B[k, j]), axis=k)

    C = sw.compute((m, n), value, name="C")
    s = sw.create_schedule(C)
    io, jo, ii, ji = s[C].tile("i", "j", 4, 4)
    ko, ki = s[C].split("k", 8)
    return A, B, C, s, (io, jo, ko, ii, ji, ki)


def check(s, A, B, C, target, transposed=False):
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-4, 5, t.shape).astype(np.float32) for t in (A, B))
    k = sw.build(s, [A, B, C], target=target)
    assert np.array_equal(k.run(a, b), a @ (b.T if transposed else b))
    assert "gemm4x4" in "".join(k.source.values())


@pytest.mark.parametrize("operands", ["XY", "YX"])
@pytest.mark.parametrize("target", ["c", "sw26010"])
def test_a_tile_of_a_matmul(target, operands):
    A, B, C, s, (io, jo, ko, ii, ji, ki) = matmul()
    s[C].reorder(io, jo, ko, ii, ji, ki)
    s[C].tensorize(ii, gemm(operands=operands))
    assert "gemm4x4(Z: C[i.o*4, j.o*4]" in str(s)
    check(s, A, B, C, target)


@pytest.mark.parametrize("target", ["c", "sw26010"])
def test_in_buffers_under_a_parallel_loop(target):
    A, B, C, s, (io, jo, ko, ii, ji, ki) = matmul()
    s[C].reorder(io, jo, ko, ji, ki, ii)  # the order of the loops inside does not matter
    s.buffer_write(C, [ii, ji])
    s.buffer_read(A, [ii, ki])
    s.buffer_read(B, [ki, ji])
    s[C].tensorize(ji, gemm())
    s[C].parallel(io)
    assert "gemm4x4(Z: CC[0, 0], X: AA[0, 0], Y: BB[0, 0])" in str(s)
    check(s, A, B, C, target)


def test_a_transposed_operand_has_other_strides():
    A, B, C, s, (io, jo, ko, ii, ji, ki) = matmul(transposed=True)
    s[C].reorder(io, jo, ko, ii, ji, ki)
    s[C].tensorize(ii, gemm())
    check(s, A, B, C, "c", transposed=True)


def test_a_layout_has_other_strides():
    A, B, C, s, (io, jo, ko, ii, ji, ki) = matmul()
    s[C].reorder(io, jo, ko, ii, ji, ki)
    s.transform_layout(B, lambda k, j: (j, k))
    s[C].tensorize(ii, gemm())
    check(s, A, B, C, "c")


def test_full_tiles_only():
    A, B, C, s, (io, jo, ko, ii, ji, ki) = matmul(10, 10, 20)
    s[C].reorder(io, jo, ko, ii, ji, ki)
    with pytest.raises(sw.ScheduleArgumentError, match="not full everywhere") as caught:
        s[C].tensorize(ii, gemm())
    assert "specialize" in caught.value.fix
    s[C].specialize(io < 2, jo < 2, ko < 2)
    s[C].tensorize(ii, gemm())
    check(s, A, B, C, "c")


@pytest.mark.parametrize("other", ["size", "zero"])
def test_expressions_that_only_look_alike(other):
    n, m = sw.size("n", max=8), sw.size("m", max=8)
    own, stated = (n, m) if other == "size" else (0.0, -0.0)
    X = sw.placeholder((16,), "float64", name="X")
    Y = sw.compute((16,), lambda i: X[i] * stated, name="Y")
    scale = sw.intrinsic(Y, code={"c": "for (int q = 0; q < 16; ++q) Y[q] = X[q];"}, name="scale")
    A = sw.placeholder((64,), "float64", name="A")
    B = sw.compute((64,), lambda i: A[i] * own, name="B")
    s = sw.create_schedule(B)
    _, ii = s[B].split("i", factor=16)
    with pytest.raises(sw.ScheduleArgumentError, match="the expressions differ"):
        s[B].tensorize(ii, scale)


def test_an_expression_with_an_offset():
    X = sw.placeholder((5,), name="X")
    Y = sw.compute((4,), lambda i: X[i] + X[i + 1], name="Y")
    code = "for (int i = 0; i < 4; ++i) Y[i * Y_stride0] = X[i * X_stride0] + X[(i+1) * X_stride0];"
    pairs = sw.intrinsic(Y, {"c": code}, name="pairs")
    A = sw.placeholder((17,), name="A")
    C = sw.compute((16,), lambda i: A[i] + A[i + 1], name="C")
    s = sw.create_schedule(C)
    _, inner = s[C].split("i", 4)
    s[C].tensorize(inner, pairs)
    a = np.arange(17, dtype=np.float32) ** 2
    assert np.array_equal(sw.build(s, [A, C], target="c").run(a), a[:16] + a[1:])
    D = sw.compute((16,), lambda i: A[i] + A[i], name="D")
    s = sw.create_schedule(D)
    _, inner = s[D].split("i", 4)
    with pytest.raises(sw.ScheduleArgumentError, match="'X' would be two places of 'A'"):
        s[D].tensorize(inner, pairs)


def test_later_primitives_keep_the_match():
    _, _, C, s, (io, jo, ko, ii, ji, ki) = matmul()
    s[C].reorder(io, jo, ko, ii, ji, ki)
    s[C].tensorize(ii, gemm())
    before = str(s)
    for change in (
        lambda: s[C].split(ji, 2),
        lambda: s[C].reorder(ki, ko),
        lambda: s[C].unroll(ki),
        lambda: s.buffer_read(s.tensors["A"], at=ii),
        lambda: s[C].tensorize(ii, gemm()),
    ):
        with pytest.raises(sw.ScheduleArgumentError):
            change()
        assert str(s) == before
    s[C].reorder(jo, io)
    s[C].parallel(jo)


def test_a_target_without_code_is_refused_at_build():
    A, B, C, s, (io, jo, ko, ii, ji, ki) = matmul()
    s[C].reorder(io, jo, ko, ii, ji, ki)
    s[C].tensorize(ii, gemm(code=("sw26010",)))
    with pytest.raises(sw.UnsupportedError, match="no code for target 'c'"):
        sw.build(s, [A, B, C], target="c")
    with pytest.raises(sw.UnsupportedError, match="cannot be called"):
        sw.build(s, [A, B, C], target="host")


def test_the_script_takes_the_intrinsic_by_name(tmp_path):
    _, _, C, s, (io, jo, ko, ii, ji, ki) = matmul()
    s[C].reorder(io, jo, ko, ii, ji, ki)
    code = gemm()
    s[C].tensorize(ii, code)
    s.save(tmp_path / "c.schedule")
    again = sw.load_schedule(tmp_path / "c.schedule", [C], intrinsics={"gemm4x4": code})
    assert str(again) == str(s) and again.to_python() == s.to_python()
    with pytest.raises(sw.ScheduleArgumentError, match="pass intrinsics="):
        sw.load_schedule(tmp_path / "c.schedule", [C])
