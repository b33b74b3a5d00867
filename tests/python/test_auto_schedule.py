"""`auto_schedule` and `build` of tensors on this machine: results, choices, search and cache."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import solway as sw
from solway import _plan_cache
from solway._cpu import runs
from support.guarded import GuardedKernel

V4 = pytest.mark.skipif(not runs("x86-64-v4"), reason="needs AVX-512")


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("SOLWAY_CACHE", str(tmp_path / "cache"))


def numbers(*tensors):
    """Small whole numbers, whose sums are exact in every order."""
    rng = np.random.default_rng(1)
    return [rng.integers(-3, 4, t.shape).astype(t.dtype) for t in tensors]


def product(m, n, depth, dtype="float32"):
    A = sw.placeholder((m, depth), dtype, name="A")
    B = sw.placeholder((depth, n), dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    return A, B, sw.compute((m, n), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")


def check(output, inputs, expected, tolerance=0.0, target="host"):
    """Plans by the model, builds, and compares on guarded arrays; returns the schedule."""
    s = sw.create_schedule(output)
    s.auto_schedule(target, search=False)
    kernel = GuardedKernel(sw.build(s, [*inputs, output], target=target))
    arrays = numbers(*inputs)
    result, right = kernel.run(*arrays), expected(*arrays)
    if tolerance:
        np.testing.assert_allclose(result, right, atol=tolerance)
    else:
        np.testing.assert_array_equal(result, right)
    return s


def primitives(schedule):
    return [step.primitive for step in schedule.log]


@pytest.mark.parametrize("shape", [(1, 77, 33), (77, 1, 33), (49, 49, 70), (100, 101, 3),
                                   (3, 5, 2), (64, 130, 129), (13, 16, 2000)])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_products_of_odd_shapes(shape, dtype):
    A, B, C = product(*shape, dtype)
    check(C, [A, B], lambda a, b: a @ b)


@pytest.mark.parametrize("target", ["x86-64-v3", pytest.param("x86-64-v4", marks=V4)])
def test_targets_by_name(target):
    A, B, C = product(50, 70, 40)
    check(C, [A, B], lambda a, b: a @ b, target=target)


@pytest.mark.parametrize("target", ["x86-64-v3", pytest.param("x86-64-v4", marks=V4)])
@pytest.mark.parametrize("columns", [1, 15, 17, 77])
def test_panels_that_the_columns_do_not_fill(columns, target):
    A = sw.placeholder((9, 30), name="A")
    B = sw.placeholder((-(-columns // 16), 30, 16), name="B")
    k = sw.reduce_axis(30, name="k")
    C = sw.compute((9, columns),
                   lambda i, j: sw.sum(A[i, k] * B[j // 16, k, j % 16], axis=k),
                   name="C")  # fmt: skip

    def expected(a, b):
        return a @ b.transpose(1, 0, 2).reshape(30, -1)[:, :columns]

    check(C, [A, B], expected, target=target)


def test_the_tile_of_a_product_fits_the_registers():
    _, _, C = product(96, 128, 256)
    s = sw.create_schedule(C)
    chosen = s.auto_schedule("x86-64-v4", search=False)
    tile = chosen["C"].tiles
    vectors = -(-tile["j"][0] // 16)
    assert tile["i"][0] * vectors + vectors + 1 <= 31
    assert {"vectorize", "unroll", "buffer_write"} <= set(primitives(s))


@V4
@pytest.mark.parametrize("shape", [(96, 128, 256), (101, 96, 64)])
def test_machine_code_of_a_product_has_no_spills(shape):
    A, B, C = product(*shape)
    s = sw.create_schedule(C)
    s.auto_schedule("x86-64-v4", search=False)
    kernel = sw.build(s, [A, B, C], target="x86-64-v4")
    code = "\n".join(text for name, text in kernel.source.items() if name.endswith(".s"))
    assert "vfmadd" in code
    assert not [line for line in code.splitlines() if "zmm" in line and "(%rsp" in line]


def test_an_operand_whose_lanes_lie_apart_is_turned():
    A = sw.placeholder((40, 64), name="A")
    B = sw.placeholder((48, 64), name="B")
    k = sw.reduce_axis(64, name="k")
    C = sw.compute((40, 48), lambda i, j: sw.sum(A[i, k] * B[j, k], axis=k), name="C")
    s = check(C, [A, B], lambda a, b: a @ b.T)
    assert "buffer_read" in primitives(s)


@pytest.mark.parametrize("target", ["x86-64-v3", pytest.param("x86-64-v4", marks=V4)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("columns", "depth"), [(48, 32), (33, 17), (15, 31)])
def test_turned_copies_of_odd_sizes(columns, depth, dtype, target):
    A = sw.placeholder((8, depth), dtype, name="A")
    B = sw.placeholder((columns, depth), dtype, name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((8, columns), lambda i, j: sw.sum(A[i, k] * B[j, k], axis=k), name="C")
    s = sw.create_schedule(C)
    s.buffer_read(B, region=[C.axis[1], k], layout=[1, 0])
    s[C].reorder(C.axis[0], k, C.axis[1])
    s[C].vectorize(C.axis[1])
    a, b = numbers(A, B)
    result = sw.build(s, [A, B, C], target=target).run(a, b)
    np.testing.assert_array_equal(result, a @ b.T)


@pytest.mark.parametrize("depth", [601, 1203])
def test_what_tiles_hold_of_many_rows_is_copied_side_by_side(depth):
    """Each term is of another row of A, some numbers of which a tile reads."""
    A = sw.placeholder((depth, 523), name="A")
    B = sw.placeholder((depth, 801), name="B")
    k = sw.reduce_axis(depth, name="k")
    C = sw.compute((523, 801), lambda i, j: sw.sum(A[k, i] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    s.auto_schedule("x86-64-v4", search=False)
    (copy,) = [line for line in s.to_python().splitlines() if "buffer_read(A" in line]
    assert 'scope="shared"' in copy
    assert "layout=[i_o, " in copy
    if runs("x86-64-v4"):
        kernel = GuardedKernel(sw.build(s, [A, B, C], target="x86-64-v4"))
        a, b = numbers(A, B)
        for threads in (1, 2, 3):
            np.testing.assert_array_equal(kernel.run(a, b, threads=threads), a.T @ b)


def test_what_follows_a_product_is_computed_in_its_tiles():
    A, B, C = product(48, 128, 64)
    b = sw.placeholder((128,), name="b")
    D = sw.compute((48, 128), lambda i, j: C[i, j] + b[j], name="D")
    E = sw.compute((48, 128), lambda i, j: sw.maximum(D[i, j], 0), name="E")
    s = check(E, [A, B, b], lambda x, y, z: np.maximum(x @ y + z, 0))
    assert primitives(s)[0] == "compute_inline"
    assert "compute_at" in primitives(s)


def test_what_follows_may_read_a_product_twice():
    """GELU, with a factor and an argument of `erf` that are the same element of C."""
    A, B, C = product(48, 128, 5)
    D = sw.compute((48, 128), lambda i, j: 0.5 * C[i, j] * (1 + sw.erf(C[i, j] * 0.7071)), name="D")

    def expected(x, y):
        c = (x @ y).astype("float64")
        return 0.5 * c * (1 + np.vectorize(math.erf)(c * 0.7071))

    check(D, [A, B], expected, tolerance=1e-5)


def test_a_sum_inside_an_expression_stays_in_registers():
    A = sw.placeholder((30, 40), name="A")
    B = sw.placeholder((40, 50), name="B")
    k = sw.reduce_axis(40, name="k")
    C = sw.compute((30, 50), lambda i, j: sw.maximum(sw.sum(A[i, k] * B[k, j], axis=k), 1),
                   name="C")  # fmt: skip
    s = check(C, [A, B], lambda a, b: np.maximum(a @ b, 1))
    assert "buffer_write" in primitives(s)


def softmax(rows, columns):
    X = sw.placeholder((rows, columns), name="X")
    k, t = sw.reduce_axis(columns, name="k"), sw.reduce_axis(columns, name="t")
    M = sw.compute((rows,), lambda i: sw.max(X[i, k], axis=k), name="M")
    E = sw.compute((rows, columns), lambda i, j: sw.exp(X[i, j] - M[i]), name="E")
    S = sw.compute((rows,), lambda i: sw.sum(E[i, t], axis=t), name="S")
    return X, sw.compute((rows, columns), lambda i, j: E[i, j] / S[i], name="Y")


def softmax_of(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


@pytest.mark.parametrize(("rows", "columns"), [(2, 100), (9, 13), (11, 33)])
def test_a_softmax_runs_in_few_rows(rows, columns):
    X, Y = softmax(rows, columns)
    s = check(Y, [X], softmax_of, tolerance=1e-6)
    assert primitives(s).count("compute_at") == 3
    assert primitives(s).count("split") == (rows > 3)


def test_rows_that_are_computed_together_do_not_mix():
    _, Y = softmax(11, 17)
    kernel = sw.build(Y, search=False)
    x = np.linspace(-2, 2, 11 * 17, dtype="float32").reshape(11, 17)
    x[3, 4], x[5, 16], x[7], x[9, 0] = np.nan, np.inf, -np.inf, -np.inf
    y = np.zeros_like(x)
    kernel(x, y)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(y, softmax_of(x), rtol=1e-6, atol=1e-7)


def test_scores_that_the_cache_does_not_hold_are_computed_in_blocks_of_rows():
    heads, length, width = 2, 770, 9  # two slices of 2.3 MB
    shape, square = (heads, length, width), (heads, length, length)
    Q, K, V = (sw.placeholder(shape, name=name) for name in "QKV")
    r, u = sw.reduce_axis(width, name="r"), sw.reduce_axis(length, name="u")
    S = sw.compute(square, lambda h, i, j: sw.sum(Q[h, i, r] * K[h, j, r], axis=r), name="S")
    Z = sw.compute(square, lambda h, i, j: sw.maximum(S[h, i, j], 0) + S[h, j, i] * 0, name="Z")
    U = sw.compute(shape, lambda h, i, c: sw.sum(S[h, i, u] * V[h, u, c], axis=u), name="U")
    s = check(U, [Q, K, V], lambda q, k, v: q @ k.transpose(0, 2, 1) @ v)
    split = next(step for step in s.log if step.primitive == "split")
    placed = next(step for step in s.log if step.primitive == "compute_at")
    assert (split.stage, placed.stage) == ("U", "S")
    # One turned copy of K does for all blocks of a head.
    text = str(s)
    assert text.index("KK[") < text.index("For i.o in") < text.index("S[0, ")
    # Where rows need other rows' scores, slices stay whole.
    W = sw.compute(shape, lambda h, i, c: sw.sum(Z[h, i, u] * V[h, u, c], axis=u), name="W")
    s = check(W, [Q, K, V], lambda q, k, v: np.maximum(q @ k.transpose(0, 2, 1), 0) @ v)
    assert "For i.o in range(7)" not in str(s)


def attention(heads, length, width, *, divides=False):
    """With `divides`, the stage that sums up rows of V divides them, too."""
    shape, square = (heads, length, width), (heads, length, length)
    Q, K, V = (sw.placeholder(shape, name=name) for name in "QKV")
    r, u = sw.reduce_axis(width, name="r"), sw.reduce_axis(length, name="u")
    k, t = sw.reduce_axis(length, name="k"), sw.reduce_axis(length, name="t")
    S = sw.compute(square, lambda h, i, j: sw.sum(Q[h, i, r] * K[h, j, r], axis=r), name="S")
    M = sw.compute((heads, length), lambda h, i: sw.max(S[h, i, k], axis=k), name="M")
    E = sw.compute(square, lambda h, i, j: sw.exp(S[h, i, j] - M[h, i]), name="E")
    T = sw.compute((heads, length), lambda h, i: sw.sum(E[h, i, t], axis=t), name="T")

    def weighted(h, i, c):
        total = sw.sum(E[h, i, u] * V[h, u, c], axis=u)
        return total / T[h, i] if divides else total

    U = sw.compute(shape, weighted, name="U")
    if divides:
        return (Q, K, V), U
    Y = sw.compute(shape, lambda h, i, c: U[h, i, c] / T[h, i], name="Y")
    return (Q, K, V), Y


def attention_of(q, k, v):
    e = np.exp((s := q @ k.transpose(0, 2, 1)) - s.max(2, keepdims=True))
    return e / e.sum(2, keepdims=True) @ v


def splits_of(schedule, stage):
    steps = [step for step in schedule.log if step.primitive == "split"]
    return [step for step in steps if step.stage == stage]


@V4
@pytest.mark.parametrize("length", [400, sw.size("n", min=1, max=400)])
def test_what_a_product_divides_by_is_computed_in_its_blocks(length):
    """By itself it would run in each row, which would leave the product no tiles."""
    inputs, U = attention(3, length, 8, divides=True)
    s = sw.create_schedule(U)
    s.auto_schedule("x86-64-v4", search=False)
    assert dict(splits_of(s, "U")[0].arguments)["factor"] < 400
    assert {step.stage for step in s.log if "i.o" in str(step.arguments)} >= {"T", "E", "S"}
    assert "U_r0_buf" in str(s)  # sums in registers
    rng = np.random.default_rng(5)
    arrays = [rng.standard_normal((3, 400, 8)).astype("float32") for _ in inputs]
    got = sw.build(s, [*inputs, U], target="x86-64-v4").run(*arrays)
    np.testing.assert_allclose(got, attention_of(*arrays), rtol=1e-4, atol=1e-4)


@V4
def test_stages_that_the_cache_holds_one_by_one_are_computed_in_blocks_of_rows():
    inputs, Y = attention(3, 400, 8)  # slices of 640 KB, of scores and of weights
    s = check(Y, inputs, attention_of, tolerance=1e-4, target="x86-64-v4")
    assert splits_of(s, "Y")
    assert "range(4)" in str(s)  # blocks of 100 rows or 50 pairs, beside 25 KB of K and V
    # The copy of K lies in strips as wide as a tile of S.
    assert s.to_python().count("layout=[j_o, S.reduce_axis[0], j_i]") == 1


@V4
def test_stages_that_the_cache_holds_only_one_by_one_are_computed_slice_by_slice():
    inputs, Y = attention(12, 110, 8)  # 580 KB of scores and as much of weights
    s = check(Y, inputs, attention_of, tolerance=1e-4, target="x86-64-v4")
    placed = {step.stage for step in s.log if step.primitive == "compute_at"}
    assert placed >= {"S", "E", "U"}
    # Whole slices, of which four rows at a time have their sums.
    assert "range(28)" in str(s)


@V4
def test_blocks_are_small_where_the_cache_does_not_hold_what_they_share():
    inputs, Y = attention(2, 1500, 96)  # 1.2 MB of K and V of a head
    s = check(Y, inputs, attention_of, tolerance=1e-4, target="x86-64-v4")
    pairs, blocks = splits_of(s, "Y")
    assert (dict(pairs.arguments)["factor"], dict(blocks.arguments)["factor"]) == (2, 25)


@pytest.mark.parametrize("length", [2048, 4096])
def test_a_turned_copy_stands_outside_of_blocks_of_rows(length):
    """Also where only the last cache holds it: each block would turn as many lines."""
    _, Y = attention(2, length, 64, divides=True)  # K of a head has 512 KB and 1 MB
    s = sw.create_schedule(Y)
    s.auto_schedule("x86-64-v4", search=False)
    (copy,) = [line for line in s.to_python().splitlines() if "buffer_read(K" in line]
    assert "at=U.axis[0], " in copy
    assert "readers=[S]" in copy


def test_slices_do_not_mix_what_is_no_number():
    inputs, Y = attention(12, 110, 8)
    kernel = sw.build(Y, search=False)
    q, k, v = numbers(*inputs)
    q[1, 5] = np.nan  # a row of scores
    k[2, 7] = np.inf  # a column, of both signs and NaN
    k[3] = 0  # equal scores
    q[4, :, 0], k[4, 3, 0] = 1, -np.inf  # a weight of 0
    v[5, 8, 2] = np.nan
    y = np.zeros_like(q)
    kernel(q, k, v, y)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(y, attention_of(q, k, v), rtol=0, atol=1e-5)


def test_a_layer_norm():
    X = sw.placeholder((7, 50), name="X")
    g = sw.placeholder((50,), name="g")
    k, t = sw.reduce_axis(50, name="k"), sw.reduce_axis(50, name="t")
    M = sw.compute((7,), lambda i: sw.sum(X[i, k], axis=k) / 50, name="M")
    V = sw.compute((7,), lambda i: sw.sum((X[i, t] - M[i]) * (X[i, t] - M[i]), axis=t) / 50,
                   name="V")  # fmt: skip
    Y = sw.compute((7, 50), lambda i, j: (X[i, j] - M[i]) / sw.sqrt(V[i] + 1e-5) * g[j], name="Y")

    def expected(x, scale):
        return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * scale

    check(Y, [X, g], expected, tolerance=1e-4)


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("size", [7, 15])
def test_a_padded_convolution(stride, size):
    wide = (size - 1) * stride + 1
    X = sw.placeholder((2, wide, wide, 16), name="X")
    W = sw.placeholder((3, 2, 3, 3, 16, 16), name="W")
    P = sw.compute(
        (2, wide + 2, wide + 2, 16),
        lambda c, y, x, v: sw.select(
            sw.all_of(y >= 1, y - 1 < wide, x >= 1, x - 1 < wide), X[c, y - 1, x - 1, v], 0.0
        ),
        name="P",
    )
    co, ci = sw.reduce_axis(2, name="co"), sw.reduce_axis(16, name="ci")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    C = sw.compute(
        (3, size, size, 16),
        lambda f, y, x, v: sw.sum(
            P[co, y * stride + r, x * stride + q, ci] * W[f, co, r, q, ci, v],
            axis=(co, r, q, ci),
        ),
        name="C",
    )

    def expected(a, w):
        a = np.pad(a, ((0, 0), (1, 1), (1, 1), (0, 0)))
        out = np.zeros(C.shape, "float32")
        for y in range(3):
            for x in range(3):
                part = a[:, y : y + wide : stride, x : x + wide : stride]
                out += np.einsum("cyxi,fciv->fyxv", part, w[:, :, y, x])
        return out

    check(C, [X, W], expected)


@pytest.mark.parametrize("has_epilogue", [False, True])
def test_pixels_that_a_stride_leaves_apart_are_copied(has_epilogue):
    X = sw.placeholder((8, 79, 79, 16), name="X")  # more than the second-level cache holds
    W = sw.placeholder((12, 8, 16, 16), name="W")
    co, ci = sw.reduce_axis(8, name="co"), sw.reduce_axis(16, name="ci")
    C = sw.compute(
        (12, 40, 40, 16),
        lambda f, y, x, v: sw.sum(X[co, y * 2, x * 2, ci] * W[f, co, ci, v], axis=(co, ci)),
        name="C",
    )
    if has_epilogue:
        C = sw.compute(C.shape, lambda f, y, x, v, c=C: sw.maximum(c[f, y, x, v], 0), name="D")

    def expected(a, w):
        sums = np.einsum("cyxi,fciv->fyxv", a[:, ::2, ::2], w, optimize=True)
        return np.maximum(sums, 0) if has_epilogue else sums

    check(C, [X, W], expected)
    s = sw.create_schedule(C)
    s.auto_schedule("x86-64-v4", search=False)
    loops = str(s)
    assert loops.index("For x.o in") < loops.index("XX[") < loops.index("For f.o in")


def test_planes_in_rows_and_columns():
    X = sw.placeholder((2, 5, 19, 19), name="X")
    W = sw.placeholder((21, 5, 3, 3), name="W")
    c, r, q = (sw.reduce_axis(n, name=a) for n, a in ((5, "c"), (3, "r"), (3, "q")))
    C = sw.compute((2, 21, 17, 17),
                   lambda n, f, y, x: sw.sum(X[n, c, y + r, x + q] * W[f, c, r, q], axis=(c, r, q)),
                   name="C")  # fmt: skip

    def expected(a, w):
        return sum(
            np.einsum("ncyx,fc->nfyx", a[:, :, y : y + 17, x : x + 17], w[:, :, y, x])
            for y in range(3)
            for x in range(3)
        )

    check(C, [X, W], expected)


def test_each_channel_by_itself_and_pools():
    X = sw.placeholder((3, 14, 14, 16), name="X")
    W = sw.placeholder((3, 3, 3, 16), name="W")
    r, q = sw.reduce_axis(3, name="r"), sw.reduce_axis(3, name="q")
    D = sw.compute((3, 12, 12, 16),
                   lambda c, y, x, v: sw.sum(X[c, y + r, x + q, v] * W[c, r, q, v], axis=(r, q)),
                   name="D")  # fmt: skip
    a, b = sw.reduce_axis(2, name="a"), sw.reduce_axis(2, name="b")
    M = sw.compute((3, 6, 6, 16),
                   lambda c, y, x, v: sw.max(D[c, 2 * y + a, 2 * x + b, v], axis=(a, b)),
                   name="M")  # fmt: skip

    def expected(x, w):
        d = sum(
            x[:, i : i + 12, j : j + 12] * w[:, None, None, i, j]
            for i in range(3)
            for j in range(3)
        )
        return d.reshape(3, 6, 2, 6, 2, 16).max((2, 4))

    check(M, [X, W], expected)


def test_sizes_that_are_known_when_it_runs():
    n = sw.size("n", min=1, max=200)
    A = sw.placeholder((n, 40), name="A")
    B = sw.placeholder((40, 30), name="B")
    k = sw.reduce_axis(40, name="k")
    C = sw.compute((n, 30), lambda i, j: sw.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = sw.create_schedule(C)
    chosen = s.auto_schedule()
    assert any("known when it runs" in why for _, _, why in chosen.remarks)
    kernel = sw.build(s, [A, B, C])
    for rows in (1, 7, 200):
        a, b = np.ones((rows, 40), "float32"), np.ones((40, 30), "float32")
        out = np.zeros((rows, 30), "float32")
        kernel(a, b, out)
        np.testing.assert_array_equal(out, a @ b)


def test_what_was_scheduled_stays():
    A, B, C = product(32, 32, 32)
    s = sw.create_schedule(C)
    s[C].vectorize("j")
    chosen = s.auto_schedule(search=False)
    assert primitives(s) == ["vectorize"]
    assert any("scheduled already" in why for _, _, why in chosen.remarks)
    del A, B


def test_the_choice_can_be_printed_and_run_again():
    A, B, C = product(33, 47, 21)
    s = sw.create_schedule(C)
    s.auto_schedule(search=False)
    scope = {"sw": sw, "outputs": [C]}
    exec(s.to_python(), scope)
    assert str(scope["s"]) == str(s)
    del A, B


def test_build_of_tensors():
    A, B, C = product(20, 30, 10)
    kernel = sw.build(C, search=False)
    assert [a.name for a in kernel.arguments] == ["A", "B", "C"]
    a, b = numbers(A, B)
    np.testing.assert_array_equal(kernel.run(a, b), a @ b)
    both = sw.build([C], [B, A, C], search=False)
    np.testing.assert_array_equal(both.run(b, a), a @ b)


def test_a_search_says_what_it_tried_and_is_not_repeated(monkeypatch):
    _, _, C = product(48, 64, 32)
    s = sw.create_schedule(C)
    chosen = s.auto_schedule(seconds=20)
    assert len(chosen.trials) > 1
    assert sum(trial.is_chosen for trial in chosen.trials) == 1
    assert all(trial.seconds > 0 for trial in chosen.trials)
    text = str(s.explain())
    assert "tried C:" in text
    assert "measured" in text
    monkeypatch.setattr("solway.auto_schedule.Search", None)  # a second one would fail
    again = sw.create_schedule(C)
    assert again.auto_schedule(seconds=20).trials == chosen.trials
    assert str(again) == str(s)


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", "cut", "changed", "foreign", "picks"])
def test_a_damaged_entry_is_made_anew(damage):
    _, _, C = product(48, 64, 32)
    first = sw.create_schedule(C)
    first.auto_schedule(seconds=20)
    (path,) = _plan_cache.cache_folder().glob("*.json")
    good = path.read_text()
    entry = json.loads(good)
    if damage == "cut":
        path.write_text(good[: len(good) // 2])
    elif damage == "changed":
        entry["content"]["found"]["picks"] = {"C": 1}
        path.write_text(json.dumps(entry))
    elif damage == "foreign":
        _plan_cache.store("0" * 64, entry["content"]["found"])
        (path.parent / f"{'0' * 64}.json").rename(path)
    elif damage == "picks":
        _plan_cache.store(path.stem, {"picks": {"C": 1000}, "trials": []})
    else:
        path.write_text(damage)
    second = sw.create_schedule(C)
    chosen = second.auto_schedule(seconds=20)
    assert len(chosen.trials) > 1
    assert _plan_cache.load(path.stem)["picks"].get("C", 0) < 1000


def test_a_machine_of_another_kind_is_not_measured():
    _, _, C = product(48, 64, 32)
    target = sw.Target.load("x86-64-v4")
    if runs(target.name):
        pytest.skip("this machine runs it")
    chosen = sw.create_schedule(C).auto_schedule(target)
    assert any("does not run" in why for _, _, why in chosen.remarks)


@pytest.mark.parametrize("count", [3, 64, 128, 392])
def test_weights_that_are_read_once_are_read_in_whole_rows(count):
    x, k = sw.placeholder((8192,), name="x"), sw.reduce_axis(8192, name="k")
    W = sw.placeholder((count, 8192, 64), name="W")
    Y = sw.compute((count, 64), lambda j, v: sw.sum(x[k] * W[j, k, v], axis=k), name="Y")
    s = sw.create_schedule(Y)
    s.auto_schedule("x86-64-v4", search=False)
    text = s.to_python()
    assert "vectorize(Y.axis[1])" in text
    assert "split(Y.axis[1]" not in text
