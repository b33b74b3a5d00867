"""Vector code for computing cores: simd.h of SW26010 and SW26010-Pro."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw
from support.landings import POLICIES

MACHINES = {"sw26010": 4, "sw26010pro": 8}


def run_everywhere(kernel, inputs, expected):
    """In every mode, and with every order of completion."""
    for options in (*POLICIES, {"mode": "timed"}):
        with sw.emulator(**options):
            np.testing.assert_array_equal(kernel.run(*inputs), expected, err_msg=str(options))


def core_code(kernel):
    return kernel.source[f"{kernel.name}_cpe.c"]


def product(dtype, m, n, k):
    """A product in tiles of 32 x 32 on the mesh, of 4 x 16 in registers."""
    A = sw.placeholder((m, k), dtype=dtype, name="A")
    B = sw.placeholder((k, n), dtype=dtype, name="B")
    r = sw.reduce_axis((0, k), name="k")
    C = sw.compute((m, n), lambda i, j: sw.sum(A[i, r] * B[r, j], axis=r), name="C")
    s = sw.create_schedule(C)
    io, jo, ii, ji = s[C].tile(*C.axis, 32, 32)
    ko, ki = s[C].split(r, factor=32)
    iio, jio, iii, jii = s[C].tile(ii, ji, 4, 16)
    s[C].reorder(io, jo, ko, iio, jio, ki, iii, jii)
    s[C].parallel(io, jo, grid=(8, 8))
    s.buffer_write(C, [iio, jio, iii, jii])
    s.buffer_read(A, [iio, iii, ki])
    s.buffer_read(B, [ki, jio, jii])
    s[C].vectorize(jii)
    s[C].unroll(iii)
    return s, [A, B, C]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_product_in_registers(dtype):
    s, tensors = product(dtype, 64, 96, 64)
    rng = np.random.default_rng(0)
    a = rng.integers(-4, 5, (64, 64)).astype(dtype)
    b = rng.integers(-4, 5, (64, 96)).astype(dtype)
    for machine, lanes in MACHINES.items():
        kernel = sw.build(s, tensors, target=machine, name="mm")
        code = core_code(kernel)
        name = f"{'float' if dtype == 'float32' else 'double'}v{lanes}"
        assert f"{name} CC_kept_0, CC_kept_1" in code
        operation = "simd_vmas" if dtype == "float32" else "simd_vmad"
        assert code.count(operation) == 4 * 16 // lanes
        assert "#include <simd.h>" in code and "simd_loadu" not in code
        run_everywhere(kernel, [a, b], a @ b)


def test_vectors_are_faster():
    cycles = []
    for vectorized in (True, False):
        s, tensors = over_all(lambda a, b: (a * b + a) * (a - b) + b * b)
        if not vectorized:
            s = sw.create_schedule(tensors[-1])
        kernel = sw.build(s, tensors, target="sw26010", name="many")
        kernel.run(np.ones(N, "f4"), np.ones(N, "f4"), mode="timed")
        core = kernel.last_run.timeline.cores[0]
        cycles.append(core.running - sum(core.stalls.values()))
    assert cycles[0] < 0.5 * cycles[1]


N = 100  # no multiple of a vector


def over_all(body, inputs=2, dtype="float32"):
    """`body` of the elements of vectors of N, vectorized, in the scratchpad of one core."""
    tensors = [sw.placeholder((N,), dtype=dtype, name=f"x{i}") for i in range(inputs)]
    y = sw.compute((N,), lambda i: body(*(t[i] for t in tensors)), name="y")
    s = sw.create_schedule(y)
    io, ii = s[y].split(y.axis[0], factor=64)
    s[y].parallel(io)
    for t in tensors:
        s.buffer_read(t, [ii])
    s.buffer_write(y, [ii])
    s[y].vectorize(ii)
    return s, [*tensors, y]


VALUES = np.array([0.0, -0.0, 1.5, -2.25, np.inf, -np.inf, np.nan, 3.0, 1e30, -7.0])


def one_or_two(condition, like):
    return sw.select(condition, sw.cast(1.0, like.dtype), sw.cast(2.0, like.dtype))


OPERATIONS = [
    (lambda a, b: a + b, np.add),
    (lambda a, b: a - b, np.subtract),
    (lambda a, b: a * b, np.multiply),
    (lambda a, b: a / b, np.divide),
    (lambda a, b: -a, lambda a, b: -a),
    (lambda a, b: sw.abs(a), lambda a, b: np.abs(a)),
    (lambda a, b: sw.sqrt(sw.abs(a)), lambda a, b: np.sqrt(np.abs(a))),
    (sw.maximum, np.maximum),
    (sw.minimum, np.minimum),
    (lambda a, b: sw.maximum(a, 0.0), lambda a, b: np.maximum(a, 0)),
    (lambda a, b: sw.minimum(0.0, a), lambda a, b: np.minimum(0, a)),
    (lambda a, b: one_or_two(a < b, a), lambda a, b: np.where(a < b, 1, 2)),
    (lambda a, b: one_or_two(a <= b, a), lambda a, b: np.where(a <= b, 1, 2)),
    (lambda a, b: one_or_two(a > b, a), lambda a, b: np.where(a > b, 1, 2)),
    (lambda a, b: one_or_two(a >= b, a), lambda a, b: np.where(a >= b, 1, 2)),
    (lambda a, b: one_or_two(a == b, a), lambda a, b: np.where(a == b, 1, 2)),
    (lambda a, b: one_or_two(a != b, a), lambda a, b: np.where(a != b, 1, 2)),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("machine", MACHINES)
def test_every_operation_at_its_corners(machine, dtype):
    A = sw.placeholder((N,), dtype=dtype, name="A")
    B = sw.placeholder((N,), dtype=dtype, name="B")
    stages = [
        sw.compute((N,), lambda i, body=body: body(A[i], B[i]), name=f"y{n}")
        for n, (body, _) in enumerate(OPERATIONS)
    ]
    s = sw.create_schedule(stages)
    for stage in stages:
        s[stage].vectorize(stage.axis[0])
    kernel = sw.build(s, [A, B, *stages], target=machine, name="each")
    assert not kernel.report()
    a = np.repeat(VALUES, 10).astype(dtype)
    b = np.tile(VALUES, 10).astype(dtype)
    with np.errstate(all="ignore"):
        right = [expected(a, b).astype(dtype) for _, expected in OPERATIONS]
    for n, (found, wanted) in enumerate(zip(kernel.run(a, b, mode="hazard"), right, strict=True)):
        np.testing.assert_array_equal(found, wanted, err_msg=f"operation {n}")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("body", "why"),
    [
        (lambda a, b: sw.sin(a) + b, "'sin'"),
        (lambda a, b: sw.cast(sw.cast(a, "int32"), "float32") + b, "a cast"),
    ],
)
def test_what_has_no_form_runs_lane_by_lane(body, why, machine):
    s, tensors = over_all(body)
    kernel = sw.build(s, tensors, target=machine, name="lanes")
    assert any(why in remark.why for remark in kernel.report())
    a = np.arange(1, N + 1, dtype="f4") / 7
    b = np.ones(N, "f4")
    right = np.sin(a) + 1 if why == "'sin'" else np.trunc(a) + 1
    np.testing.assert_allclose(kernel.run(a, b, mode="hazard"), right, rtol=1e-6)


@pytest.mark.parametrize("machine", MACHINES)
def test_integers_stay_scalar(machine):
    s, tensors = over_all(lambda a, b: a + b, dtype="int32")
    kernel = sw.build(s, tensors, target=machine, name="ints")
    assert any("int32" in remark.why for remark in kernel.report())
    a = np.arange(N, dtype="i4")
    run_everywhere(kernel, [a, a], 2 * a)


@pytest.mark.parametrize("machine", MACHINES)
def test_columns_are_gathered_and_scattered(machine):
    A = sw.placeholder((40, 24), name="A")
    B = sw.compute((40, 24), lambda i, j: A[i, j] * 2 + 1, name="B")
    s = sw.create_schedule(B)
    i, j = B.axis
    s[B].reorder(j, i)
    s.buffer_read(A, [i, j])
    s.buffer_write(B, [i, j])
    s[B].vectorize(i)
    kernel = sw.build(s, [A, B], target=machine, name="columns")
    assert "[24]" in core_code(kernel)
    a = np.arange(960, dtype="f4").reshape(40, 24)
    run_everywhere(kernel, [a], a * 2 + 1)


@pytest.mark.parametrize("machine", MACHINES)
def test_windows_are_loaded_unaligned(machine):
    A = sw.placeholder((131,), name="A")
    B = sw.compute((128,), lambda i: A[i] + A[i + 1] + A[i + 3], name="B")
    s = sw.create_schedule(B)
    io, ii = s[B].split(B.axis[0], factor=32)
    s[B].parallel(io)
    s.buffer_read(A, [ii])
    s.buffer_write(B, [ii])
    s[B].vectorize(ii)
    kernel = sw.build(s, [A, B], target=machine, name="windows")
    assert "simd_loadu" in core_code(kernel) and "simd_load(" in core_code(kernel)
    a = np.arange(131, dtype="f4") % 17
    run_everywhere(kernel, [a], a[:128] + a[1:129] + a[3:])


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("reduce", "expected"),
    [(sw.sum, np.sum), (sw.prod, np.prod), (sw.min, np.min), (sw.max, np.max)],
)
def test_lanes_are_combined(reduce, expected, machine):
    A = sw.placeholder((64, 75), name="A")
    k = sw.reduce_axis((0, 75), name="k")
    B = sw.compute((64,), lambda i: reduce(A[i, k], axis=k), name="B")
    s = sw.create_schedule(B)
    i = B.axis[0]
    s[B].parallel(i)
    s.buffer_read(A, [k])
    s[B].vectorize(k)
    kernel = sw.build(s, [A, B], target=machine, name="rows")
    assert "simd_" in core_code(kernel)
    a = np.random.default_rng(1).integers(1, 3, (64, 75)).astype("f4")
    a[:, 20:] = 1  # products stay exact
    run_everywhere(kernel, [a], expected(a, axis=1))


def test_main_memory_is_not_taken_to_be_aligned():
    A = sw.placeholder((N,), name="A")
    B = sw.compute((N,), lambda i: A[i] + 1, name="B")
    s = sw.create_schedule(B)
    s[B].vectorize(B.axis[0])
    kernel = sw.build(s, [A, B], target="sw26010", name="plain")
    code = core_code(kernel)
    assert "simd_loadu" in code and "simd_storeu" in code and "simd_load(" not in code
    run_everywhere(kernel, [np.arange(N, dtype="f4")], np.arange(N, dtype="f4") + 1)


@pytest.mark.parametrize(("dtype", "size"), [("float32", 33), ("float32", 40), ("float64", 33)])
def test_every_second_element_is_shuffled_out_of_two_vectors(dtype, size):
    """The last vector ends with the last element that is read."""
    a = sw.placeholder((16, size), dtype, name="A")
    out = (size - 3) // 2 + 1
    b = sw.compute(
        (16, out), lambda i, j: a[i, 2 * j] + a[i, 2 * j + 1] * a[i, 2 * j + 2], name="B"
    )
    s = sw.create_schedule(b)
    s[b].parallel("i")
    s.buffer_read(a, at="i")
    s.buffer_write(b, at="i")
    s[b].vectorize("j")
    kernel = sw.build(s, [a, b], target="sw26010", name="second")
    assert "0xd8" in core_code(kernel)
    x = np.random.default_rng(3).integers(-4, 5, (16, size)).astype(dtype)
    run_everywhere(kernel, [x], x[:, :-2:2] + x[:, 1:-1:2] * x[:, 2::2])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_second_element_of_a_tile_that_has_no_others(dtype):
    """Lanes that the shuffle leaves out are of no account, written or not."""
    a = sw.placeholder((6, 19), dtype, name="A")
    p = sw.compute((6, 19), lambda i, j: a[i, j] + 1, name="P")
    c = sw.compute((6, 10), lambda i, j: p[i, 2 * j] * 2, name="C")
    s = sw.create_schedule(c)
    s[p].compute_at(c, "i")
    s.buffer_write(c, at="i")
    s[c].vectorize("j")
    kernel = sw.build(s, [a, c], target="sw26010", name="holes")
    assert "0xd8" in core_code(kernel)
    x = np.random.default_rng(3).integers(-4, 5, (6, 19)).astype(dtype)
    run_everywhere(kernel, [x], (x[:, ::2] + 1) * 2)
