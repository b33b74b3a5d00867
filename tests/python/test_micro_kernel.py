"""Assembly that solway makes for products of matrices: values, layouts, speed and refusals."""

import numpy as np
import pytest
import solway as sw


def product(m, n, depth, dtype="float32", tiles=(32, 32, 32), a="ik", b="kj", c="ij"):
    """C = A B under a schedule whose blocks in the LDM a micro-kernel multiplies.

    `a`, `b` and `c` are the dimensions of the three in order: "ki" for a transposed A.
    """
    sizes = {"i": m, "j": n, "k": depth}
    A = sw.placeholder([sizes[d] for d in a], dtype=dtype, name="A")
    B = sw.placeholder([sizes[d] for d in b], dtype=dtype, name="B")
    k = sw.reduce_axis((0, depth), name="k")

    def value(*axes):
        at = dict(zip(c, axes, strict=True)) | {"k": k}
        return sw.sum(A[tuple(at[d] for d in a)] * B[tuple(at[d] for d in b)], axis=k)

    C = sw.compute([sizes[d] for d in c], lambda x, y: value(x, y), name="C")
    s = sw.create_schedule(C)
    ti, tj, tk = tiles
    sides = [ti if d == "i" else tj for d in c]
    xo, yo, xi, yi = s[C].tile(*C.axis, *sides)
    ko, ki = s[C].split(k, tk)
    s[C].reorder(xo, yo, ko, xi, yi, ki)
    s[C].parallel(xo)
    inner = dict(zip(c, (xi, yi), strict=True)) | {"k": ki}
    s.buffer_write(C, [xi, yi])
    s.buffer_read(A, [inner[d] for d in a])
    s.buffer_read(B, [inner[d] for d in b])
    return s, [A, B, C], xi


def numbers(tensors, rng):
    return [rng.integers(-8, 9, t.shape).astype(t.dtype) for t in tensors]


def expected(a, b, dims_a="ik", dims_b="kj", dims_c="ij"):
    return np.einsum(f"{dims_a},{dims_b}->{dims_c}", a.astype(float), b.astype(float))


def check(s, tensors, modes=("functional",), dims=("ik", "kj", "ij")):
    kernel = sw.build(s, tensors, target="sw26010", name="product")
    a, b = numbers(tensors[:2], np.random.default_rng(1))
    for mode in modes:
        with sw.emulator(mode):
            got = kernel.run(a, b)
        assert np.array_equal(got, expected(a, b, *dims)), mode
    return kernel


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_blocks_of_a_product(dtype):
    s, tensors, at = product(64, 64, 96, dtype)
    s[tensors[2]].tensorize(at, sw.micro_kernel())
    kernel = check(s, tensors)
    assert (
        "product_gemm_32x32(&CC[0][0], &AA[0][0], &BB[0][0], 32);"
        in (kernel.source["product_cpe.c"])
    )
    assert ".globl product_gemm_32x32" in kernel.source["product_kernels.s"]
    assert '"product_kernels.s"' in kernel.source["kernel.toml"]
    assert "product_kernels.o" in kernel.source["Makefile"]


