"""The hand-written kernels under bench/hand: right whenever transfers land, beside solway's own."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import solway as sw
from support.programs import load_program

HAND = Path(__file__).parents[2] / "bench" / "hand" / "sw26010"
OPERATORS = load_program("bench/hand_operators.py")
LANDINGS = [("at_issue", 0), ("at_wait", 0), ("random", 1), ("random", 2)]


def convolution(stride, padding, relu=False):
    def convolve(image, w):
        edge = (padding, padding)
        padded = np.pad(image, ((0, 0), edge, edge))
        windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], axis=(1, 2))
        windows = windows[:, ::stride, ::stride]
        sums = np.einsum("cyxrq,fcrq->fyx", windows, w, optimize=True)
        return np.maximum(sums, 0) if relu else sums

    return convolve


def mesh_convolution(stride, padding, relu=False):
    """With weights as conv_mesh has them: [KERNEL][KERNEL][CHANNELS][FILTERS]."""
    convolve = convolution(stride, padding, relu)
    return lambda image, w: convolve(image, w.transpose(3, 2, 0, 1))


def product(a, b):
    """With negative results as 0."""
    return np.maximum(a @ b, 0)


def batched_convolution(image, w):
    """The layer of conv_registers by NumPy: the batch is the last axis."""
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(0, 1))
    return np.einsum("yxcbrq,rqcf->yxfb", windows, w, optimize=True)


class Case(NamedTuple):
    """A kernel by NumPy, and what it takes."""

    by_numpy: Callable[..., np.ndarray]
    shapes: list[tuple[int, ...]]
    dtype: str
    moved: int  #: bytes that it moves, at most
    error: float = 0  #: relative, of a result
    sizes: dict[str, int] | None = None  #: where they are not the defaults

    def whole(self):
        rng = np.random.default_rng(0)
        return [np.asarray(rng.integers(-4, 5, shape), self.dtype) for shape in self.shapes]

    def check(self, result, inputs):
        expected = self.by_numpy(*inputs)
        if self.error:
            np.testing.assert_allclose(result, expected, rtol=self.error)
        else:
            np.testing.assert_array_equal(result, expected)


LAYER = [(3, 224, 224), (64, 3, 11, 11)]
PRODUCT = [(1, 1024), (1024, 1024)]
LINES = [(262144,), (262144,), ()]
IMAGES = [(64, 55, 55)]
SCORES = [(260, 1000)]
SCORES_SIZES = {"ROWS": 260}
GRID = [(512, 512)]
GRID_SIZES = {"ROWS": 512, "COLUMNS": 512, "STEPS": 3}
CASES = {
    "conv_athread": Case(convolution(4, 2), LAYER, "float32", 9_000_000),
    "conv_mesh": Case(mesh_convolution(1, 1), [(64, 14, 14), (3, 3, 64, 128)], "float32", 650_000),
    "conv_openacc": Case(convolution(4, 2), LAYER, "float32", 110_000_000),
    "conv_registers": Case(
        batched_convolution, [(3, 6, 128, 128), (3, 3, 128, 128)], "float64", 6_500_000
    ),
    "fc_mesh": Case(np.matmul, [(1000, 1024), (1024,)], "float32", 4_200_000),
    "gemm_registers": Case(np.matmul, [(256, 512), (512, 256)], "float32", 1_400_000),
    "matmul_athread": Case(np.matmul, PRODUCT, "float32", 4_500_000),
    "matmul_openacc": Case(np.matmul, PRODUCT, "float32", 4_500_000),
    "elementwise_athread": Case(OPERATORS.elementwise, LINES, "float32", 3_200_000),
    "elementwise_openacc": Case(OPERATORS.elementwise, LINES, "float32", 3_200_000),
    "pool_athread": Case(OPERATORS.pooling(3, 2), IMAGES, "float32", 1_010_000),
    "pool_openacc": Case(OPERATORS.pooling(3, 2), IMAGES, "float32", 1_350_000),
    "reduce_athread": Case(OPERATORS.row_sums, [(1024, 1024)], "float32", 4_200_000),
    "reduce_openacc": Case(OPERATORS.row_sums, [(1024, 1024)], "float32", 4_200_000),
    "softmax_athread": Case(OPERATORS.softmax, SCORES, "float32", 2_100_000, 1e-6, SCORES_SIZES),
    "softmax_openacc": Case(OPERATORS.softmax, SCORES, "float32", 2_100_000, 6e-5, SCORES_SIZES),
    "stencil_athread": Case(OPERATORS.jacobi(3), GRID, "float32", 2_800_000, 0, GRID_SIZES),
    "stencil_openacc": Case(OPERATORS.jacobi(3), GRID, "float32", 12_700_000, 0, GRID_SIZES),
    "transpose_athread": Case(np.transpose, [(1024, 1024)], "float32", 8_400_000),
    "transpose_openacc": Case(np.transpose, [(1024, 1024)], "float32", 8_400_000),
}


def layer_sizes(channels, size, filters, kernel, stride, padding):
    names = ("CHANNELS", "SIZE", "FILTERS", "KERNEL", "STRIDE", "PADDING", "OUT", "RELU")
    out = (size + 2 * padding - kernel) // stride + 1
    values = (channels, size, filters, kernel, stride, padding, out, 1)
    return dict(zip(names, values, strict=True))


def layer_case(channels, size, filters, kernel, stride, padding):
    shapes = [(channels, size, size), (filters, channels, kernel, kernel)]
    sizes = layer_sizes(channels, size, filters, kernel, stride, padding)
    return Case(convolution(stride, padding, relu=True), shapes, "float32", 0, 0, sizes)


def mesh_layer_case(channels, size, filters, kernel, stride, padding):
    shapes = [(channels, size, size), (kernel, kernel, channels, filters)]
    sizes = layer_sizes(channels, size, filters, kernel, stride, padding)
    return Case(mesh_convolution(stride, padding, relu=True), shapes, "float32", 0, 0, sizes)


def other_sizes():
    """Kernels, beside their defaults: their name without the style, and a case."""
    yield "conv", layer_case(3, 13, 5, 3, 1, 1)
    yield "conv", layer_case(5, 17, 12, 5, 2, 2)
    yield "conv", layer_case(2, 30, 9, 4, 3, 1)
    yield "conv", layer_case(20, 57, 16, 3, 2, 1)
    for m, k, n in ((1, 1000, 70), (1, 33, 129), (3, 17, 5), (5, 100, 33), (65, 70, 40)):
        sizes = {"M": m, "K": k, "N": n, "RELU": 1}
        yield "matmul", Case(product, [(m, k), (k, n)], "float32", 0, 0, sizes)
    for n in (1, 63, 65537, 100_003):
        yield (
            "elementwise",
            Case(OPERATORS.elementwise, [(n,), (n,), ()], "float32", 0, 0, {"N": n}),
        )
    for shape in ((64, 224, 2, 2), (5, 7, 7, 1), (100, 14, 3, 1), (2, 33, 4, 3), (7, 10, 5, 2)):
        channels, size, kernel, stride = shape
        image = (channels, size, size)
        yield (
            "pool",
            Case(
                OPERATORS.pooling(kernel, stride),
                [image],
                "float32",
                0,
                0,
                OPERATORS.pool_sizes(*shape),
            ),
        )
    for rows, columns in ((1, 1), (3, 33), (129, 100), (5000, 13), (2, 70000)):
        sizes = {"ROWS": rows, "COLUMNS": columns}
        yield "reduce", Case(OPERATORS.row_sums, [(rows, columns)], "float32", 0, 0, sizes)
    for rows, columns in ((1, 1), (70, 17), (65, 100), (300, 10), (128, 1024), (3, 4864)):
        sizes = {"ROWS": rows, "COLUMNS": columns}
        yield "softmax", Case(OPERATORS.softmax, [(rows, columns)], "float32", 0, 3e-4, sizes)
    for rows, columns in ((1, 300), (300, 1), (63, 129), (68, 132), (200, 77), (256, 640)):
        sizes = {"ROWS": rows, "COLUMNS": columns}
        yield "transpose", Case(np.transpose, [(rows, columns)], "float32", 0, 0, sizes)
    for rows, columns, steps in ((3, 3, 1), (130, 5, 4), (200, 200, 7), (65, 131, 33)):
        sizes = {"ROWS": rows, "COLUMNS": columns, "STEPS": steps}
        yield "stencil", Case(OPERATORS.jacobi(steps), [(rows, columns)], "float32", 0, 0, sizes)


def other_mesh_sizes():
    yield "conv_mesh", mesh_layer_case(17, 13, 131, 5, 1, 2)
    yield "conv_mesh", mesh_layer_case(20, 9, 40, 3, 2, 1)
    yield "conv_mesh", mesh_layer_case(24, 9, 136, 1, 1, 0)
    for outputs, inputs in ((37, 41), (8, 32768), (24576, 8)):
        sizes = {"OUTPUTS": outputs, "INPUTS": inputs, "RELU": 1}
        yield "fc_mesh", Case(product, [(outputs, inputs), (inputs,)], "float32", 0, 0, sizes)


@functools.cache
def kernel_of(name):
    return sw.hand_kernel(HAND / name, sizes=CASES[name].sizes)


def test_every_folder_has_a_case():
    assert {path.parent.name for path in HAND.glob("*/kernel.toml")} == set(CASES)


@pytest.mark.parametrize(("landing", "seed"), LANDINGS)
@pytest.mark.parametrize("name", CASES)
def test_equals_numpy(name, landing, seed):
    case = CASES[name]
    inputs = case.whole()
    with sw.emulator(landing=landing, seed=seed):
        result = kernel_of(name).run(*inputs)
    case.check(result, inputs)


@pytest.mark.parametrize("mode", ["hazard", "timed"])
@pytest.mark.parametrize("name", CASES)
def test_equals_numpy_in_other_modes(name, mode):
    case = CASES[name]
    inputs = case.whole()
    result = kernel_of(name).run(*inputs, mode=mode)
    case.check(result, inputs)


@pytest.mark.parametrize(
    ("name", "case"),
    [(f"{name}_{style}", case) for name, case in other_sizes() for style in ("athread", "openacc")]
    + list(other_mesh_sizes()),
)
def test_equals_numpy_with_other_sizes(name, case):
    inputs = case.whole()
    kernel = sw.hand_kernel(HAND / name, sizes=case.sizes)
    with sw.emulator("hazard", landing="random", seed=3):
        result = kernel.run(*inputs)
    case.check(result, inputs)


@pytest.mark.parametrize(
    ("name", "sizes", "shape", "text"),
    [
        ("pool_athread", {"OUT": 28}, (64, 55, 55), r"OUT: must be \(SIZE - KERNEL\) / STRIDE"),
        ("softmax_athread", {"COLUMNS": 4865}, (1024, 4865), "COLUMNS: at most 4864, as three"),
        ("stencil_openacc", {"ROWS": 2}, (2, 1024), "ROWS, COLUMNS: at least 3 each"),
        ("conv_athread", {"OUT": 54}, LAYER, r"OUT is \(SIZE \+ 2 PADDING - KERNEL\) / STRIDE"),
    ],
)
def test_sizes_that_cannot_work_say_why(name, sizes, shape, text):
    kernel = sw.hand_kernel(HAND / name, sizes=sizes)
    shapes = shape if isinstance(shape, list) else [shape]
    with pytest.raises(sw.DslError, match=text):
        kernel.run(*(np.zeros(one, "float32") for one in shapes))


@pytest.mark.parametrize("name", CASES)
def test_fractions_are_right_within_rounding(name):
    case = CASES[name]
    rng = np.random.default_rng(1)
    inputs = [np.asarray(rng.standard_normal(shape)) for shape in case.shapes]
    expected = case.by_numpy(*inputs)
    result = kernel_of(name).run(*(x.astype(case.dtype) for x in inputs))
    terms = case.by_numpy(*(np.abs(x) for x in inputs))
    assert np.all(np.abs(result - expected) <= 1024 * np.finfo(case.dtype).eps * terms)


@pytest.mark.parametrize("name", CASES)
def test_moves_what_its_style_moves_and_by_transfers_alone(name):
    kernel = kernel_of(name)
    kernel.run(*CASES[name].whole())
    found = kernel.last_run.bytes
    assert found["get"] + found["put"] < CASES[name].moved
    assert found["gld"] < 4096
    assert found["gst"] == 0
    assert kernel.last_run.ldm_peak_bytes <= 65536


def test_beside_a_schedule_of_the_same_product():
    A = sw.placeholder((1, 1024), name="A")
    B = sw.placeholder((1024, 1024), name="B")
    k = sw.reduce_axis(1024, name="k")
    C = sw.compute((1, 1024), lambda x, y: sw.sum(A[x, k] * B[k, y], axis=k), name="C")
    s = sw.create_schedule(C)
    outer, inner = s[C].split("y", factor=16)
    s[C].reorder(outer, k, inner)
    s.buffer_read(A, [k], at=outer)
    s.buffer_write(C, [inner])
    s[C].parallel(outer)
    args = [A, B, C]
    with sw.emulator():  # compare takes timed mode itself
        found = sw.compare(
            {
                "solway": sw.build(s, args, target="sw26010", name="product"),
                "athread": sw.hand_kernel(HAND / "matmul_athread", args=args),
                "numpy": np.matmul,
            },
            inputs=CASES["matmul_athread"].whole(),
            repeats=10,
        )
    text = str(found)
    assert found.operations == 2 * 1024 * 1024
    assert found.measurements["solway"].target == "sw26010"
    assert found.measurements["athread"].bytes["put"] == 135168
    assert found.measurements["athread"].seconds == ()
    by_hand = found.measurements["athread"]
    assert "emulated, by its own clock" in text
    assert found.ratio("solway", "athread") == found.measurements["solway"].cycles / by_hand.cycles
    # 742.4 GFLOP/s at most, and 4 bytes of B for every two operations at 36.01 GB/s.
    assert by_hand.limits.attainable(found.operations, found.argument_bytes) == pytest.approx(
        36.01 * found.operations / found.argument_bytes
    )
    assert 0.2 < by_hand.roofline(found.operations, found.argument_bytes) < 1


def test_tensors_of_a_hand_kernel_say_what_it_computes():
    A, B = sw.placeholder((64, 64), name="A"), sw.placeholder((64, 64), name="B")
    k = sw.reduce_axis(64, name="k")
    C = sw.compute((64, 64), lambda x, y: sw.sum(A[x, k] * B[k, y], axis=k), name="C")
    rng = np.random.default_rng(0)
    inputs = [rng.integers(-4, 5, (64, 64)).astype("float32") for _ in range(2)]
    hand = sw.hand_kernel(HAND / "matmul_athread", args=[A, B, C])
    with sw.emulator():  # compare takes timed mode itself
        found = sw.compare({"athread": hand}, inputs=inputs)
    assert found.operations == 2 * 64**3
    assert 0 < found.measurements["athread"].roofline(found.operations, found.argument_bytes) < 1
    assert "roofline" in str(found)
    C = sw.compute((64, 64), lambda x, y: sw.sum(A[x, k] * B[y, k], axis=k), name="C")
    other = sw.hand_kernel(HAND / "matmul_athread", args=[A, B, C])
    with pytest.raises(sw.ComparisonError, match="'athread' gives a wrong result"):
        sw.compare({"athread": other}, inputs=inputs)
