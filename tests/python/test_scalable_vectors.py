"""Vectors whose length is known when a kernel runs: Arm SVE and RISC-V V, at many lengths."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest
import solway as sw
from support.foreign import loops_of, require_emulator
from support.register_lengths import LENGTHS, file_with_length, file_without_length, registers

CASES = [(name, bits) for name, lengths in LENGTHS.items() for bits in lengths]


@pytest.fixture
def machine(request, tmp_path):
    """The target file of a machine whose registers have a given number of bits."""
    name, bits = request.param
    require_emulator(name)
    return file_with_length(name, bits, tmp_path)


def whole(dtype, shape, seed=0):
    low = 0 if dtype == "uint8" else -4
    return np.random.default_rng(seed).integers(low, 5, shape).astype(dtype)


def vectorized(outputs, axis_of=lambda s, out: out.axis[-1]):
    s = sw.create_schedule(outputs)
    for out in outputs:
        s[out].vectorize(axis_of(s, out))
    return s


# Instructions that give the bytes of a register; of RISC-V, one that reads vlenb by its number.
BYTES = {"aarch64-sve": "rdvl %0, #1", "riscv64-v": "csrr %0, 0xc22"}
FLAGS = {"aarch64-sve": ["-march=armv8-a+sve"], "riscv64-v": []}
SAYS_ITS_BITS = """\
#include <stdio.h>
int main(void) {
  unsigned long bytes;
  __asm__("%s" : "=r"(bytes));
  printf("%%lu\\n", 8 * bytes);
}
"""


@pytest.mark.parametrize("target", LENGTHS)
def test_programs_see_each_length(target, tmp_path):
    require_emulator(target)
    source, program = tmp_path / "bits.c", tmp_path / "bits"
    source.write_text(SAYS_ITS_BITS % BYTES[target])
    compiler = sw.Target.load(target)._machine.foreign.compiler
    flags = [*FLAGS[target], "-static", "-o", program]
    subprocess.run([compiler, *flags, source], check=True)

    def seen(file):
        command = [*sw.Target.load(file)._machine.foreign.emulator, program]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    without = file_without_length(target, tmp_path)
    for bits in LENGTHS[target]:
        assert seen(file_with_length(target, bits, tmp_path)) == bits
        with registers(target, bits):
            assert seen(without) == bits


@pytest.mark.parametrize("machine", CASES, indirect=True, ids=str)
def test_elements_sums_and_gathers_are_numpys_at_every_length(machine):
    n = 531  # more than the lanes of any register, and no multiple of them
    A = sw.placeholder((n,), dtype="float32", name="A")
    D = sw.placeholder((n,), dtype="float64", name="D")
    X = sw.placeholder((n,), dtype="int32", name="X")
    U = sw.placeholder((2 * n,), dtype="uint8", name="U")
    r = [sw.reduce_axis(n, name=f"r{k}") for k in range(6)]
    rows = [
        (lambda i: A[i] * A[i] - 3, lambda a, d, x, u: a * a - 3),
        (
            lambda i: sw.select(A[i] < 0, -3.0, 5.0),
            lambda a, d, x, u: np.where(a < 0, -3.0, 5.0).astype("f4"),
        ),
        (lambda i: A[i].astype("float64") + D[i], lambda a, d, x, u: a.astype("f8") + d),
        (lambda i: D[i].astype("int8"), lambda a, d, x, u: d.astype("i1")),
        (lambda i: (A[i] / 2).astype("float16"), lambda a, d, x, u: (a / 2).astype("f2")),
        (
            lambda i: A[i].astype("bfloat16").astype("float32") + D[i].astype("float16"),
            lambda a, d, x, u: a + d.astype("f4"),
        ),
        (lambda i: (X[i] // 3) * 5 + i, lambda a, d, x, u: (x // 3) * 5 + np.arange(n)),
        (lambda i: U[2 * i] & U[2 * i + 1], lambda a, d, x, u: u[::2] & u[1::2]),
        (lambda i: X[n - 1 - i], lambda a, d, x, u: x[::-1]),
    ]
    outs = [sw.compute((n,), f, name=f"e{k}") for k, (f, _) in enumerate(rows)]
    sums = [
        (lambda k: sw.sum(A[r[0]] * 2, axis=r[0]), lambda a, d, x, u: (a * 2).sum()),
        (lambda k: sw.max(A[r[1]], axis=r[1]), lambda a, d, x, u: a.max()),
        (lambda k: sw.min(D[r[2]], axis=r[2]), lambda a, d, x, u: d.min()),
        (lambda k: sw.sum(X[r[3]], axis=r[3]), lambda a, d, x, u: x.sum(dtype="i4")),
        (lambda k: sw.max(X[r[4]], axis=r[4]), lambda a, d, x, u: x.max()),
        (lambda k: sw.prod(A[r[5]] * 0 + 1, axis=r[5]), lambda a, d, x, u: np.float32(1)),
    ]
    totals = [sw.compute((1,), f, name=f"t{k}") for k, (f, _) in enumerate(sums)]
    s = sw.create_schedule([*outs, *totals])
    for out in outs:
        s[out].vectorize(out.axis[0])
    for out in totals:
        s[out].vectorize(s[out].reduce_axis[0])
    kernel = sw.build(s, [A, D, X, U, *outs, *totals], target=machine)
    assert all(remark.step == "order of instructions" for remark in kernel.report())
    values = (whole("float32", n, 1), whole("float64", n, 2), whole("int32", n, 3),
              whole("uint8", 2 * n, 4))  # fmt: skip
    for (_, numpys), got in zip([*rows, *sums], kernel.run(*values), strict=True):
        np.testing.assert_array_equal(got, numpys(*values))


@pytest.mark.parametrize("machine", CASES, indirect=True, ids=str)
def test_planned_products_and_convolutions_are_numpys_at_every_length(machine):
    A, B = sw.placeholder((13, 29), name="A"), sw.placeholder((29, 150), name="B")
    k = sw.reduce_axis(29, name="k")
    C = sw.compute((13, 150), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    X, W = sw.placeholder((9, 9, 5), name="X"), sw.placeholder((3, 3, 5, 70), name="W")
    p, q, c = (sw.reduce_axis(n, name=name) for n, name in ((3, "p"), (3, "q"), (5, "c")))
    Y = sw.compute(
        (7, 7, 70),
        lambda y, x, f: sw.sum(X[y + p, x + q, c] * W[p, q, c, f], axis=[p, q, c]),
        name="Y",
    )
    Z = sw.compute((7, 7, 70), lambda y, x, f: sw.maximum(Y[y, x, f], 0.0), name="Z")
    s = sw.create_schedule([C, Z])
    s.auto_schedule(machine, search=False)
    kernel = sw.build(s, [A, B, C, X, W, Z], target=machine)
    a, b, x, w = (whole("float32", t.shape, seed) for seed, t in enumerate((A, B, X, W)))
    got, conv = kernel.run(a, b, x, w)
    np.testing.assert_array_equal(got, a @ b)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(0, 1))
    right = np.einsum("yxcpq,pqcf->yxf", windows, w)
    np.testing.assert_array_equal(conv, np.maximum(right, 0))


@pytest.mark.parametrize("machine", CASES, indirect=True, ids=str)
def test_what_reads_a_product_is_computed_in_its_lanes_at_every_length(machine):
    A, B = sw.placeholder((13, 29), name="A"), sw.placeholder((29, 150), name="B")
    b, k = sw.placeholder((150,), name="b"), sw.reduce_axis(29, name="k")
    C = sw.compute((13, 150), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    D = sw.compute((13, 150), lambda i, j: sw.maximum(C[i, j] + b[j], 0.0), name="D")
    X, W = sw.placeholder((9, 9, 5), name="X"), sw.placeholder((3, 3, 5, 70), name="W")
    R = sw.placeholder((7, 7, 70), name="R")
    p, q, c = (sw.reduce_axis(n, name=name) for n, name in ((3, "p"), (3, "q"), (5, "c")))
    Y = sw.compute(
        (7, 7, 70),
        lambda y, x, f: sw.sum(X[y + p, x + q, c] * W[p, q, c, f], axis=[p, q, c]),
        name="Y",
    )
    Z = sw.compute((7, 7, 70), lambda y, x, f: sw.maximum(Y[y, x, f] + R[y, x, f], 0.0), name="Z")
    s = sw.create_schedule([D, Z])
    s.auto_schedule(machine, search=False)
    assert s.to_python().count('scope="register"') == 2
    kernel = sw.build(s, [A, B, b, X, W, R, D, Z], target=machine)
    tensors = (A, B, b, X, W, R)
    a, bb, bias, x, w, r = (whole("float32", t.shape, seed) for seed, t in enumerate(tensors))
    layer, conv = kernel.run(a, bb, bias, x, w, r)
    np.testing.assert_array_equal(layer, np.maximum(a @ bb + bias, 0))
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(0, 1))
    right = np.einsum("yxcpq,pqcf->yxf", windows, w)
    np.testing.assert_array_equal(conv, np.maximum(right + r, 0))


@pytest.mark.parametrize("target", LENGTHS)
def test_an_activation_takes_sums_from_their_registers(target):
    A, B = sw.placeholder((96, 64), name="A"), sw.placeholder((64, 256), name="B")
    k = sw.reduce_axis(64, name="k")
    C = sw.compute((96, 256), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    D = sw.compute((96, 256), lambda i, j: sw.maximum(C[i, j], 0.0), name="D")
    s = sw.create_schedule(D)
    s.auto_schedule(target, search=False)
    kernel = sw.build(s, [A, B, D], target=target, name="layer")
    assert {remark.step for remark in kernel.report()} <= {"for i.o parallel"}  # one thread
    assert "aligned_alloc" not in kernel.source["layer.ll"]  # C is never stored
    for loop in loops_of(kernel.source["layer.s"]):
        for line in loop:
            assert not re.search(SCALAR[target], line), "\n".join(loop)


@pytest.mark.parametrize("target", ["host", "c", "ve-ncc", "x86-64-v3"])
def test_a_stage_may_be_computed_in_lanes_of_any_target(target):
    A, B = sw.placeholder((14, 30), name="A"), sw.placeholder((30, 37), name="B")
    k = sw.reduce_axis(30, name="k")
    C = sw.compute((14, 37), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    D = sw.compute((14, 37), lambda i, j: C[i, j] * 2 - 1, name="D")
    s = sw.create_schedule(D)
    io, ii = s[D].split(D.axis[0], factor=6)
    s[D].reorder(io, D.axis[1], ii)
    s[C].compute_at(D, D.axis[1], scope="register")
    s[D].vectorize(D.axis[1])
    a, b = whole("float32", (14, 30)), whole("float32", (30, 37), 1)
    got = sw.build(s, [A, B, D], target=target).run(a, b)
    np.testing.assert_array_equal(got, (a @ b) * 2 - 1)


def test_a_tile_that_lanes_share_is_refused():
    A = sw.placeholder((33,), name="A")
    P = sw.compute((33,), lambda i: A[i] * 2, name="P")
    C = sw.compute((4, 32), lambda i, j: P[j] + P[j + 1], name="C")
    s = sw.create_schedule(C)
    s[P].compute_at(C, C.axis[1], scope="panel")
    with pytest.raises(sw.IllegalScheduleError, match="vectorize"):
        s[C].vectorize(C.axis[1])


@pytest.mark.parametrize("machine", CASES, indirect=True, ids=str)
def test_functions_and_softmax_are_numpys_within_rounding_at_every_length(machine):
    n = 301
    A = sw.placeholder((n,), name="A")
    D = sw.placeholder((n,), dtype="float64", name="D")
    k, m = sw.reduce_axis(n, name="k"), sw.reduce_axis(n, name="m")
    most = sw.compute((1,), lambda i: sw.max(A[m], axis=m), name="most")
    E = sw.compute((n,), lambda i: sw.exp(A[i] - most[0]), name="E")
    total = sw.compute((1,), lambda i: sw.sum(E[k], axis=k), name="total")
    S = sw.compute((n,), lambda i: E[i] / total[0], name="S")
    F = sw.compute((n,), lambda i: sw.sin(D[i]) + sw.log(A[i] * A[i] + 1), name="F")
    s = sw.create_schedule([S, F])
    for out in (E, S, F):
        s[out].vectorize(out.axis[0])
    s[most].vectorize(m)
    s[total].vectorize(k)
    a = np.random.default_rng(5).normal(0, 3, n).astype("float32")
    d = np.random.default_rng(6).normal(0, 3, n)
    soft, other = sw.build(s, [A, D, S, F], target=machine).run(a, d)
    e = np.exp(a.astype("f8") - a.max())
    np.testing.assert_allclose(soft, e / e.sum(), rtol=1e-5)
    np.testing.assert_allclose(
        other, np.sin(d) + np.log(a.astype("f8") ** 2 + 1), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("machine", CASES[::4], indirect=True, ids=str)
def test_any_number_of_iterations_fills_any_register(machine):
    n = sw.size("n", max=600)
    A = sw.placeholder((n,), dtype="int32", name="A")
    k = sw.reduce_axis(n, name="k")
    B = sw.compute((n,), lambda i: A[i] * 2 + i, name="B")
    T = sw.compute((1,), lambda i: sw.sum(A[k], axis=k), name="T")
    s = sw.create_schedule([B, T])
    s[B].vectorize(B.axis[0])
    s[T].vectorize(s[T].reduce_axis[0])
    kernel = sw.build(s, [A, B, T], target=machine)
    for length in (1, 4, 63, 64, 65, 600):
        a = whole("int32", length, length)
        b, total = kernel.run(a)
        np.testing.assert_array_equal(b, a * 2 + np.arange(length))
        assert total[0] == a.sum()


SCALAR = {
    "aarch64-sve": r"\b(fmadd|fadd|fmul|fsub)\t[sd]\d|\bld1?r?\t[sd]\d|\[sp",
    "riscv64-v": r"\bf(madd|add|mul|sub)\.[sd]|\(sp\)|\bvs\d+r\.v.*sp",
}


@pytest.mark.parametrize(
    ("target", "multiply", "products"),
    [("aarch64-sve", "fmla\tz", 24), ("riscv64-v", "vfmacc.vf", 6)],
)
def test_a_planned_product_has_rows_of_sums_in_its_registers(target, multiply, products):
    A, B = sw.placeholder((96, 64), name="A"), sw.placeholder((64, 256), name="B")
    k = sw.reduce_axis(64, name="k")
    C = sw.compute((96, 256), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    s.auto_schedule(target, search=False)
    assembly = sw.build(s, [A, B, C], target=target, name="gemm").source["gemm.s"]
    best = max(loops_of(assembly), key=lambda loop: sum(multiply in line for line in loop))
    # 6 rows of 4 registers, which RISC-V has in one group.
    assert sum(multiply in line for line in best) == products
    for line in best:
        assert not re.search(SCALAR[target], line), "\n".join(best)


@pytest.mark.parametrize("target", LENGTHS)
def test_no_inner_loop_of_a_softmax_is_scalar_and_its_rests_are_masked(target):
    n = 1000
    A = sw.placeholder((n,), name="A")
    m, k = sw.reduce_axis(n, name="m"), sw.reduce_axis(n, name="k")
    most = sw.compute((1,), lambda i: sw.max(A[m], axis=m), name="most")
    E = sw.compute((n,), lambda i: sw.exp(A[i] - most[0]), name="E")
    total = sw.compute((1,), lambda i: sw.sum(E[k], axis=k), name="total")
    S = sw.compute((n,), lambda i: E[i] / total[0], name="S")
    s = sw.create_schedule(S)
    for out in (E, S):
        s[out].vectorize(out.axis[0])
    s[most].vectorize(m)
    s[total].vectorize(k)
    kernel = sw.build(s, [A, S], target=target, name="softmax")
    assert all(remark.step == "order of instructions" for remark in kernel.report())
    assembly = kernel.source["softmax.s"]
    loops = loops_of(assembly)
    assert len(loops) == 4
    for loop in loops:
        assert not any(re.search(SCALAR[target], line) for line in loop), "\n".join(loop)
    assert re.search("whilelo" if target == "aarch64-sve" else r"v0\.t", assembly)


@pytest.mark.parametrize("target", ["host", "c", "x86-64-v3"])
def test_lanes_of_any_target_may_have_buffers_of_their_own(target):
    A, B = sw.placeholder((14, 30), name="A"), sw.placeholder((30, 37), name="B")
    k = sw.reduce_axis(30, name="k")
    C = sw.compute((14, 37), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    io, ii = s[C].split(C.axis[0], factor=6)
    s[C].reorder(io, C.axis[1], k, ii)
    s[C].unroll(ii)
    s[C].vectorize(C.axis[1])
    s.buffer_write(C, at=C.axis[1], scope="register")
    a, b = whole("float32", (14, 30)), whole("float32", (30, 37), 1)
    np.testing.assert_array_equal(sw.build(s, [A, B, C], target=target).run(a, b), a @ b)


def test_a_buffer_that_iterations_share_cannot_be_one_of_lanes():
    A = sw.placeholder((8, 32), name="A")
    k = sw.reduce_axis(8, name="k")
    C = sw.compute((32,), lambda j: sw.sum(A[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    jo, ji = s[C].split(C.axis[0], factor=16)
    s.buffer_write(C, at=jo, scope="register")  # of all 16 columns
    s[C].reorder(k, ji)
    s[C].vectorize(ji)  # each lane has its column
    a = whole("float32", (8, 32))
    np.testing.assert_array_equal(sw.build(s, [A, C]).run(a), a.sum(axis=0))
    t = sw.create_schedule(C)
    t[C].vectorize(C.axis[0])
    with pytest.raises(sw.IllegalScheduleError, match="at the same time"):
        t.buffer_write(C, at=C.axis[0])  # in a cache, which all lanes share