@pytest.mark.parametrize(
    "tiles", [(1, 4, 1), (2, 8, 3), (3, 12, 2), (5, 20, 7), (7, 36, 1), (9, 24, 13), (11, 4, 5)]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_blocks_of_odd_sizes(tiles, dtype):
    m, n, depth = tiles
    s, tensors, at = product(2 * m, 2 * n, 2 * depth, dtype, tiles)
    s[tensors[2]].tensorize(at, sw.micro_kernel())
    check(s, tensors)


@pytest.mark.parametrize("landing", ["at_wait", "at_issue", "random"])
def test_no_hazard_whatever_the_order_in_which_transfers_end(landing):
    s, tensors, at = product(10, 40, 18, tiles=(5, 20, 9))
    s[tensors[2]].tensorize(at, sw.micro_kernel())
    s.double_buffer("AA")
    s.double_buffer("BB")
    kernel = sw.build(s, tensors, target="sw26010", name="product")
    a, b = numbers(tensors[:2], np.random.default_rng(2))
    with sw.emulator("hazard", landing=landing):
        assert np.array_equal(kernel.run(a, b), expected(a, b))


@pytest.mark.parametrize(
    "dims",
    [("ki", "kj", "ij"), ("ik", "kj", "ji"), ("ki", "kj", "ji"), ("ki", "jk", "ji")],
)
def test_layouts(dims):
    a, b, c = dims
    s, tensors, at = product(24, 32, 20, tiles=(12, 16, 10), a=a, b=b, c=c)
    if dims == ("ik", "kj", "ji"):
        # Of neither factor do neighbours along i lie side by side.
        s[tensors[2]].tensorize(at, sw.micro_kernel())
        with pytest.raises(sw.UnsupportedError, match="no form for its operands") as caught:
            sw.build(s, tensors, target="sw26010")
        assert "'AA'" in caught.value.why
        return
    s[tensors[2]].tensorize(at, sw.micro_kernel())
    check(s, tensors, dims=dims)


@pytest.mark.parametrize("order", ["xy", "yx"])
@pytest.mark.parametrize("rounds", [(3,), (2, 3)])
def test_rounds_add_to_the_same_block(order, rounds):
    A = sw.placeholder((8, *rounds, 5), name="A")
    B = sw.placeholder((*rounds, 5, 12), name="B")
    *r, k = (sw.reduce_axis(n, name=f"r{at}") for at, n in enumerate((*rounds, 5)))
    C = sw.compute(
        (8, 12), lambda x, y: sw.sum(A[(x, *r, k)] * B[(*r, k, y)], axis=[*r, k]), name="C"
    )
    s = sw.create_schedule(C)
    x, y = C.axis
    outer, first = s[C].split(r[0], rounds[0])
    block = [x, y] if order == "xy" else [y, x]
    s[C].reorder(outer, *block, first, *r[1:], k)
    s.buffer_write(C, [x, y])
    s.buffer_read(A, at=outer)
    s.buffer_read(B, at=outer)
    s[C].tensorize(block[0], sw.micro_kernel())
    kernel = sw.build(s, [A, B, C], target="sw26010", name="product")
    a, b = numbers([A, B], np.random.default_rng(3))
    expected_sums = a.reshape(8, -1) @ b.reshape(-1, 12)
    with sw.emulator("hazard"):
        assert np.array_equal(kernel.run(a, b), expected_sums)


def test_a_buffer_in_another_layout():
    s, (A, B, C), at = product(24, 32, 20, tiles=(12, 16, 10), b="jk")
    s[C].tensorize(at, sw.micro_kernel())
    with pytest.raises(sw.UnsupportedError, match="no form for its operands"):
        sw.build(s, [A, B, C], target="sw26010")


def test_full_tiles_beside_the_others():
    m, n, depth = 21, 40, 24
    A = sw.placeholder((m, depth), name="A")
    B = sw.placeholder((depth, n), name="B")
    k = sw.reduce_axis((0, depth), name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    io, jo, ii, ji = s[C].tile(*C.axis, 8, 16)
    ko, ki = s[C].split(k, 8)
    s[C].reorder(io, jo, ko, ii, ji, ki)
    with pytest.raises(sw.ScheduleArgumentError, match="not full everywhere"):
        s[C].tensorize(ii, sw.micro_kernel())
    s[C].specialize(io < 2, jo < 2)
    s.buffer_write(C, [ii, ji])
    s.buffer_read(A, [ii, ki], readers=[C])
    s.buffer_read(B, [ki, ji], readers=[C])
    s[C].tensorize(ii, sw.micro_kernel())
    check(s, [A, B, C], modes=("functional", "hazard"))


def test_two_products_of_one_kernel_share_a_function_of_one_layout():
    A = sw.placeholder((16, 16), name="A")
    B = sw.placeholder((16, 16), name="B")
    k, m = sw.reduce_axis(16, name="k"), sw.reduce_axis(16, name="m")
    C = sw.compute((16, 16), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    D = sw.compute((16, 16), lambda i, j: sw.sum(C[i, m] * B[m, j], axis=m), name="D")
    s = sw.create_schedule(D)
    for T, X in ((C, A), (D, C)):
        (reduce,) = s[T].reduce_axis
        i, j = s[T].axis
        outer, inner = s[T].split(i, 16)
        s[T].reorder(outer, reduce, inner, j)
        ko, ki = s[T].split(reduce, 16)
        s[T].reorder(outer, ko, inner, j, ki)
        s.buffer_write(T, at=outer)
        s.buffer_read(X, at=ko, readers=[T])
        s.buffer_read(B, at=ko, readers=[T])
        s[T].tensorize(inner, sw.micro_kernel())
    kernel = sw.build(s, [A, B, D], target="sw26010", name="twice")
    assert kernel.source["twice_kernels.s"].count(".globl") == 1
    a, b = numbers([A, B], np.random.default_rng(3))
    assert np.array_equal(kernel.run(a, b), (a @ b) @ b)


def test_it_is_written_into_a_script_and_read_again(tmp_path):
    s, tensors, at = product(8, 16, 8, tiles=(8, 16, 8))
    s[tensors[2]].tensorize(at, sw.micro_kernel())
    assert "tensorize(" in s.to_python()
    assert "sw.micro_kernel()" in s.to_python()
    s.save(tmp_path / "s.py")
    again = sw.load_schedule(tmp_path / "s.py", tensors[2])
    assert str(again) == str(s)
    check(again, tensors)


def test_it_reaches_nine_tenths_of_the_peak_while_it_computes():
    size = 128
    A = sw.placeholder((size, size), name="A")
    B = sw.placeholder((size, size), name="B")
    k = sw.reduce_axis((0, size), name="k")
    C = sw.compute((size, size), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    io, jo, ii, ji = s[C].tile(*C.axis, 64, 64)
    ko, ki = s[C].split(k, 64)
    s[C].reorder(io, jo, ko, ii, ji, ki)
    s[C].parallel(io, jo, grid=(2, 2))
    s.buffer_write(C, [ii, ji])
    s.buffer_read(A, [ii, ki])
    s.buffer_read(B, [ki, ji])
    s[C].tensorize(ii, sw.micro_kernel())
    kernel = sw.build(s, [A, B, C], target="sw26010", name="product")
    a, b = numbers([A, B], np.random.default_rng(4))
    assert np.array_equal(kernel.run(a, b, mode="timed"), a @ b)
    core = kernel.last_run.timeline.cores[0]
    busy = core.running - sum(core.stalls.values())
    assert 2 * size**3 / 4 / busy / 8 > 0.9


def test_the_same_code_every_time():
    def files():
        s, tensors, at = product(10, 40, 8, tiles=(5, 20, 8))
        s[tensors[2]].tensorize(at, sw.micro_kernel())
        return sw.build(s, tensors, target="sw26010", name="product").source["product_kernels.s"]

    assert files() == files()


@pytest.mark.parametrize("target", ["c", "sw26010pro", "x86-64-v3"])
def test_other_targets_refuse_it(target):
    s, tensors, at = product(8, 16, 8, tiles=(8, 16, 8))
    s[tensors[2]].tensorize(at, sw.micro_kernel())
    with pytest.raises(sw.UnsupportedError):
        sw.build(s, tensors, target=target)
